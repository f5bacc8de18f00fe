/** The workers of one load-balancing endpoint, and the requests that wait for a worker. */
import type { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Affinity } from './affinity.ts';
import { isAvailable, lendMember, mayGrow, pickMember, type Lease, type Member } from './member.ts';
import { waitTimedOut, workerGone } from './refusals.ts';
import type { Demand } from '../autoscaling/demand.ts';
import type { Cancel, Clock } from '../core/ports.ts';

/** Receives the error or the worker of a request. */
export type AskCallback = (...outcome: [error: AppError, lease: null] | [error: null, lease: Lease]) => void;

export interface GroupOptions {
  clock: Clock;
  /** The number of requests that one worker should have at the same time. */
  scalerValue(endpointId: string): number;
  /** The maximum number of workers. */
  workersMax(endpointId: string): number;
  /** The demand has changed. Called often. */
  onDemand(endpointId: string): void;
  /** Why an endpoint has no workers, for a person; null without an obstacle. */
  trouble(endpointId: string): string | null;
}

export interface Group {
  /** By worker id. */
  readonly members: Map<string, Member>;
  /** See `ask` of the balancer. */
  ask(affinity: Affinity | null, done: AskCallback): Cancel;
  demand(): Demand;
  /** Assigns waiting requests to workers that are ready. */
  serve(): void;
  /** Refuses the requests that require this worker: it has ended. */
  refuseStrict(workerId: string): void;
  /** Refuses all waiting requests. */
  refuseAll(error: AppError): void;
  /** Reports no more demand. */
  stop(): void;
}

interface Waiter {
  readonly affinity: Affinity | null;
  readonly since: number;
  readonly done: AskCallback;
  readonly timeUp: Cancel;
  /** The timer of a request that waits for a less busy worker although others are ready. */
  share: Cancel | null;
  /** Whether that wait is over, so that the request accepts any worker. */
  takesAny: boolean;
}

/** How late a decrease of requests is reported, milliseconds: a worker is not idle between two requests in a row. */
const SETTLE_MS = 500;

/** Reports an increase of requests at once, and a decrease after a while. `count`: the current number of requests. */
function createDemandSignal(clock: Clock, count: () => number, onDemand: () => void) {
  /** The maximum number of requests since the last reported decrease. */
  let reported = 0;
  let timer: Cancel | null = null;
  return {
    /** Call this when there are more requests. */
    grow() {
      const total = count();
      if (total <= reported) return;
      reported = total;
      onDemand();
    },
    /** Call this when there are fewer requests. */
    settle() {
      timer ??= clock.after(SETTLE_MS, () => {
        timer = null;
        reported = count();
        onDemand();
      });
    },
    stop: () => timer?.(),
  };
}

/** `share`: the number of requests that the available workers should have together; 0 where no worker is available. */
function demandOf(waiters: readonly Waiter[], running: number, share: number, now: number): Demand {
  // A new worker does not help a request that requires one specific worker.
  const waiting = waiters.filter(({ affinity }) => !affinity?.strict);
  // A worker accepts any number of requests. For scaling, the requests above its share count as waiting.
  const beyond = share === 0 ? 0 : Math.max(0, running - share);
  return {
    queued: waiting.length + beyond,
    oldestWaitMs: waiting[0] ? now - waiting[0].since : 0,
    inProgress: running - beyond,
    lowInProgress: 0,
  };
}

export function createGroup(endpointId: string, options: GroupOptions): Group {
  const { clock } = options;
  const members = new Map<string, Member>();
  /** Oldest first. */
  const waiters = new Set<Waiter>();
  let running = 0;
  let turns = 0;
  const signal = createDemandSignal(
    clock,
    () => running + waiters.size,
    () => options.onDemand(endpointId),
  );

  function lend(member: Member): Lease | null {
    const address = member.process.reach?.(member.ports.port) ?? null;
    if (address === null) return null;
    member.turn = ++turns;
    running++;
    const lease = lendMember(member, address, () => {
      running--;
      member.lastBusyElapsed = clock.elapsed();
      signal.settle();
      serve();
    });
    signal.grow();
    return lease;
  }

  /** Whether a request takes this worker, or waits a while for a less busy one. */
  function takes(member: Member, affinity: Affinity | null): boolean {
    if (affinity?.workerId === member.worker.id || member.leases.length < options.scalerValue(endpointId)) return true;
    return !mayGrow(members, options.workersMax(endpointId)) || options.trouble(endpointId) !== null;
  }

  function serve(): void {
    for (const waiter of [...waiters]) {
      const member = pickMember(members, waiter.affinity);
      if (member === null) continue;
      if (waiter.takesAny || takes(member, waiter.affinity)) {
        const lease = lend(member);
        if (lease && forget(waiter)) waiter.done(null, lease);
      } else {
        waiter.share ??= clock.after(limits.balancing.shareWaitMs, () => {
          waiter.takesAny = true;
          serve();
        });
      }
    }
  }

  /** Returns false where the request does not wait any more. */
  function forget(waiter: Waiter): boolean {
    if (!waiters.delete(waiter)) return false;
    waiter.timeUp();
    waiter.share?.();
    return true;
  }

  function refuse(waiter: Waiter, error: AppError): void {
    if (forget(waiter)) waiter.done(error, null);
  }

  return {
    members,
    serve,
    ask(affinity, done) {
      const member = pickMember(members, affinity);
      const lease = member && takes(member, affinity) ? lend(member) : null;
      if (lease) {
        done(null, lease);
        return () => undefined;
      }
      const preferred = affinity && members.get(affinity.workerId);
      if (affinity?.strict && (!preferred || preferred.retired)) {
        done(workerGone(affinity), null);
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
          refuse(
            waiter,
            waitTimedOut(affinity, members, () => options.trouble(endpointId)),
          ),
        ),
      };
      waiters.add(waiter);
      signal.grow();
      serve();
      return () => {
        if (forget(waiter)) signal.settle();
      };
    },
    demand() {
      const available = [...members.values()].filter(isAvailable).length;
      return demandOf([...waiters], running, available * options.scalerValue(endpointId), clock.elapsed());
    },
    refuseStrict(workerId) {
      for (const waiter of [...waiters]) {
        const { affinity } = waiter;
        if (affinity?.strict && affinity.workerId === workerId) refuse(waiter, workerGone(affinity));
      }
    },
    refuseAll(error) {
      for (const waiter of [...waiters]) refuse(waiter, error);
    },
    stop: () => signal.stop(),
  };
}
