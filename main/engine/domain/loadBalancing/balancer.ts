/**
 * Load balancing: chooses the worker of each request and reports the demand for workers. Requests wait for a worker,
 * but are never retried.
 */
import { AppError } from '#contract/core/errors.ts';
import type { Affinity } from './affinity.ts';
import { createGroup, type AskCallback, type Group, type GroupOptions } from './group.ts';
import { watchHealth } from './healthCheck.ts';
import { newMember } from './member.ts';
import { balancedPorts } from '../autoscaling/listenPorts.ts';
import type { Demand, WatchedSource } from '../autoscaling/demand.ts';
import type { Cancel, Logger } from '../core/ports.ts';
import type { HealthProbe } from './ports.ts';

export interface BalancerOptions extends GroupOptions {
  logger: Logger;
  probe: HealthProbe;
  /** The worker is unusable: replace it like a worker that died. */
  onUnhealthy(workerId: string, reason: string): void;
}

export interface Balancer extends WatchedSource {
  /**
   * Requests a worker for one request: the callback gets it at once where one is ready, otherwise as soon as one is.
   * BAD_REQUEST where no worker becomes ready in time, NOT_FOUND where the required worker is gone. The returned
   * function cancels the wait.
   */
  ask(endpointId: string, affinity: Affinity | null, done: AskCallback): Cancel;
  stop(): void;
}

const NO_DEMAND: Demand = { queued: 0, oldestWaitMs: 0, inProgress: 0, lowInProgress: 0 };

export function createBalancer(options: BalancerOptions): Balancer {
  const { clock, logger, probe, onDemand } = options;
  const groups = new Map<string, Group>();

  function groupOf(endpointId: string): Group {
    let group = groups.get(endpointId);
    if (!group) groups.set(endpointId, (group = createGroup(endpointId, options)));
    return group;
  }

  return {
    ask: (endpointId, affinity, done) => groupOf(endpointId).ask(affinity, done),
    demand: (endpointId) => groups.get(endpointId)?.demand() ?? NO_DEMAND,
    load(worker) {
      const member = groups.get(worker.endpointId)?.members.get(worker.id);
      if (!member) return { ready: false, begun: false, busy: 0, lastBusyElapsed: worker.lastBusyElapsed };
      const { ready, begun, leases, lastBusyElapsed } = member;
      return { ready, begun, busy: leases.length, lastBusyElapsed };
    },
    retire(worker) {
      const member = groups.get(worker.endpointId)?.members.get(worker.id);
      if (member) member.retired = true;
    },

    started(worker, process, template) {
      const { endpointId } = worker;
      const ports = balancedPorts(template.env);
      if (typeof ports === 'string') throw new Error(ports);
      const group = groupOf(endpointId);
      const member = newMember(worker, process, ports, clock.elapsed());
      group.members.set(worker.id, member);
      member.watch = watchHealth({
        clock,
        probe,
        process,
        ports,
        busy: () => member.leases.length > 0,
        onReady(ready) {
          member.ready = ready;
          member.begun ||= ready;
          member.lastBusyElapsed = clock.elapsed();
          logger.info({ workerId: worker.id, endpointId, ready }, 'a worker is ready, or no longer');
          if (ready) group.serve();
          onDemand(endpointId);
        },
        onHopeless: (reason) => options.onUnhealthy(worker.id, reason),
      });
    },
    ended(worker, reason) {
      const group = groups.get(worker.endpointId);
      const member = group?.members.get(worker.id);
      if (!group || !member) return;
      group.members.delete(worker.id);
      member.watch?.stop();
      for (const lease of [...member.leases]) lease.onLost?.(reason);
      group.refuseStrict(worker.id);
    },
    removeEndpoint(endpointId) {
      const error = new AppError('NOT_FOUND', `The endpoint ${JSON.stringify(endpointId)} was deleted.`);
      groups.get(endpointId)?.refuseAll(error);
    },
    stop() {
      for (const group of groups.values()) {
        group.refuseAll(new AppError('UNAVAILABLE', 'Hangar stops. Send the request again once it runs.'));
        group.stop();
        for (const { watch } of group.members.values()) watch?.stop();
      }
      groups.clear();
    },
  };
}
