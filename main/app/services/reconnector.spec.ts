/** Rules of looking whether accounts that are away are back: real states and gates, fake time, questions that the test answers. */
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/core/fakeClock.ts';
import type { StoredAccount } from '../accounts/accountFile.ts';
import { createAccountRepository, type AccountRepository } from '../accounts/repository.ts';
import { createComebacks, type Comebacks } from './reconnector.ts';
import { createCircuitBreaker, type CircuitBreaker } from '../streams/circuitBreaker.ts';
import { createWakeup, type Wakeup } from '../streams/wakeup.ts';

const address = 'https://a.example';
const account = (id: string): StoredAccount => ({
  id,
  name: id,
  kind: 'cloud',
  dialect: 'v2',
  addedAt: 1,
  lastUsedAt: null,
  probedAt: 1,
  lacks: [],
  addresses: { jobs: address, management: address, graphql: null },
  capabilities: ['jobs', 'management'],
  key: { fingerprint: 'abc', last4: '1234', addedAt: 1, keptIn: 'keychain' },
});
const unreached = new AppError('UNAVAILABLE', 'Cannot reach Work.');
const down = new AppError('UNAVAILABLE', 'Down for maintenance.', { details: { status: 503 } });

let clock: FakeClock;
let kept: AccountRepository;
let wakeup: Wakeup;
let reach: CircuitBreaker;
let comebacks: Comebacks;
/** When which account was asked. */
let asked: { id: string; at: number }[];
/** What is answered: nothing at all, an error, or that all is well. */
let answer: AppError | 'hangs' | null;

beforeEach(() => {
  clock = createFakeClock();
  asked = [];
  answer = unreached;
  kept = createAccountRepository(
    { accounts: [account('a'), account('b')], notice: null, write: () => undefined },
    clock,
  );
  wakeup = createWakeup();
  reach = createCircuitBreaker(clock, () => 0, wakeup);
  comebacks = createComebacks({
    repository: kept,
    reach,
    clock,
    logger: pino({ level: 'silent' }),
    async ask({ id }) {
      asked.push({ id, at: clock.now() });
      // As what is sent tells how it went.
      if (answer === 'hangs') await new Promise(() => undefined);
      else if (answer === null) kept.answered(id);
      else {
        kept.failed(id, answer);
        throw answer;
      }
    },
  });
});
afterEach(async () => {
  await comebacks.stop();
  reach.stop();
  kept.stop();
  expect(clock.pending()).toBe(0);
});

async function pass(ms: number, stepMs = 100): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    await turn();
    clock.advance(Math.min(left, stepMs));
  }
  await turn();
}

describe('an account that cannot be reached', () => {
  it('is asked again by itself, ever later, says when, and is there again without anybody asking', async () => {
    kept.failed('a', unreached);
    const { nextTryAt } = kept.find('a')!;
    expect(nextTryAt).toBe(clock.now() + 200);
    await pass(3 * 60_000);
    const gaps = asked.slice(1).map(({ at }, index) => at - asked[index]!.at);
    expect(gaps.slice(0, 6)).toEqual([500, 1000, 2000, 5000, 10_000, 15_000]);
    expect(new Set(gaps.slice(6))).toEqual(new Set([15_000]));
    expect(kept.find('a')).toMatchObject({ state: 'offline', nextTryAt: asked.at(-1)!.at + 15_000 });
    answer = null;
    await pass(15_000);
    expect(kept.find('a')).toMatchObject({ state: 'ok', nextTryAt: null });
    const before = asked.length;
    await pass(60_000);
    expect(asked).toHaveLength(before);
  });

  it('is asked by one at a time, whoever waits for it, and all who wait go on once it is back', async () => {
    kept.failed('a', unreached);
    const readers = Promise.all([1, 2, 3].map(() => reach.enter('a', new AbortController().signal)));
    answer = 'hangs';
    await pass(60_000);
    expect(asked).toHaveLength(1);
    kept.answered('a');
    await readers;
    expect(reach.trouble('a')).toBeNull();
  });

  it('is asked at once after a sleep', async () => {
    kept.failed('a', unreached);
    await pass(60_000);
    const before = asked.length;
    await pass(1000);
    expect(asked).toHaveLength(before);
    wakeup.ring();
    await turn();
    expect(asked).toHaveLength(before + 1);
  });

  it('is not asked any more once it was removed, or once its key is refused or locked away', async () => {
    kept.failed('a', unreached);
    kept.failed('b', unreached);
    kept.remove('a');
    kept.failed('b', new AppError('SECRETS_UNAVAILABLE', 'Unlock it.'));
    await pass(60_000);
    expect(asked).toEqual([]);
    kept.failed('b', unreached);
    answer = new AppError('UNAUTHORIZED', 'Not this key.', { details: { status: 401 } });
    await pass(60_000);
    expect(asked).toHaveLength(1);
    expect(kept.find('b')).toMatchObject({ state: 'refused' });
  });

  it('leaves alone the others, and those that nobody has asked anything', async () => {
    kept.failed('a', unreached);
    await pass(60_000);
    expect(new Set(asked.map(({ id }) => id))).toEqual(new Set(['a']));
    expect(kept.find('b')).toMatchObject({ state: 'unknown', nextTryAt: null });
  });
});

describe('an account whose service answers that it cannot do anything now', () => {
  it('is offline once a question of its own is answered so, and back once that is answered', async () => {
    answer = down;
    kept.answered('a');
    kept.failed('a', down);
    await turn();
    expect(kept.find('a')).toMatchObject({ state: 'offline', reason: 'Down for maintenance.' });
    expect(kept.find('a')!.nextTryAt).toBe(clock.now() + 200);
    await pass(10_000);
    answer = null;
    await pass(15_000);
    expect(kept.find('a')).toMatchObject({ state: 'ok', reason: null });
  });

  it('is well where that question is answered, which is not asked at each such answer', async () => {
    answer = null;
    kept.answered('a');
    for (let times = 0; times < 5; times++) {
      kept.failed('a', down);
      await pass(1000);
    }
    expect(asked).toHaveLength(1);
    expect(kept.find('a')).toMatchObject({ state: 'ok' });
    await pass(60_000);
    kept.failed('a', down);
    await turn();
    expect(asked).toHaveLength(2);
  });
});
