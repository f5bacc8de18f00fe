/** Rate limits: how many requests one operation of one endpoint accepts in any 10 seconds, and at the same time. */
import { limits } from '#contract/core/limits.ts';
import type { RatedOperation, RateSettings } from '#contract/local/settings.ts';
import type { Cancel, Clock } from '../core/ports.ts';
import { tooManyRequests } from '../core/tooManyRequests.ts';
import { createRequestWindow, type RequestWindow } from './slidingWindow.ts';

const { windowMs } = limits.rates;
const WINDOW_S = windowMs / 1000;
/** The end of a running request is unknown, so clients retry after this time. */
const BUSY_RETRY_MS = 1000;

export interface RateLimitOptions {
  clock: Clock;
  /** The current limits. Called for each request: must be cheap. */
  rates(): RateSettings;
  /**
   * The running workers of the endpoint, idle or busy. Called only once the fixed limit of the operation is reached.
   */
  runningWorkers(endpointId: string): number;
}

export interface RateLimit {
  /**
   * Counts a request, or throws TOO_MANY_REQUESTS. Refused requests consume no quota. Call the returned function once,
   * when the response is finished or its reader is gone. Null while rate limits are disabled.
   */
  enter(endpointId: string, operation: RatedOperation): Leave | null;
  /** Removes the counters of a deleted endpoint. */
  forget(endpointId: string): void;
  /** The memory of all counters, bytes; 0 when the last window had no request. */
  bytes(): number;
  stop(): void;
}

/** All requests of one operation share this function, so that counting allocates nothing. */
export type Leave = () => void;

interface Counter {
  readonly window: RequestWindow;
  active: number;
  readonly leave: Leave;
}

function createCounter(): Counter {
  const counter: Counter = {
    window: createRequestWindow(windowMs),
    active: 0,
    leave() {
      counter.active--;
    },
  };
  return counter;
}

export function createRateLimit({ clock, rates, runningWorkers }: RateLimitOptions): RateLimit {
  const endpoints = new Map<string, Map<RatedOperation, Counter>>();
  let sweeping: Cancel | null = null;

  function counterOf(endpointId: string, operation: RatedOperation): Counter {
    let counters = endpoints.get(endpointId);
    if (!counters) endpoints.set(endpointId, (counters = new Map<RatedOperation, Counter>()));
    let counter = counters.get(operation);
    if (!counter) {
      counters.set(operation, (counter = createCounter()));
      sweepLater();
    }
    return counter;
  }

  // Runs only while something is counted: an idle engine does not wake up.
  function sweepLater(): void {
    sweeping ??= clock.after(windowMs, () => {
      sweeping = null;
      const now = clock.elapsed();
      for (const [endpointId, counters] of endpoints) {
        for (const [operation, { window, active }] of counters) {
          if (active === 0 && window.count(now) === 0) counters.delete(operation);
        }
        if (counters.size === 0) endpoints.delete(endpointId);
      }
      if (endpoints.size > 0) sweepLater();
    });
  }

  function checkConcurrent(operation: RatedOperation, active: number, concurrent: number | null): void {
    if (concurrent === null || active < concurrent) return;
    throw tooManyRequests(
      `/${operation} answers at most ${concurrent} requests of one endpoint at the same time; ${active} are being answered now. ` +
        `Wait for one of them, or raise rates.operations.${operation}.concurrent in the settings.`,
      BUSY_RETRY_MS,
      { operation, limit: concurrent, seen: active },
    );
  }

  function checkRate(endpointId: string, operation: RatedOperation, count: number, window: RequestWindow): void {
    const { requestsPerWorker, operations } = rates();
    const { requests } = operations[operation];
    if (count < requests) return;
    const workers = runningWorkers(endpointId);
    const limit = Math.max(requests, workers * requestsPerWorker);
    if (count < limit) return;
    const retryAfterMs = window.freeInMs(limit, clock.elapsed());
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
    throw tooManyRequests(
      `/${operation} takes at most ${limit} requests of one endpoint in ${WINDOW_S} s (the higher of ${requests} and ` +
        `${requestsPerWorker} for each of ${workers} running workers); ${count} came in the last ${WINDOW_S} s. Try again in ${seconds} s, send fewer, or raise ` +
        `rates.operations.${operation}.requests in the settings.`,
      retryAfterMs,
      { operation, limit, seen: count },
    );
  }

  return {
    enter(endpointId, operation) {
      const { enabled, operations } = rates();
      if (!enabled) return null;
      const counter = counterOf(endpointId, operation);
      const now = clock.elapsed();
      checkConcurrent(operation, counter.active, operations[operation].concurrent);
      checkRate(endpointId, operation, counter.window.count(now), counter.window);
      counter.window.add(now);
      counter.active++;
      return counter.leave;
    },
    forget(endpointId) {
      endpoints.delete(endpointId);
    },
    bytes() {
      let total = 0;
      for (const counters of endpoints.values()) for (const { window } of counters.values()) total += window.bytes();
      return total;
    },
    stop() {
      sweeping?.();
      sweeping = null;
      endpoints.clear();
    },
  };
}
