/**
 * Limits the requests to an endpoint of an account: to the published rates, and to the quota that the service reports.
 */
import { limits } from '#contract/core/limits.ts';
import type { RatedOperation } from '#contract/local/settings.ts';
import { abortReason, type Clock } from '../platform/clock.ts';
import type { SentRequest } from '../platform/requestObserver.ts';
import { restUntil, type Wakeup } from './wakeup.ts';

export interface RateBucket {
  accountId: string;
  endpointId: string;
}

export interface Budget {
  /**
   * Resolves when one more request may be sent, in the order of the calls. The returned function must be called at its
   * end. Rejects with the signal's reason.
   */
  take(place: RateBucket, operation: RatedOperation, signal: AbortSignal): Promise<() => void>;
  /** Blocks requests for this many milliseconds, as the service requested. */
  holdOff(place: RateBucket, operation: RatedOperation, ms: number): void;
  /** Applies the remaining quota in an answer of this account. */
  applyQuota(accountId: string, allowance: SentRequest['allowance']): void;
}

/** Shares of a rate for evenly spaced requests and for bursts. The rest is left to the person's own programs. */
const EVENLY = 0.5;
const AT_ONCE = 0.15;
/** Longest wait, whatever a clock or a service says. */
const LONGEST_MS = 60_000;

/** The state of one operation: the time of its next turn, and the number of running requests. */
interface Lane {
  nextAt: number;
  blockedUntil: number;
  underWay: number;
  /** Requests that wait for a slot, oldest first. A call gives the slot of an ended request to the first one. */
  waiting: Set<() => void>;
}

export function createBudget(clock: Clock, wakeup: Wakeup): Budget {
  const lanes = new Map<string, Lane>();
  /** The remaining quota of each account, from its answers. */
  const quotas = new Map<string, { gapMs: number; until: number; nextAt: number }>();
  // Times from before a jump of the clock are invalid.
  wakeup.on(() => {
    quotas.clear();
    for (const lane of lanes.values()) lane.nextAt = lane.blockedUntil = 0;
  });

  const laneOf = ({ accountId, endpointId }: RateBucket, operation: RatedOperation): Lane => {
    const key = `${accountId}/${endpointId}/${operation}`;
    const lane = lanes.get(key) ?? { nextAt: 0, blockedUntil: 0, underWay: 0, waiting: new Set() };
    lanes.set(key, lane);
    return lane;
  };

  /** Books the next turn and returns the delay until then, in milliseconds. */
  function book(lane: Lane, operation: RatedOperation): number {
    const now = clock.now();
    const { requests } = limits.rates.operations[operation];
    const gapMs = limits.rates.windowMs / (EVENLY * requests);
    // A small rate allows only one request after the other, without a burst.
    const headstartMs = Math.max(0, Math.floor(AT_ONCE * requests) - 1) * gapMs;
    const at = Math.max(now, lane.nextAt - headstartMs);
    lane.nextAt = Math.max(now, lane.nextAt) + gapMs;
    return at - now;
  }

  function bookQuota(accountId: string): number {
    const now = clock.now();
    const quota = quotas.get(accountId);
    if (!quota || quota.until <= now) return 0;
    const at = Math.max(now, quota.nextAt);
    quota.nextAt = at + quota.gapMs;
    return at - now;
  }

  /** Resolves when the request has its slot. Rejects with the signal's reason; the request then leaves the queue. */
  async function enter(lane: Lane, most: number, signal: AbortSignal): Promise<void> {
    if (lane.underWay < most) {
      lane.underWay += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        lane.waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        lane.waiting.delete(begin);
        reject(abortReason(signal));
      };
      lane.waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  function leave(lane: Lane): void {
    const [next] = lane.waiting;
    // The slot passes directly to the next request, so that no other one can take it.
    if (next) next();
    else lane.underWay -= 1;
  }

  return {
    async take(place, operation, signal) {
      const lane = laneOf(place, operation);
      const { concurrent } = limits.rates.operations[operation];
      const waitMs = Math.max(book(lane, operation), bookQuota(place.accountId));
      if (waitMs > 0) await restUntil(clock, Math.min(waitMs, LONGEST_MS), signal, wakeup);
      signal.throwIfAborted();
      const most = concurrent === null ? Infinity : Math.max(1, Math.floor((EVENLY + AT_ONCE) * concurrent));
      await enter(lane, most, signal);
      let over = false;
      const end = (): void => {
        if (over) return;
        over = true;
        leave(lane);
      };
      // Checked with the slot taken: the answer that freed it may have requested a pause.
      while (lane.blockedUntil > clock.now() && !signal.aborted) {
        await restUntil(clock, Math.min(lane.blockedUntil - clock.now(), LONGEST_MS), signal, wakeup);
      }
      if (!signal.aborted) return end;
      end();
      throw signal.reason;
    },
    holdOff(place, operation, ms) {
      const lane = laneOf(place, operation);
      lane.blockedUntil = Math.max(lane.blockedUntil, clock.now() + Math.min(ms, LONGEST_MS));
    },
    applyQuota(accountId, allowance) {
      if (allowance === null) return;
      const { remaining, resetMs } = allowance;
      const now = clock.now();
      const gapMs = resetMs / Math.max(1, remaining);
      const before = quotas.get(accountId);
      quotas.set(accountId, {
        gapMs,
        until: now + resetMs,
        nextAt: remaining === 0 ? now + resetMs : Math.max(now, Math.min(before?.nextAt ?? now, now + gapMs)),
      });
    },
  };
}
