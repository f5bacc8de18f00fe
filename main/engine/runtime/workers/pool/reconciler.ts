/** Makes the workers of an endpoint match its plan. */
import type { EngineEndpoint } from '#contract/api/resources.ts';
import type { Clock } from '../../../domain/core/ports.ts';
import type { Pausing } from '../../../domain/pausing/pausing.ts';
import type { Endpoints } from '../../../domain/resources/endpoints.ts';
import type { EndpointGroups } from './endpointGroups.ts';
import { forgetTrouble, planFor, provesHealth, refreshMember, type Group, type Member } from './endpointWorkers.ts';
import type { GpuQueue } from './gpuQueue.ts';
import type { Lives } from './lifecycle.ts';
import type { WorkerStarts } from './workerStarts.ts';

/** The reason of a stop, for the log of the worker. */
const OUTDATED = 'its template, its files or its endpoint changed';

export interface ReconcilerOptions {
  clock: Clock;
  endpoints: Endpoints;
  pausing: Pick<Pausing, 'state'>;
  groups: EndpointGroups;
  lives: Lives;
  gpuQueue: GpuQueue;
  starts: WorkerStarts;
}

/**
 * `reconcile` handles one endpoint: it checks each worker, then executes the plan of `reconcilePlan.ts`. Everything
 * that may change the plan pokes the endpoint: demand, the end of a worker, a change of the endpoint, a free GPU, a
 * pause, or a timer.
 */
export function createReconciler({ clock, endpoints, pausing, groups, lives, gpuQueue, starts }: ReconcilerOptions): {
  reconcile(endpointId: string): void;
} {
  function reconcile(endpointId: string): void {
    const endpoint = endpoints.find(endpointId);
    if (!endpoint) {
      const group = groups.get(endpointId);
      if (group?.members.size !== 0) return;
      gpuQueue.leave(group);
      groups.remove(group);
      return;
    }
    const group = groups.of(endpoint);
    for (const member of group.members.values()) check(group, member, endpoint.version);
    if (pausing.state().state === 'running') carryOut(endpoint, group);
    else {
      gpuQueue.leave(group);
      rest(group);
    }
    gpuQueue.recheck(group);
  }

  function carryOut(endpoint: EngineEndpoint, group: Group): void {
    const plan = planFor(group, endpoint);
    for (const member of plan.stop) void lives.stop(group, member, member.outdated ? OUTDATED : 'it was idle');
    for (const member of plan.retire) lives.retire(group, member);
    if (plan.checkInMs !== null) groups.checkIn(group, plan.checkInMs);
    if (plan.start > 0) {
      void starts.startMissing(endpoint, group);
    } else {
      gpuQueue.leave(group);
      void starts.examine(endpoint, group);
    }
  }

  /** Refreshes a worker. Stops it where it has no more work to do, or takes too long to become ready. */
  function check(group: Group, member: Member, version: number): void {
    const elapsed = clock.elapsed();
    refreshMember(group, member, version, elapsed);
    if (group.failures > 0 && member.worker.finished > 0 && provesHealth(group, member)) forgetTrouble(group);
    if (member.stopReason === null) {
      if (member.leaving && !member.busy) {
        void lives.stop(group, member, member.outdated ? OUTDATED : 'it had nothing more to do');
      } else if (!member.ready && !member.busy && member.runsSince !== null) {
        const leftMs = member.runsSince + member.initMs - elapsed;
        if (leftMs > 0) groups.checkIn(group, leftMs);
        else {
          const reason = `not ready ${member.initMs / 1000} s after its start (RUNPOD_INIT_TIMEOUT)`;
          lives.markUnhealthy(group, member, reason);
        }
      }
    }
    lives.notifyWatch(group, member);
  }

  /** Work is paused: stops the workers without a job, and the others too unless the pause waits for running jobs. */
  function rest(group: Group): void {
    const { state, message } = pausing.state();
    for (const member of group.members.values()) {
      if (state === 'paused' || !member.busy) void lives.stop(group, member, message ?? 'work is paused');
      else lives.retire(group, member);
    }
  }

  return { reconcile };
}
