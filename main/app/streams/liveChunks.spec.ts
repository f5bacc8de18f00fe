/** Who reads the chunks of jobs that others sent, when, and how often. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { JobChunks } from '#contract/local/jobFeed.ts';
import { until } from '../../../test/support/core/until.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { systemClock } from '../platform/clock.ts';
import { createLiveChunks } from './liveChunks.ts';

const answer = (fields: Partial<JobChunks>): JobChunks => ({
  status: 'IN_PROGRESS',
  retries: 0,
  index: 0,
  chunks: [],
  next: '0.0.1',
  ...fields,
});

/** A reader of these answers; then each request waits until it is given up. */
function reading(answers: (JobChunks | Error)[], entry: LedgerEntry | null = entryOf({ status: 'IN_PROGRESS' })) {
  const requests: (string | null)[] = [];
  const stored: string[] = [];
  let open = 0;
  let attempt = 0;
  const live = createLiveChunks({
    compute: () => ({
      local: {
        chunks(_, after, _waitMs, signal) {
          requests.push(after);
          const next = answers.shift();
          if (next instanceof Error) return Promise.reject(next);
          if (next) return Promise.resolve(next);
          open += 1;
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              open -= 1;
              reject(new Error('given up'));
            });
          });
        },
      },
    }),
    journal: {
      findByFeed: () => entry ?? undefined,
      addReadChunks(_, { retries, texts }) {
        if (retries !== attempt) return false;
        stored.push(...texts);
        return true;
      },
    },
    clock: systemClock,
    random: () => 0,
    logger: pino({ level: 'silent' }),
  });
  return { live, requests, stored, open: () => open, startAttempt: (number: number) => (attempt = number) };
}

const requestsOf = (requests: readonly unknown[], count: number) =>
  until(
    `${count} requests`,
    () => Promise.resolve(requests),
    ({ length }) => length >= count,
  );

test('two watchers of a job share one reader, which ends with the second of them', async () => {
  const { live, requests, stored, open } = reading([answer({ chunks: ['{"output":"a"}'], next: '0.1.2' })]);
  const [leaveFirst, leaveSecond] = [live.attend('entry-1'), live.attend('entry-1')];
  await requestsOf(requests, 2);
  expect([requests, stored]).toEqual([[null, '0.1.2'], ['"a"']]);
  leaveFirst();
  leaveFirst();
  expect(open()).toBe(1);
  leaveSecond();
  expect(open()).toBe(0);
  await live.stop();
});

test('a job that no feed reports is not read', async () => {
  const { live, requests } = reading([], null);
  live.attend('entry-1')();
  await live.stop();
  expect(requests).toEqual([]);
});

test('chunks of an attempt that the ledger does not know yet are read again once it does', async () => {
  const chunks = ['{"output":"new"}'];
  const { live, requests, stored, startAttempt } = reading([
    answer({ retries: 1, chunks, next: '1.1.2' }),
    answer({ retries: 1, chunks, next: '1.1.2' }),
  ]);
  const leave = live.attend('entry-1');
  await requestsOf(requests, 1);
  expect(stored).toEqual([]);
  startAttempt(1);
  await requestsOf(requests, 3);
  expect([requests, stored]).toEqual([[null, null, '1.1.2'], ['"new"']]);
  leave();
  await live.stop();
});

test('the end of a job is written after its last chunks, and at once where nobody watches', async () => {
  const { live, requests, stored } = reading([
    answer({}),
    answer({ status: 'COMPLETED', chunks: ['{"output":"last"}'] }),
  ]);
  await live.caughtUp('this-machine', ['job-1']);
  expect(requests).toEqual([]);
  const leave = live.attend('entry-1');
  await live.caughtUp('this-machine', ['job-1']);
  expect(stored).toEqual(['"last"']);
  leave();
  await live.stop();
});

test('a failure is followed by another request, but not where the engine has no such route', async () => {
  const { live, requests } = reading([new AppError('UNAVAILABLE', 'away'), new AppError('NOT_FOUND', 'no such route')]);
  live.attend('entry-1');
  await live.caughtUp('this-machine', ['job-1']);
  expect(requests).toEqual([null, null]);
  await live.stop();
});
