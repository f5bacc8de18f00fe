/** How the feed of an engine gets into the ledger. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { JobFeed, JobNote } from '#contract/local/jobFeed.ts';
import { until } from '../../../test/support/core/until.ts';
import { noteOf } from '../../../test/support/jobs/jobNote.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { systemClock } from '../platform/clock.ts';
import { readFeed, type FeedReaderOptions } from './feedReader.ts';

const note = (id: string, own = false): JobNote => noteOf({ id, sender: { own, keyName: null, client: null } });

/** A reader of these answers, one after the other; then there is nothing new. */
function reading(answers: (JobFeed | Error)[], more: Partial<FeedReaderOptions> = {}, unfinished: LedgerEntry[] = []) {
  const life = new AbortController();
  const reads: number[] = [];
  const recorded: string[] = [];
  const ended: string[] = [];
  const reader = readFeed({
    account: { id: 'this-machine', name: 'This computer' },
    source: () => ({
      local: {
        feed(_reader, after, waitMs, signal) {
          const next = answers.shift();
          if (next instanceof Error) return Promise.reject(next);
          reads.push(after);
          if (next) return Promise.resolve(next);
          const idle = { number: after, jobs: [], more: false, missed: 0 };
          if (waitMs === 0) return Promise.resolve(idle);
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(idle)));
        },
        request: () => Promise.resolve('{}'),
        timeline: () => Promise.resolve({ waiting: null }),
      },
      jobs: { status: (_, id) => Promise.resolve({ view: { id, status: 'COMPLETED' as const }, output: null }) },
    }),
    journal: {
      record(_, notes) {
        recorded.push(...notes.map(({ id }) => id));
        return { bytes: 0, large: [], awaitWebhooks: [] };
      },
      addTexts: () => undefined,
      unfinishedByFeed: () => unfinished,
      queuedByFeed: () => [],
      find: () => undefined,
      update: () => entryOf(),
      finish(entryId, { status }) {
        ended.push(`${entryId} ${status}`);
        return Promise.resolve();
      },
    },
    isSending: () => false,
    chunksRead: () => Promise.resolve(),
    isWanted: () => true,
    hasRoom: () => true,
    followWebhooks: () => undefined,
    onWritten: () => undefined,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    signal: life.signal,
    ...more,
  });
  const stop = (): Promise<void> => {
    life.abort(new Error('over'));
    return reader;
  };
  return { reads, recorded, ended, stop };
}

const answer = (number: number, jobs: JobNote[], more = false): JobFeed => ({ number, jobs, more, missed: 0 });

test('each answer is confirmed by its number once it is written, also after a failure', async () => {
  const { reads, recorded, stop } = reading([answer(1, [note('a')], true), new Error('cut'), answer(2, [note('b')])]);
  await until(
    'three requests',
    () => Promise.resolve(reads),
    ({ length }) => length >= 3,
  );
  await stop();
  expect([reads, recorded]).toEqual([
    [0, 1, 2],
    ['a', 'b'],
  ]);
});

test('a job that the engine has forgotten is gone, once the engine has told all others', async () => {
  const unfinished = [entryOf({ entryId: 'kept', jobId: 'a' }), entryOf({ entryId: 'lost', jobId: 'z' })];
  const { ended, stop } = reading([answer(1, [], true), answer(2, [note('a')])], {}, unfinished);
  await until(
    'the end of the lost job',
    () => Promise.resolve(ended),
    ({ length }) => length > 0,
  );
  await stop();
  expect(ended).toEqual(['lost GONE']);
});

test('a job of this app is written after the answer to its sender, which names its entry', async () => {
  let sending = true;
  let checks = 0;
  const { recorded, stop } = reading([answer(1, [note('own', true)])], {
    isSending() {
      checks += 1;
      return sending;
    },
  });
  await until(
    'the reader to wait',
    () => Promise.resolve(checks),
    (count) => count > 2,
  );
  expect(recorded).toEqual([]);
  sending = false;
  await until(
    'the job',
    () => Promise.resolve(recorded),
    ({ length }) => length > 0,
  );
  await stop();
});

test('an engine keeps its jobs while the disk has no room for them', async () => {
  let roomChecks = 0;
  let room = true;
  const { reads, recorded, stop } = reading([answer(1, [note('a')], true), answer(2, [note('b')])], {
    hasRoom() {
      roomChecks += 1;
      return room;
    },
    // The disk gets full between the answer and its record.
    chunksRead() {
      room = false;
      return Promise.resolve();
    },
  });
  const roomCheckedTimes = (times: number): Promise<unknown> =>
    until(
      'checks of the room on the disk',
      () => Promise.resolve(roomChecks),
      (count) => count >= times,
    );
  await roomCheckedTimes(4);
  expect([reads.length, recorded]).toEqual([1, []]);
  room = true;
  await until(
    'the job',
    () => Promise.resolve(recorded),
    ({ length }) => length > 0,
  );
  await roomCheckedTimes(roomChecks + 3);
  await stop();
});

test('an engine is not asked while its jobs are not wanted', async () => {
  let checks = 0;
  const { reads, stop } = reading([answer(1, [note('a')])], {
    isWanted() {
      checks += 1;
      return false;
    },
  });
  await until(
    'a look',
    () => Promise.resolve(checks),
    (count) => count > 0,
  );
  await stop();
  expect(reads).toEqual([]);
});
