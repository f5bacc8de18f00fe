/** Starts the missing workers of an endpoint, and records what prevents it. */
import { limits } from '#contract/core/limits.ts';
import type { EngineEndpoint } from '#contract/api/resources.ts';
import type { NeedsOf } from '../../../domain/autoscaling/workerSpec.ts';
import type { WorkerDriver } from '../../../domain/autoscaling/ports.ts';
import type { Clock, Logger } from '../../../domain/core/ports.ts';
import type { Pausing } from '../../../domain/pausing/pausing.ts';
import type { Endpoints } from '../../../domain/resources/endpoints.ts';
import type { Templates } from '../../../domain/resources/templates.ts';
import { messageOf } from '#contract/core/errors.ts';
import type { EndpointGroups } from './endpointGroups.ts';
import { planFor, refreshMember, type Group } from './endpointWorkers.ts';
import type { GpuQueue } from './gpuQueue.ts';
import type { Lives } from './lifecycle.ts';

export interface WorkerStarts {
  /** Starts the missing workers of the plan, unless a recent death, a missing GPU or the driver prevents it. */
  startMissing(endpoint: EngineEndpoint, group: Group): Promise<void>;
  /**
   * Checks whether an endpoint can run here before it needs a worker, so that its creator learns this without a job.
   */
  examine(endpoint: EngineEndpoint, group: Group): Promise<void>;
}

export interface WorkerStartsOptions {
  clock: Clock;
  logger: Logger;
  endpoints: Endpoints;
  templates: Templates;
  driver: WorkerDriver;
  pausing: Pick<Pausing, 'state'>;
  needsOf: NeedsOf;
  groups: Pick<EndpointGroups, 'checkIn'>;
  lives: Pick<Lives, 'start'>;
  gpuQueue: GpuQueue;
  poke(endpointId: string): void;
  isStopped(): boolean;
}

export function createWorkerStarts(options: WorkerStartsOptions): WorkerStarts {
  const { clock, logger, endpoints, templates, driver, pausing, needsOf, groups, lives, gpuQueue, poke } = options;

  /**
   * Records what prevents the endpoint from running. Resolves with the current endpoint. Resolves with null where the
   * endpoint is gone, or was changed and is reconciled again.
   */
  async function findBlocker(endpoint: EngineEndpoint, group: Group): Promise<EngineEndpoint | null> {
    group.checking = true;
    // The endpoint reports the failure of a driver, and the start is tried again.
    const unavailable = await driver
      .unavailable(templates.get(endpoint.templateId))
      .catch((error: unknown) => `Hangar could not find out whether this endpoint can run here: ${messageOf(error)}`);
    group.checking = false;
    if (options.isStopped()) return null;
    const now = endpoints.find(endpoint.id);
    if (!now) return null;
    if (now.version !== endpoint.version) {
      poke(endpoint.id);
      return null;
    }
    const needs = unavailable ?? needsOf(now, templates.get(now.templateId));
    const blocker = typeof needs === 'string' ? needs : null;
    if (blocker !== null && blocker !== group.unavailable) {
      logger.warn({ endpointId: endpoint.id, blocker }, 'an endpoint cannot run here');
    }
    group.unavailable = blocker;
    group.examinedAt = clock.elapsed();
    return now;
  }

  function putOff(group: Group): void {
    gpuQueue.leave(group);
    group.notBefore = clock.elapsed() + limits.startAgainMs;
    groups.checkIn(group, limits.startAgainMs);
  }

  /** Plans again, because the demand may have changed during the check. */
  function startPlanned(endpoint: EngineEndpoint, group: Group): void {
    for (const member of group.members.values()) refreshMember(group, member, endpoint.version, clock.elapsed());
    const template = templates.get(endpoint.templateId);
    const needs = needsOf(endpoint, template);
    if (typeof needs === 'string') {
      group.unavailable = needs;
      putOff(group);
      return;
    }
    for (let { start } = planFor(group, endpoint); start > 0; start--) {
      if (gpuQueue.mustYield(group, endpoint)) return;
      const refused = lives.start(endpoint, template, needs, group);
      if (refused?.kind === 'never') {
        group.refused = { message: refused.message, endpoint };
        putOff(group);
        return;
      }
      if (refused) {
        gpuQueue.join(group, endpoint, refused.message);
        // The plan may now stop an outdated worker, so that the new one gets its GPU.
        poke(endpoint.id);
        return;
      }
    }
    gpuQueue.leave(group);
    // Observe the new workers from now on.
    poke(endpoint.id);
  }

  return {
    async startMissing(endpoint, group) {
      if (group.checking) return;
      const waitMs = group.notBefore - clock.elapsed();
      if (waitMs > 0) {
        // Another endpoint may get the GPU.
        gpuQueue.leave(group);
        groups.checkIn(group, waitMs);
        return;
      }
      if (group.crowding && !group.crowding.again) {
        gpuQueue.makeRoom(group, endpoint);
        return;
      }
      const now = await findBlocker(endpoint, group);
      if (!now || pausing.state().state !== 'running') return;
      if (group.unavailable === null) startPlanned(now, group);
      else putOff(group);
    },

    async examine(endpoint, group) {
      if (group.checking || group.members.size > 0) return;
      if (group.examinedAt !== null) {
        if (group.unavailable === null) return;
        const leftMs = group.examinedAt + limits.startAgainMs - clock.elapsed();
        if (leftMs > 0) {
          groups.checkIn(group, leftMs);
          return;
        }
      }
      if (await findBlocker(endpoint, group)) poke(endpoint.id);
    },
  };
}
