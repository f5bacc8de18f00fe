import { describe, expect, test } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { defaultSettings, ratedOperations, type RatedOperation, type RateSettings } from '#contract/local/settings.ts';
import { createFakeClock } from '../../../../test/support/core/fakes.ts';
import { createRateLimit } from './rateLimit.ts';

function limiter(changes: Partial<RateSettings> = {}) {
  const clock = createFakeClock();
  const state = { rates: { ...defaultSettings.rates, ...changes }, workers: 0 };
  const rateLimit = createRateLimit({ clock, rates: () => state.rates, runningWorkers: () => state.workers });
  return {
    clock,
    state,
    rateLimit,
    /** Sends `count` requests that are answered at once; how many were let in. */
    send(count: number, operation: RatedOperation = 'run', endpointId = 'e'): number {
      let admitted = 0;
      for (let sent = 0; sent < count; sent++) {
        try {
          rateLimit.enter(endpointId, operation)?.();
          admitted++;
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'TOO_MANY_REQUESTS') throw error;
        }
      }
      return admitted;
    },
    refusal(operation: RatedOperation = 'run', endpointId = 'e'): AppError {
      try {
        rateLimit.enter(endpointId, operation);
      } catch (error) {
        if (error instanceof AppError) return error;
      }
      throw new Error('not refused');
    },
  };
}

const only = (requests: number, concurrent: number | null = null) => ({
  operations: { ...defaultSettings.rates.operations, run: { requests, concurrent } },
});

describe('the rate of an operation', () => {
  test.each(ratedOperations)('fault 25: /%s takes exactly its number in 10 s, and not one more', (operation) => {
    const { send } = limiter();
    const { requests } = limits.rates.operations[operation];
    expect(send(requests + 10, operation)).toBe(requests);
  });

  test('fault 25: endpoints and operations are counted apart', () => {
    const { send } = limiter();
    expect(send(1001, 'run', 'a')).toBe(1000);
    expect(send(1001, 'run', 'b')).toBe(1000);
    expect(send(101, 'cancel', 'a')).toBe(100);
  });

  test('fault 25: a place is free again exactly 10 s after the request that held it, not a millisecond sooner', () => {
    const { send, clock } = limiter(only(2));
    expect(send(1)).toBe(1);
    clock.advance(4000);
    expect(send(2)).toBe(1);
    clock.advance(5999);
    expect(send(1)).toBe(0);
    clock.advance(1);
    expect(send(2)).toBe(1);
    clock.advance(3999);
    expect(send(1)).toBe(0);
    clock.advance(1);
    expect(send(1)).toBe(1);
  });

  test('fault 25: in no window of 10 s, wherever it begins, more than the limit are let in', () => {
    const { send, clock } = limiter(only(7));
    const admittedAt: number[] = [];
    for (let step = 0; step < 3000; step++) {
      if (send(1) === 1) admittedAt.push(clock.now());
      clock.advance((step * 7919) % 211);
    }
    admittedAt.forEach((at, index) => {
      expect((admittedAt[index + 7] ?? Infinity) - at).toBeGreaterThanOrEqual(10_000);
    });
    expect(admittedAt.length).toBeGreaterThan(150);
  });

  test('fault 25: refused requests take no place, so that a storm does not lock its sender out', () => {
    const { send, clock } = limiter(only(3));
    expect(send(3)).toBe(3);
    for (let ms = 0; ms < 9_999; ms += 1111) {
      expect(send(100)).toBe(0);
      clock.advance(1111);
    }
    clock.advance(1);
    expect(send(100)).toBe(3);
  });

  test('fault 25: a jump of the wall clock inside a window neither frees nor takes places', () => {
    const clock = createFakeClock();
    let jumpMs = 0;
    const rateLimit = createRateLimit({
      clock: { ...clock, now: () => clock.now() + jumpMs },
      rates: () => ({ ...defaultSettings.rates, ...only(1) }),
      runningWorkers: () => 0,
    });
    rateLimit.enter('e', 'run')?.();
    for (const jump of [-86_400_000, 86_400_000, 10_000]) {
      jumpMs = jump;
      expect(() => rateLimit.enter('e', 'run')).toThrow(AppError);
    }
    jumpMs = -86_400_000;
    clock.advance(10_000);
    rateLimit.enter('e', 'run')?.();
  });

  test('the refusal names operation, limit, what was seen and what to do, and says when the oldest leaves', () => {
    const { send, clock, refusal } = limiter();
    send(400);
    clock.advance(2500);
    send(600);
    const error = refusal();
    expect(error.message).toMatch(/\/run takes at most 1000 requests/);
    expect(error.message).toMatch(/1000 came in the last 10 s/);
    expect(error.message).toMatch(/rates\.operations\.run\.requests/);
    expect(error.message).toMatch(/Try again in 8 s/);
    expect(error.retryAfterMs).toBe(7500);
  });

  test('with many running workers the limit is theirs, as soon as that is higher', () => {
    const { send, state, clock } = limiter();
    state.workers = 20;
    expect(send(1100)).toBe(1000);
    state.workers = 21;
    expect(send(1100)).toBe(50);
    state.workers = 0;
    expect(send(1)).toBe(0);
    // More were let in than the limit that holds now allows: the wait is until enough of them have left.
    clock.advance(9_999);
    expect(send(1)).toBe(0);
    clock.advance(1);
    expect(send(2000)).toBe(1000);
  });

  test('a limit that was lowered waits until enough of the older requests have left', () => {
    const { send, state, clock, refusal } = limiter(only(5));
    for (let each = 0; each < 5; each++) {
      send(1);
      clock.advance(1000);
    }
    state.rates = { ...state.rates, ...only(2) };
    expect(refusal().retryAfterMs).toBe(8000);
    clock.advance(7999);
    expect(send(1)).toBe(0);
    clock.advance(1);
    expect(send(1)).toBe(1);
  });

  test('a limit that was raised takes effect with the next request', () => {
    const { send, state } = limiter(only(5));
    expect(send(9)).toBe(5);
    state.rates = { ...state.rates, ...only(8) };
    expect(send(9)).toBe(3);
  });

  test('switched off, nothing is counted and nothing refused', () => {
    const { send, rateLimit } = limiter({ enabled: false, ...only(1, 1) });
    expect(rateLimit.enter('e', 'run')).toBeNull();
    expect(send(5000)).toBe(5000);
    expect(rateLimit.bytes()).toBe(0);
  });
});

