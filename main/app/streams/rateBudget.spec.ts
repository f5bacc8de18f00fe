/** Rules of how many requests an account gets, and when: in fake time, with the published rates. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RatedOperation } from '#contract/local/settings.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/core/fakeClock.ts';
import { createBudget, type Budget, type RateBucket } from './rateBudget.ts';
import { createWakeup, type Wakeup } from './wakeup.ts';

const STEP_MS = 50;
const PLACE: RateBucket = { accountId: 'a', endpointId: 'ep' };

/** One request that asks for its turn. */
interface Request {
  /** Milliseconds since the start of the test; null while it waits. */
  grantedAt: number | null;
  /** Why it gets no turn; null while it may still get one. */
  error: unknown;
  end(): void;
  abort(reason: Error): void;
}

let clock: FakeClock;
let wakeup: Wakeup;
let budget: Budget;
let startedAt: number;
let requests: Request[];
beforeEach(() => {
  clock = createFakeClock();
  wakeup = createWakeup();
  budget = createBudget(clock, wakeup);
  startedAt = clock.now();
  requests = [];
});
afterEach(async () => {
  for (const request of requests) request.abort(new Error('The test is over.'));
  await turn();
  // A request that is aborted leaves no timer behind.
  expect(clock.pending()).toBe(0);
});

function ask(operation: RatedOperation, place: RateBucket = PLACE, aborting = new AbortController()): Request {
  let release = (): void => undefined;
  const request: Request = {
    grantedAt: null,
    error: null,
    end: () => release(),
    abort: (reason) => aborting.abort(reason),
  };
  requests.push(request);
  budget.take(place, operation, aborting.signal).then(
    (granted) => {
      release = granted;
      request.grantedAt = clock.now() - startedAt;
    },
    (thrown: unknown) => (request.error = thrown),
  );
  return request;
}

/** Lets fake time pass; `isShort` ends every request as soon as it is granted. */
async function pass(ms: number, isShort = false): Promise<void> {
  const settle = async (): Promise<void> => {
    await turn();
    if (!isShort) return;
    for (const request of requests) request.end();
    await turn();
  };
  await settle();
  for (let left = ms; left > 0; left -= STEP_MS) {
    clock.advance(Math.min(left, STEP_MS));
    await settle();
  }
}

const askOften = (count: number, operation: RatedOperation): Request[] =>
  Array.from({ length: count }, () => ask(operation));
const grants = (of: Request[]): (number | null)[] => of.map(({ grantedAt }) => grantedAt);

describe('the rate of an operation', () => {
  it.each([
    // 10 requests in 10 s.
    ['requests', [0, 2000, 4000]],
    // 2 requests in 10 s.
    ['purge-queue', [0, 10_000, 20_000]],
  ] as const)('of few requests gives one turn after the other, at half of what is published: %s', async (name, at) => {
    const waiters = askOften(3, name);
    await pass(30_000, true);
    expect(grants(waiters)).toEqual(at);
  });

  it('of many requests gives 15 % of them at once and the others evenly', async () => {
    const waiters = askOften(18, 'cancel');
    await pass(1000, true);
    expect(grants(waiters)).toEqual([...Array<number>(15).fill(0), 200, 400, 600]);
  });

  it('gives no more at once after a long rest', async () => {
    askOften(1, 'cancel');
    await pass(60_000, true);
    const waiters = askOften(17, 'cancel');
    await pass(1000, true);
    expect(grants(waiters)).toEqual([...Array<number>(15).fill(60_000), 60_200, 60_400]);
  });

  it('is counted for each account, endpoint and operation', async () => {
    const waiters = [
      ask('requests'),
      ask('requests', { accountId: 'b', endpointId: 'ep' }),
      ask('requests', { accountId: 'a', endpointId: 'other' }),
      ask('purge-queue'),
    ];
    await pass(0);
    expect(grants(waiters)).toEqual([0, 0, 0, 0]);
  });

  it('gives a request that is aborted no turn, and the next one its own', async () => {
    const [, second, third] = askOften(3, 'purge-queue');
    const reason = new Error('The job was removed.');
    second?.abort(reason);
    await pass(0);
    expect(second?.error).toBe(reason);
    await pass(20_000, true);
    expect(second?.grantedAt).toBeNull();
    expect(third?.grantedAt).toBe(20_000);
  });
});

