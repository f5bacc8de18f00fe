/** How often an account may be asked about an endpoint: within the published rates, and what the service itself says it still allows. */
import { limits } from '#contract/core/limits.ts';
import type { RatedOperation } from '#contract/local/settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { SentRequest } from '../platform/requestObserver.ts';
import { restUntil, type Wakeup } from './wakeup.ts';

export interface RateBucket {
  accountId: string;
  endpointId: string;
}

export interface Budget {
  /** Settles when one more request may be sent, in the order of asking; the answer is called once it is over. Rejects with the signal's reason. */
  take(place: RateBucket, operation: RatedOperation, signal: AbortSignal): Promise<() => void>;
  /** The service has asked for so much rest: nobody asks before. */
  holdOff(place: RateBucket, operation: RatedOperation, ms: number): void;
  /** What an answer of this account says about how much more it allows. */
  applyQuota(accountId: string, allowance: SentRequest['allowance']): void;
}

/** Of what a rate allows, so much is used evenly, and so much at once; the rest is left to the person's own programs. */
const EVENLY = 0.5;
const AT_ONCE = 0.15;
/** Whatever a clock or a service says: after this long one asks again. */
const LONGEST_MS = 60_000;

/** Requests of one kind: the moment from which the next one has its turn, and how many are under way. */
interface Lane {
  nextAt: number;
  blockedUntil: number;
  underWay: number;
  /** Requests that wait for a place, the oldest first; each call gives the place of a request that has ended to this one. */
  waiting: Set<() => void>;
}

export function createBudget(clock: Clock, wakeup: Wakeup): Budget {
  const lanes = new Map<string, Lane>();
  /** What remains of the quota of an account, as its answers tell. */
  const quotas = new Map<string, { gapMs: number; until: number; nextAt: number }>();
  // Moments that were reckoned before the clock jumped mean nothing after it.
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

  /** Books the next turn and answers how long it is until then. */
  function book(lane: Lane, operation: RatedOperation): number {
    const now = clock.now();
    const { requests } = limits.rates.operations[operation];
    const gapMs = limits.rates.windowMs / (EVENLY * requests);
    // A rate of few requests is one after the other: of it nothing may go at once.
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

  /** Settles when the request has its place. Rejects with the signal's reason, and then the request waits no more. */
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
        reject(signal.reason as Error);
      };
      lane.waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  function leave(lane: Lane): void {
    const [next] = lane.waiting;
    // The place goes on from one to the other: between the two it is free for nobody else.
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
      // Checked with the place in hand: the answer that freed it may have asked for the rest.
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
