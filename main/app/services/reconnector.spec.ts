/**
 * Rules of looking whether accounts that are away are back: real states and gates, fake time, questions that the test
 * answers.
 */
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
let accountRepository: AccountRepository;
let wakeup: Wakeup;
let reach: CircuitBreaker;
let comebacks: Comebacks;
/** When which account was asked. */
let requests: { id: string; at: number }[];
/** What is answered: nothing at all, an error, or that all is well. */
let answer: AppError | 'hangs' | null;

beforeEach(() => {
  clock = createFakeClock();
  requests = [];
  answer = unreached;
  accountRepository = createAccountRepository(
    { accounts: [account('a'), account('b')], notice: null, write: () => undefined },
    clock,
    pino({ level: 'silent' }),
  );
  wakeup = createWakeup();
  reach = createCircuitBreaker(clock, () => 0, wakeup);
  comebacks = createComebacks({
    repository: accountRepository,
    reach,
    clock,
    logger: pino({ level: 'silent' }),
    async ask({ id }) {
      requests.push({ id, at: clock.now() });
      // As what is sent tells how it went.
      if (answer === 'hangs') await new Promise(() => undefined);
      else if (answer === null) accountRepository.answered(id);
      else {
        accountRepository.failed(id, answer);
        throw answer;
      }
    },
  });
});
afterEach(async () => {
  await comebacks.stop();
  reach.stop();
  accountRepository.stop();
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
    accountRepository.failed('a', unreached);
    const { nextTryAt } = accountRepository.find('a')!;
    expect(nextTryAt).toBe(clock.now() + 200);
    await pass(3 * 60_000);
    const gaps = requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
    expect(gaps.slice(0, 6)).toEqual([500, 1000, 2000, 5000, 10_000, 15_000]);
    expect(new Set(gaps.slice(6))).toEqual(new Set([15_000]));
    expect(accountRepository.find('a')).toMatchObject({ state: 'offline', nextTryAt: requests.at(-1)!.at + 15_000 });
    answer = null;
    await pass(15_000);
    expect(accountRepository.find('a')).toMatchObject({ state: 'ok', nextTryAt: null });
    const before = requests.length;
    await pass(60_000);
    expect(requests).toHaveLength(before);
  });

  it('is asked by one at a time, whoever waits for it, and all who wait go on once it is back', async () => {
    accountRepository.failed('a', unreached);
    const readers = Promise.all([1, 2, 3].map(() => reach.enter('a', new AbortController().signal)));
    answer = 'hangs';
    await pass(60_000);
    expect(requests).toHaveLength(1);
    accountRepository.answered('a');
    await readers;
    expect(reach.trouble('a')).toBeNull();
  });

  it('is asked at once after a sleep', async () => {
    accountRepository.failed('a', unreached);
    await pass(60_000);
    const before = requests.length;
    await pass(1000);
    expect(requests).toHaveLength(before);
    wakeup.ring();
    await turn();
    expect(requests).toHaveLength(before + 1);
  });

  it('is not asked any more once it was removed, or once its key is refused or locked away', async () => {
    accountRepository.failed('a', unreached);
    accountRepository.failed('b', unreached);
    accountRepository.remove('a');
    accountRepository.failed('b', new AppError('SECRETS_UNAVAILABLE', 'Unlock it.'));
    await pass(60_000);
    expect(requests).toEqual([]);
    accountRepository.failed('b', unreached);
    answer = new AppError('UNAUTHORIZED', 'Not this key.', { details: { status: 401 } });
    await pass(60_000);
    expect(requests).toHaveLength(1);
    expect(accountRepository.find('b')).toMatchObject({ state: 'refused' });
  });

  it('leaves alone the others, and those that nobody has asked anything', async () => {
    accountRepository.failed('a', unreached);
    await pass(60_000);
    expect(new Set(requests.map(({ id }) => id))).toEqual(new Set(['a']));
    expect(accountRepository.find('b')).toMatchObject({ state: 'unknown', nextTryAt: null });
  });
});

describe('an account whose service answers that it cannot do anything now', () => {
  it('is offline once a question of its own is answered so, and back once that is answered', async () => {
    answer = down;
    accountRepository.answered('a');
    accountRepository.failed('a', down);
    await turn();
    expect(accountRepository.find('a')).toMatchObject({ state: 'offline', reason: 'Down for maintenance.' });
    expect(accountRepository.find('a')!.nextTryAt).toBe(clock.now() + 200);
    await pass(10_000);
    answer = null;
    await pass(15_000);
    expect(accountRepository.find('a')).toMatchObject({ state: 'ok', reason: null });
  });

  it('is well where that question is answered, which is not asked at each such answer', async () => {
    answer = null;
    accountRepository.answered('a');
    for (let times = 0; times < 5; times++) {
      accountRepository.failed('a', down);
      await pass(1000);
    }
    expect(requests).toHaveLength(1);
    expect(accountRepository.find('a')).toMatchObject({ state: 'ok' });
    await pass(60_000);
    accountRepository.failed('a', down);
    await turn();
    expect(requests).toHaveLength(2);
  });
});