describe('the number of requests at the same time', () => {
  it('is 65 % of what is published: one that ends makes room for the first that waits', async () => {
    const waiters = askOften(15, 'cancel');
    await pass(1000);
    expect(grants(waiters)).toEqual([...Array<number>(13).fill(0), null, null]);
    waiters[5]?.end();
    await pass(0);
    expect(grants(waiters.slice(13))).toEqual([1000, null]);
    waiters[0]?.end();
    await pass(0);
    expect(grants(waiters.slice(13))).toEqual([1000, 1000]);
  });

  it('is one where 65 % would be less than two', async () => {
    const [first, second] = askOften(2, 'requests');
    await pass(5000);
    expect([first?.grantedAt, second?.grantedAt]).toEqual([0, null]);
    first?.end();
    await pass(0);
    expect(second?.grantedAt).toBe(5000);
  });

  it('has no bound where none is published', async () => {
    const waiters = askOften(3, 'purge-queue');
    await pass(20_000);
    expect(grants(waiters)).toEqual([0, 10_000, 20_000]);
  });

  it('grows by one where a request says twice that it has ended', async () => {
    const [first, ...others] = askOften(4, 'requests');
    await pass(10_000);
    first?.end();
    first?.end();
    await pass(0);
    expect(grants(others)).toEqual([10_000, null, null]);
    first?.end();
    await pass(0);
    expect(grants(others)).toEqual([10_000, null, null]);
  });

  it('gives the place of a request that was aborted while it waited to the next one', async () => {
    const [first, second, third] = askOften(3, 'requests');
    await pass(5000);
    const reason = new Error('The job was removed.');
    second?.abort(reason);
    await pass(0);
    expect(second?.error).toBe(reason);
    first?.end();
    await pass(0);
    expect(third?.grantedAt).toBe(5000);
  });

  it('goes to the one that waits, not to one that asks as the place becomes free', async () => {
    const [first, second] = askOften(2, 'requests');
    await pass(10_000);
    first?.end();
    const third = ask('requests');
    await pass(0);
    expect([second?.grantedAt, third.grantedAt]).toEqual([10_000, null]);
    second?.end();
    await pass(0);
    expect(third.grantedAt).toBe(10_000);
  });

  it('loses nothing by a request that is aborted as the place becomes its own', async () => {
    const [first, second, third] = askOften(3, 'requests');
    await pass(10_000);
    const reason = new Error('The job was removed.');
    first?.end();
    second?.abort(reason);
    await pass(0);
    expect(second?.error).toBe(reason);
    expect(third?.grantedAt).toBe(10_000);
  });

  it.each([
    ['a free place', true],
    ['a place that another one has', false],
  ])('loses nothing by a request whose signal was aborted before it asks for %s', async (_, isFree) => {
    const first = ask('requests');
    await pass(2000, isFree);
    const reason = new Error('The app stops.');
    const aborting = new AbortController();
    aborting.abort(reason);
    const late = ask('requests', PLACE, aborting);
    await pass(0);
    expect(late.error).toBe(reason);
    const next = ask('requests');
    await pass(2000, isFree);
    first.end();
    await pass(0);
    expect(next.grantedAt).toBe(4000);
  });
});

describe('a service that asks for a rest', () => {
  it('gets it, for the operation and the endpoint that it names', async () => {
    budget.holdOff(PLACE, 'status', 7000);
    const waiters = [
      ask('status'),
      ask('status'),
      ask('stream'),
      ask('status', { accountId: 'a', endpointId: 'other' }),
    ];
    await pass(10_000);
    expect(grants(waiters)).toEqual([7000, 7000, 0, 0]);
  });

  it('gets the longest one that it has asked for, and no more than a minute', async () => {
    budget.holdOff(PLACE, 'status', 7000);
    budget.holdOff(PLACE, 'status', 1000);
    budget.holdOff(PLACE, 'stream', 86_400_000);
    const waiters = [ask('status'), ask('stream')];
    await pass(70_000);
    expect(grants(waiters)).toEqual([7000, 60_000]);
  });

  it('gets what it adds while requests wait for the end of it', async () => {
    budget.holdOff(PLACE, 'status', 2000);
    const waiters = ask('status');
    await pass(1000);
    budget.holdOff(PLACE, 'status', 5000);
    await pass(10_000);
    expect(waiters.grantedAt).toBe(6000);
  });

  it('gets it also from requests that wait for the place of the one which was answered so', async () => {
    const [first, second] = askOften(2, 'requests');
    await pass(5000);
    budget.holdOff(PLACE, 'requests', 7000);
    first?.end();
    await pass(10_000);
    expect(second?.grantedAt).toBe(12_000);
  });

  it('holds no request that is aborted meanwhile, nor its place', async () => {
    budget.holdOff(PLACE, 'requests', 7000);
    const [first, second] = askOften(2, 'requests');
    await pass(3000);
    const reason = new Error('The job was removed.');
    first?.abort(reason);
    await pass(0);
    expect(first?.error).toBe(reason);
    await pass(10_000);
    expect(second?.grantedAt).toBe(7000);
  });
});

