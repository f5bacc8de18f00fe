/** Load balancing: which worker gets a request, who waits for one, and what that calls for. Nothing is queued or tried again. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Affinity } from './affinity.ts';
import { watchHealth, type HealthWatch } from './healthCheck.ts';
import { balancedPorts, type BalancedPorts } from '../autoscaling/listenPorts.ts';
import type { WatchedSource } from '../autoscaling/demand.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import type { HealthProbe } from './ports.ts';
import type { WorkerProcess } from '../autoscaling/ports.ts';
import type { Worker } from '../jobs/workerRegistry.ts';

/** A worker's time with one request. */
export interface Lease {
  readonly workerId: string;
  /** Where its server is reached. */
  readonly host: string;
  readonly port: number;
  /** Called when the worker ends before the lease does; `reason`: without a full stop. */
  onLost: ((reason: string) => void) | null;
  /** The request is over; whether the worker has answered it. */
  release(answered: boolean): void;
  /** Nothing listens where its server should: it gets no more requests until its health check answers. */
  unreachable(): void;
}

export interface BalancerOptions {
  clock: Clock;
  logger: Logger;
  probe: HealthProbe;
  /** Requests that one worker is meant for. */
  scalerValue(endpointId: string): number;
  /** The most workers that there may be. */
  workersMax(endpointId: string): number;
  /** The demand has changed. Called often. */
  onDemand(endpointId: string): void;
  /** The worker is of no use: it is to be replaced, as one that has died. */
  onUnhealthy(workerId: string, reason: string): void;
  /** Why an endpoint has no workers, for a person; null where nothing is in the way. */
  trouble(endpointId: string): string | null;
}

export interface Balancer extends WatchedSource {
  /**
   * A worker for one request: at once where one is ready, otherwise as soon as there is. Without one in time BAD_REQUEST, without
   * the one that is insisted on NOT_FOUND. The returned function takes a waiting request back.
   */
  ask(endpointId: string, affinity: Affinity | null, done: (error: AppError | null, lease: Lease) => void): Cancel;
  stop(): void;
}

interface Member {
  readonly worker: Worker;
  readonly process: WorkerProcess;
  readonly ports: BalancedPorts;
  /** A list: what leaves a Set is kept alive by it for long, and with it all that hangs on a request. */
  readonly leases: Lease[];
  watch: HealthWatch | null;
  ready: boolean;
  /** It has been ready. */
  begun: boolean;
  retired: boolean;
  lastBusyElapsed: number;
  /** When it was last given a request, counted over all requests. */
  turn: number;
}

interface Waiter {
  readonly affinity: Affinity | null;
  readonly since: number;
  readonly done: (error: AppError | null, lease: Lease) => void;
  readonly timeUp: Cancel;
  /** Set while it waits for a worker of its own although others are ready. */
  share: Cancel | null;
  /** It has waited for that long enough. */
  takesAny: boolean;
}

interface Group {
  readonly members: Map<string, Member>;
  /** Oldest first. */
  readonly waiters: Set<Waiter>;
  running: number;
  /** The most requests at once since the pool was last told of fewer. */
  called: number;
  settling: Cancel | null;
}

/** Fewer requests are told of this late: a worker is not idle between two requests in a row. */
const SETTLE_MS = 500;
const none = null as unknown as Lease;
const minutes = (ms: number): string => `${ms / 60_000} min`;