describe('the concurrency of an operation', () => {
  test.each(ratedOperations.filter((name) => limits.rates.operations[name].concurrent !== null))(
    'fault 25: /%s answers exactly its number at the same time',
    (operation) => {
      const { rateLimit, refusal } = limiter();
      const { concurrent } = limits.rates.operations[operation];
      const leaving = Array.from({ length: concurrent ?? 0 }, () => rateLimit.enter('e', operation));
      const error = refusal(operation);
      expect(error.message).toContain(`/${operation} answers at most ${concurrent} requests`);
      expect(error.message).toContain(`rates.operations.${operation}.concurrent`);
      expect(error.retryAfterMs).toBe(1000);
      rateLimit.enter('other', operation);
      leaving[0]?.();
      rateLimit.enter('e', operation);
      expect(refusal(operation).code).toBe('TOO_MANY_REQUESTS');
    },
  );

  test('/purge-queue has none', () => {
    const { rateLimit } = limiter();
    rateLimit.enter('e', 'purge-queue');
    rateLimit.enter('e', 'purge-queue');
    expect(() => rateLimit.enter('e', 'purge-queue')).toThrow(/at most 2 requests of one endpoint in 10 s/);
  });

  test('a request that is answered for longer than the window still counts as one', () => {
    const { rateLimit, clock, send } = limiter(only(10, 1));
    const leave = rateLimit.enter('e', 'run');
    clock.advance(60_000);
    expect(send(1)).toBe(0);
    leave?.();
    expect(send(1)).toBe(1);
  });
});

describe('the memory of counting', () => {
  test('fault 25: follows the traffic of the last window, is bounded by the limit, and is given back', () => {
    const { send, clock, rateLimit } = limiter(only(60_001));
    expect(rateLimit.bytes()).toBe(0);
    expect(send(60_000)).toBe(60_000);
    expect(rateLimit.bytes()).toBeLessThanOrEqual(2 * 8 * 60_000);
    clock.advance(9_999);
    expect(send(100)).toBe(1);
    clock.advance(1);
    expect(send(1)).toBe(1);
    // A trickle after a flood: the ring halves with each request.
    for (let each = 0; each < 20; each++) {
      clock.advance(1000);
      send(1);
    }
    expect(rateLimit.bytes()).toBeLessThanOrEqual(4 * 8 * 16);
    clock.advance(20_000);
    expect(rateLimit.bytes()).toBe(0);
    expect(clock.pending()).toBe(0);
  });

  test('fault 25: a storm of refusals holds no more than what was let in', () => {
    const { send, rateLimit } = limiter();
    send(1000, 'run');
    const before = rateLimit.bytes();
    send(10_000, 'run');
    expect(rateLimit.bytes()).toBe(before);
  });

  test('what an endpoint held is given back when the endpoint is deleted, though requests to it are still answered', () => {
    const { rateLimit } = limiter();
    const leave = rateLimit.enter('e', 'run');
    rateLimit.forget('e');
    expect(rateLimit.bytes()).toBe(0);
    leave?.();
  });

  test('a request that is still being answered keeps its count past the window', () => {
    const { rateLimit, clock } = limiter();
    const leave = rateLimit.enter('e', 'run');
    clock.advance(50_000);
    expect(rateLimit.bytes()).toBeGreaterThan(0);
    leave?.();
    clock.advance(10_000);
    expect(rateLimit.bytes()).toBe(0);
    expect(clock.pending()).toBe(0);
  });

  test('no timer is left after stop', () => {
    const { send, clock, rateLimit } = limiter();
    send(1);
    rateLimit.stop();
    expect(clock.pending()).toBe(0);
  });
});