describe('a quota that answers tell of', () => {
  it('of 0 lets nothing through until it is renewed, and then everything', async () => {
    budget.applyQuota('a', { remaining: 0, resetMs: 5000 });
    const early = ask('status');
    await pass(5000);
    const late = [ask('status'), ask('status')];
    await pass(0);
    expect(grants([early, ...late])).toEqual([5000, 5000, 5000]);
  });

  it('of 0 lets those who wait for its end through one after the other', async () => {
    budget.applyQuota('a', { remaining: 0, resetMs: 5000 });
    const waiters = askOften(3, 'status');
    await pass(20_000);
    expect(grants(waiters)).toEqual([5000, 10_000, 15_000]);
  });

  it.each([
    ['1', 1, [0, 5000, 10_000]],
    ['2', 2, [0, 2500, 5000]],
    ['10', 10, [0, 500, 1000]],
  ])('of %s is spread over the time until it is renewed', async (_, remaining, at) => {
    budget.applyQuota('a', { remaining, resetMs: 5000 });
    const waiters = askOften(3, 'status');
    await pass(10_000);
    expect(grants(waiters)).toEqual(at);
  });

  it('is one for all operations and endpoints of the account, and of no other account', async () => {
    budget.applyQuota('a', { remaining: 5, resetMs: 5000 });
    const waiters = [
      ask('status'),
      ask('stream'),
      ask('status', { accountId: 'a', endpointId: 'other' }),
      ask('status', { accountId: 'b', endpointId: 'ep' }),
    ];
    await pass(5000);
    expect(grants(waiters)).toEqual([0, 1000, 2000, 0]);
  });

  it('is not begun anew by each answer that tells of it', async () => {
    budget.applyQuota('a', { remaining: 5, resetMs: 5000 });
    const first = ask('status');
    budget.applyQuota('a', { remaining: 4, resetMs: 5000 });
    const second = ask('status');
    budget.applyQuota('a', null);
    const third = ask('status');
    await pass(5000);
    expect(grants([first, second, third])).toEqual([0, 1000, 2250]);
  });

  it('that has become larger is used at once', async () => {
    budget.applyQuota('a', { remaining: 0, resetMs: 50_000 });
    budget.applyQuota('a', { remaining: 10, resetMs: 5000 });
    const waiters = askOften(2, 'status');
    await pass(5000);
    expect(grants(waiters)).toEqual([500, 1000]);
  });

  it('waits its turn from now where the last one was long ago', async () => {
    budget.applyQuota('a', { remaining: 10, resetMs: 60_000 });
    await pass(30_000);
    const waiters = askOften(2, 'status');
    await pass(10_000);
    expect(grants(waiters)).toEqual([30_000, 36_000]);
  });

  it('is not waited for longer than a minute', async () => {
    budget.applyQuota('a', { remaining: 0, resetMs: 86_400_000 });
    const waiters = ask('status');
    await pass(70_000);
    expect(waiters.grantedAt).toBe(60_000);
  });

  it('bounds nothing where answers tell of none', async () => {
    budget.applyQuota('a', null);
    const waiters = askOften(3, 'status');
    await pass(0);
    expect(grants(waiters)).toEqual([0, 0, 0]);
  });
});

describe('a wake-up', () => {
  it('ends the wait for a quota, a rest and a turn, and none of them is left for those who ask next', async () => {
    const operations = ['status', 'stream', 'purge-queue'] as const;
    budget.applyQuota('a', { remaining: 0, resetMs: 50_000 });
    budget.holdOff(PLACE, 'stream', 50_000);
    const waiting = operations.map((operation) => ask(operation));
    await pass(1000);
    expect(grants(waiting)).toEqual([null, null, null]);
    wakeup.ring();
    const next = operations.map((operation) => ask(operation));
    await pass(0);
    expect(grants(waiting)).toEqual([1000, 1000, 1000]);
    expect(grants(next)).toEqual([1000, 1000, 1000]);
  });

  it('frees no place that a request still has', async () => {
    const [, second] = askOften(2, 'requests');
    await pass(5000);
    wakeup.ring();
    await pass(1000);
    expect(second?.grantedAt).toBeNull();
  });
});
