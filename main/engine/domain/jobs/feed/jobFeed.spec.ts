/** Who reads the feed is told every job and each change of one, once, and no more than is on disk. */
import { expect, test } from 'vitest';
import type { JobNote } from '#contract/local/jobFeed.ts';
import { setUp } from '../../../../../test/support/jobs/rules.ts';
import type { Job } from '../jobRecord.ts';
import { FORGOTTEN_MS, MOST_JOBS, MOST_READERS } from './jobFeed.ts';
import { jobNoteOf } from './jobNote.ts';

const READER = 'a-reader';

function feedOf(world: ReturnType<typeof setUp>) {
  const { jobs } = world;
  const noteOf = (job: Job): JobNote =>
    jobNoteOf(job, {
      body: (one) => jobs.body(one),
      output: (one) => jobs.output(one),
      firstChunks: (one, most) => jobs.firstChunks(one, most),
      waitsFor: () => ({ message: 'both workers are busy' }),
      endpointName: () => 'words',
    });
  const read = (after: number, reader = READER) => jobs.feed.read(reader, after, noteOf);
  const notesOf = (after: number, reader = READER): string[] =>
    read(after, reader).jobs.map(({ id, status }) => `${id} ${status}`);
  return { read, notesOf };
}

test('a new reader is told every job, then each change of one', () => {
  const world = setUp();
  const { read, notesOf } = feedOf(world);
  const [first, second] = [world.submit(), world.submit()];
  expect(notesOf(0)).toEqual([`${first.id} IN_QUEUE`, `${second.id} IN_QUEUE`]);
  expect(read(1)).toEqual({ number: 1, jobs: [], more: false, missed: 0 });
  world.take('w');
  world.done(first, 'w');
  // Both changes of the first job are one.
  expect(notesOf(1)).toEqual([`${first.id} COMPLETED`, `${second.id} IN_PROGRESS`]);
  expect(read(2).jobs).toEqual([]);
});

test('a note has who sent the job, its input, its result and why it waits', () => {
  const world = setUp();
  const { read } = feedOf(world);
  const job = world.submit();
  const { jobs } = read(0);
  expect(jobs).toMatchObject([
    {
      endpointName: 'words',
      sender: { own: true },
      body: '{"input":{}}',
      bodyBytes: 12,
      waiting: 'both workers are busy',
      output: null,
    },
  ]);
  world.take('w');
  world.jobs.append(job, 'w', ['{"output":1}'], () => undefined);
  world.done(job, 'w', { output: '[1]' });
  expect(read(1).jobs).toMatchObject([
    { output: '[1]', outputBytes: 3, chunks: ['{"output":1}'], chunkTotal: 1, waiting: null },
  ]);
  // The reader of its stream still gets its chunks.
  expect(world.jobs.read(job)).toEqual(['{"output":1}']);
});

test('an answer that was lost is repeated, and a number of an earlier run begins anew', () => {
  const world = setUp();
  const { notesOf } = feedOf(world);
  const job = world.submit();
  expect(notesOf(0)).toHaveLength(1);
  world.take('w');
  expect(notesOf(1)).toEqual([`${job.id} IN_PROGRESS`]);
  expect(notesOf(1)).toEqual([`${job.id} IN_PROGRESS`]);
  expect(notesOf(2)).toEqual([]);
  expect(notesOf(77)).toEqual([`${job.id} IN_PROGRESS`]);
});

test('a change is told once it is on disk', () => {
  const world = setUp();
  const { notesOf } = feedOf(world);
  const job = world.submit();
  notesOf(0);
  world.jobs.cancel(job, () => undefined);
  expect(notesOf(1)).toEqual([]);
  world.store.commit();
  expect(notesOf(1)).toEqual([`${job.id} CANCELLED`]);
});

test('a job that could not be stored is never told', () => {
  const world = setUp();
  const { notesOf } = feedOf(world);
  notesOf(0);
  world.jobs.submit(
    { endpointId: 'words', request: {}, body: '{"input":{}}', sync: false, retentionMs: 1000 },
    () => undefined,
  );
  world.store.commit(new Error('the disk is full'));
  expect(notesOf(0)).toEqual([]);
  const stored = world.submit();
  expect(notesOf(0)).toEqual([`${stored.id} IN_QUEUE`]);
});

test.each(['a reader that waits', 'a new reader'])(
  '%s is told of new jobs in the order in which they were sent',
  (who) => {
    const world = setUp();
    const { notesOf } = feedOf(world);
    if (who === 'a reader that waits') {
      world.submit();
      notesOf(0);
    }
    const after = who === 'a reader that waits' ? 1 : 0;
    const [first, second] = [world.submit(), world.submit()];
    world.jobs.cancel(first, () => undefined);
    expect(notesOf(after)).toEqual([]);
    world.store.commit();
    expect(notesOf(after)).toEqual([`${first.id} CANCELLED`, `${second.id} IN_QUEUE`]);
  },
);

test('a change of a job that was told does not wait for a new job', () => {
  const world = setUp();
  const { notesOf } = feedOf(world);
  const known = world.submit();
  notesOf(0);
  world.take('w');
  const later = world.submit();
  world.jobs.cancel(later, () => undefined);
  expect(notesOf(1)).toEqual([`${known.id} IN_PROGRESS`]);
});

test('a job that was removed before its end is told with what is left of it, one that had ended is not told again', () => {
  const world = setUp();
  const { read } = feedOf(world);
  const [early, late] = [world.submit({ ttl: 10_000 }), world.submit({ ttl: 10_000 })];
  world.take('w');
  world.done(late, 'w');
  read(0);
  world.clock.advance(10_001);
  expect(read(1).jobs).toMatchObject([{ id: early.id, removed: true, status: 'IN_PROGRESS', body: null }]);
});

test('an answer has no more jobs than fit it', () => {
  const world = setUp();
  const { read } = feedOf(world);
  for (let n = 0; n < MOST_JOBS + 1; n++) world.submit();
  const first = read(0);
  expect([first.jobs.length, first.more]).toEqual([MOST_JOBS, true]);
  const second = read(first.number);
  expect([second.jobs.length, second.more]).toEqual([1, false]);
});

test('a wait ends soon after a change, at its time, or when the engine stops', () => {
  const world = setUp();
  const { read } = feedOf(world);
  read(0);
  const ends: string[] = [];
  world.jobs.feed.await(READER, 1000, () => ends.push('change'));
  world.submit();
  expect(ends).toEqual([]);
  world.clock.advance(50);
  expect(ends).toEqual(['change']);
  read(0);
  world.jobs.feed.await(READER, 1000, () => ends.push('time'));
  world.clock.advance(1000);
  expect(ends).toEqual(['change', 'time']);
  world.jobs.feed.await(READER, 1000, () => ends.push('stop'));
  world.jobs.stop();
  expect(ends).toEqual(['change', 'time', 'stop']);
  expect(world.clock.pending()).toBe(0);
});

test('a reader that was silent for long is forgotten, and too many at a time are refused', () => {
  const world = setUp();
  const { read, notesOf } = feedOf(world);
  world.submit();
  for (let n = 0; n < MOST_READERS; n++) read(0, `reader-${n}`);
  expect(() => read(0, 'one-more')).toThrow(
    `At most ${MOST_READERS} programs read the feed of jobs; ${MOST_READERS} read it now.`,
  );
  world.clock.advance(FORGOTTEN_MS);
  expect(notesOf(0, 'one-more')).toHaveLength(1);
});