export function createBalancer(options: BalancerOptions): Balancer {
  const { clock, logger, probe, onDemand } = options;
  const groups = new Map<string, Group>();
  let turns = 0;

  function groupOf(endpointId: string): Group {
    let group = groups.get(endpointId);
    if (!group) {
      group = { members: new Map(), waiters: new Set(), running: 0, called: 0, settling: null };
      groups.set(endpointId, group);
    }
    return group;
  }

  const mayHave = ({ ready, retired }: Member): boolean => ready && !retired;

  /** The least busy; of those, the one that has waited longest for a request. */
  function pick({ members }: Group, affinity: Affinity | null): Member | null {
    const preferred = affinity && members.get(affinity.workerId);
    if (preferred && mayHave(preferred)) return preferred;
    if (affinity?.strict) return null;
    let best: Member | null = null;
    for (const member of members.values()) {
      if (!mayHave(member)) continue;
      const than = best === null ? -1 : member.leases.length - best.leases.length;
      if (than < 0 || (than === 0 && member.turn < best!.turn)) best = member;
    }
    return best;
  }

  function lend(endpointId: string, group: Group, member: Member): Lease | null {
    const at = member.process.reach?.(member.ports.port) ?? null;
    if (at === null) return null;
    const { leases } = member;
    member.turn = ++turns;
    group.running++;
    const lease: Lease = {
      workerId: member.worker.id,
      host: at.host,
      port: at.port,
      onLost: null,
      release(answered) {
        const at = leases.indexOf(lease);
        if (at === -1) return;
        leases[at] = leases.at(-1)!;
        leases.pop();
        group.running--;
        if (answered) member.worker.finished++;
        member.lastBusyElapsed = clock.elapsed();
        settle(endpointId, group);
        serve(endpointId, group);
      },
      unreachable: () => member.watch?.doubt(),
    };
    leases.push(lease);
    grow(endpointId, group);
    return lease;
  }

  function grow(endpointId: string, group: Group): void {
    const total = group.running + group.waiters.size;
    if (total <= group.called) return;
    group.called = total;
    onDemand(endpointId);
  }

  function settle(endpointId: string, group: Group): void {
    group.settling ??= clock.after(SETTLE_MS, () => {
      group.settling = null;
      group.called = group.running + group.waiters.size;
      onDemand(endpointId);
    });
  }

  /** Whether a worker may come that is not ready yet. */
  function mayGrow(endpointId: string, { members }: Group): boolean {
    let staying = 0;
    let coming = 0;
    for (const { begun, retired } of members.values()) {
      if (retired) continue;
      if (begun) staying++;
      else coming++;
    }
    return (coming > 0 || staying < options.workersMax(endpointId)) && options.trouble(endpointId) === null;
  }

  /** Whether a request goes to this worker, or waits a while for one that has less to do. */
  function takes(endpointId: string, group: Group, member: Member, affinity: Affinity | null): boolean {
    if (affinity?.workerId === member.worker.id || member.leases.length < options.scalerValue(endpointId)) return true;
    return !mayGrow(endpointId, group);
  }

  /** Gives those that wait what has become ready. */
  function serve(endpointId: string, group: Group): void {
    for (const waiter of [...group.waiters]) {
      const member = pick(group, waiter.affinity);
      if (member === null) continue;
      if (waiter.takesAny || takes(endpointId, group, member, waiter.affinity)) {
        const lease = lend(endpointId, group, member);
        if (lease) leave(group, waiter, null, lease);
      } else {
        waiter.share ??= clock.after(limits.balancing.shareWaitMs, () => {
          waiter.takesAny = true;
          serve(endpointId, group);
        });
      }
    }
  }

  function forget(group: Group, waiter: Waiter): boolean {
    if (!group.waiters.delete(waiter)) return false;
    waiter.timeUp();
    waiter.share?.();
    return true;
  }

  function leave(group: Group, waiter: Waiter, error: AppError | null, lease = none): void {
    if (forget(group, waiter)) waiter.done(error, lease);
  }

  function whyNone(endpointId: string, { members }: Group): string {
    for (const { worker, ready, watch } of members.values()) {
      const lastCheck = watch?.lastResult() ?? null;
      if (!ready && lastCheck !== null) return ` Worker ${worker.id} is not ready: its health check ${lastCheck}.`;
    }
    const trouble = options.trouble(endpointId);
    return trouble === null ? '' : ` ${trouble}`;
  }

  function timedOut(endpointId: string, group: Group, affinity: Affinity | null): AppError {
    const { workerWaitMs, strictWaitMs } = limits.balancing;
    const reason = affinity?.strict
      ? `worker ${affinity.workerId} was not ready within ${minutes(strictWaitMs)}.`
      : `none was ready within ${minutes(workerWaitMs)}.${whyNone(endpointId, group)}`;
    return new AppError(
      'BAD_REQUEST',
      `Timed out waiting for a worker: ${reason} Nothing is queued; send the request again.`,
    );
  }

  const workerGone = ({ workerId }: Affinity): AppError =>
    new AppError(
      'NOT_FOUND',
      `affinity_worker_gone: there is no worker ${JSON.stringify(workerId)} any more. Send the request without "strict" and to whichever worker is free.`,
    );

  const refuseAll = (group: Group, error: AppError): void => {
    for (const waiter of [...group.waiters]) leave(group, waiter, error);
  };

  return {
    ask(endpointId, affinity, done) {
      const group = groupOf(endpointId);
      const member = pick(group, affinity);
      const lease = member && takes(endpointId, group, member, affinity) ? lend(endpointId, group, member) : null;
      if (lease) {
        done(null, lease);
        return () => undefined;
      }
      const preferred = affinity && group.members.get(affinity.workerId);
      if (affinity?.strict && (!preferred || preferred.retired)) {
        done(workerGone(affinity), none);
        return () => undefined;
      }
      const { workerWaitMs, strictWaitMs } = limits.balancing;
      const waiter: Waiter = {
        affinity,
        since: clock.elapsed(),
        done,
        share: null,
        takesAny: false,
        timeUp: clock.after(affinity?.strict ? strictWaitMs : workerWaitMs, () =>
          leave(group, waiter, timedOut(endpointId, group, affinity)),
        ),
      };
      group.waiters.add(waiter);
      grow(endpointId, group);
      serve(endpointId, group);
      return () => {
        if (forget(group, waiter)) settle(endpointId, group);
      };
    },

    demand(endpointId) {
      const group = groups.get(endpointId);
      if (!group) return { queued: 0, oldestWaitMs: 0, inProgress: 0, lowInProgress: 0 };
      // Who insists on a worker is not helped by another.
      const waiting = [...group.waiters].filter(({ affinity }) => !affinity?.strict);
      // Workers take any number at once. What is beyond their share waits as far as scaling goes.
      const able = [...group.members.values()].filter(mayHave).length;
      const beyond = able === 0 ? 0 : Math.max(0, group.running - able * options.scalerValue(endpointId));
      return {
        queued: waiting.length + beyond,
        oldestWaitMs: waiting[0] ? clock.elapsed() - waiting[0].since : 0,
        inProgress: group.running - beyond,
        lowInProgress: 0,
      };
    },
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
      const member: Member = {
        worker,
        process,
        ports,
        leases: [],
        watch: null,
        ready: false,
        begun: false,
        retired: false,
        lastBusyElapsed: clock.elapsed(),
        turn: 0,
      };
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
          if (ready) serve(endpointId, group);
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
      for (const waiter of [...group.waiters]) {
        const { affinity } = waiter;
        if (affinity?.strict && affinity.workerId === worker.id) leave(group, waiter, workerGone(affinity));
      }
    },
    removeEndpoint(endpointId) {
      const group = groups.get(endpointId);
      if (!group) return;
      refuseAll(group, new AppError('NOT_FOUND', `The endpoint ${JSON.stringify(endpointId)} was deleted.`));
    },
    stop() {
      for (const group of groups.values()) {
        refuseAll(group, new AppError('UNAVAILABLE', 'Hangar stops. Send the request again once it runs.'));
        group.settling?.();
        for (const { watch } of group.members.values()) watch?.stop();
      }
      groups.clear();
    },
  };
}
