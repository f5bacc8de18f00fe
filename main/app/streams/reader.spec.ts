/** Rules of following a job to its end, against a service whose answers the spec writes down. */
import { describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { JobTimeline, Waiting } from '#contract/local/engine.ts';
import {
  followScript,
  type JobAnswer,
  type Script,
  type StreamAnswer,
} from '../../../test/support/streams/scriptedReader.ts';

const waiting = (code: Waiting['code'], message: string): Waiting => ({
  code,
  message,
  ahead: 0,
  since: null,
  nextTryAt: null,
});

const timeline = (status: string, changes: Partial<JobTimeline> = {}): JobTimeline => ({
  id: 'j',
  status,
  submittedAt: '1970-01-01T00:00:00Z',
  workerId: null,
  workerStartedAt: null,
  pricePerHour: null,
  startedAt: null,
  finishedAt: null,
  waiting: null,
  ...changes,
});
const running = timeline('IN_PROGRESS', { startedAt: '1970-01-01T00:00:02Z', workerId: 'w' });
const completed = timeline('COMPLETED', { startedAt: '1970-01-01T00:00:02Z', finishedAt: '1970-01-01T00:00:03Z' });
const final: JobAnswer = {
  view: { id: 'j', status: 'COMPLETED', delayTime: 5, executionTime: 7, workerId: 'w' },
  output: '1.0',
};

const empty = (status: StreamAnswer['status']): StreamAnswer => ({ status, chunks: [] });

/** Whoever pauses asks nothing until the pause is over, whatever the script. */
async function follow(script: Script, changes?: Partial<LedgerEntry>) {
  const { askedInPause, ...followed } = await followScript(script, changes);
  expect(askedInPause).toEqual([]);
  return followed;
}

describe('a stream reader', () => {
  it('drops what a lost worker had streamed once the service says that the stream began anew', async () => {
    const { chunks, entry: record } = await follow({
      timeline: [running, running, completed],
      stream: [
        { status: 'IN_PROGRESS', chunks: ['"lost"'] },
        { status: 'IN_PROGRESS', chunks: ['"a"'], retries: 1 },
        { status: 'IN_PROGRESS', chunks: ['"b"'], retries: 1 },
        { status: 'COMPLETED', chunks: [], retries: 1 },
      ],
      status: [final],
    });
    expect(chunks).toEqual(['"a"', '"b"']);
    expect(record.retries).toBe(1);
  });

  it('notes when the attempt after a lost worker was queued and started, and on which worker, while it runs', async () => {
    const again = {
      queuedAt: '1970-01-01T00:00:05.000Z',
      startedAt: '1970-01-01T00:00:06.000Z',
      workerId: 'w-new',
    };
    const { notes } = await follow(
      {
        timeline: [timeline('IN_PROGRESS', again), timeline('COMPLETED', again)],
        stream: [
          { status: 'IN_PROGRESS', chunks: [], retries: 1 },
          { status: 'COMPLETED', chunks: [], retries: 1 },
        ],
        status: [final],
      },
      // As the ledger has it after a restart of the host.
      { status: 'IN_PROGRESS', startedAt: 2000, workerId: 'w-old' },
    );
    expect(notes.slice(0, 2)).toEqual([
      { retries: 1 },
      {
        queuedAt: 5000,
        delayTime: 1000,
        workerStartedAt: null,
        startedAt: 6000,
        workerId: 'w-new',
        waiting: null,
        status: 'IN_PROGRESS',
      },
    ]);
  });

  it('notes that a job waits again whose worker was lost before the next one began', async () => {
    const { notes } = await follow(
      {
        timeline: [timeline('IN_QUEUE', { waiting: waiting('paused', 'Paused by you.') }), running, completed],
        stream: [
          { status: 'IN_QUEUE', chunks: [], retries: 1 },
          { status: 'COMPLETED', chunks: [], retries: 1 },
        ],
        status: [final],
      },
      { status: 'IN_PROGRESS', startedAt: 2000, workerId: 'w-old' },
    );
    expect(notes.slice(0, 2)).toMatchObject([{ retries: 1 }, { status: 'IN_QUEUE', waiting: 'Paused by you.' }]);
  });

  it('notes why a job waits, when it started, its chunks, and its final record once', async () => {
    const { chunks, notes } = await follow({
      timeline: [timeline('IN_QUEUE', { waiting: waiting('starting', 'A worker is starting.') }), running, completed],
      stream: [
        { status: 'IN_PROGRESS', chunks: ['1', '2'] },
        { status: 'COMPLETED', chunks: ['3'] },
        empty('COMPLETED'),
      ],
      status: [final],
    });
    expect(chunks).toEqual(['1', '2', '3']);
    expect(notes).toEqual([
      { workerStartedAt: null, startedAt: null, workerId: null, waiting: 'A worker is starting.', status: 'IN_QUEUE' },
      { workerStartedAt: null, startedAt: 2000, workerId: 'w', waiting: null, status: 'IN_PROGRESS' },
      {
        workerStartedAt: null,
        startedAt: 2000,
        waiting: null,
        delayTime: 5,
        executionTime: 7,
        workerId: 'w',
        status: 'COMPLETED',
        finishedAt: 3000,
        error: null,
        output: '1.0',
      },
    ]);
  });

  it('shows an end only when every chunk has been read', async () => {
    const { notes, chunks } = await follow({
      timeline: [completed, completed],
      stream: [{ status: 'COMPLETED', chunks: ['1'] }, empty('COMPLETED')],
      status: [final],
    });
    expect(chunks).toEqual(['1']);
    expect(notes.map((note) => ('status' in note ? note.status : null))).toEqual([null, 'COMPLETED']);
  });

  it('writes nothing when nothing has changed', async () => {
    const waits = timeline('IN_QUEUE', { waiting: waiting('no-worker', 'w') });
    const { notes } = await follow({
      timeline: [waits, waits, waits, running, completed],
      stream: [empty('COMPLETED')],
      status: [final],
    });
    expect(notes).toHaveLength(3);
  });

  it('asks where the account cannot tell more than the job API', async () => {
    const inQueue: JobAnswer = { view: { id: 'j', status: 'IN_QUEUE' }, output: null };
    const inProgress: JobAnswer = { view: { id: 'j', status: 'IN_PROGRESS', workerId: 'w' }, output: null };
    const { entry: ended, pauses } = await follow({
      status: [inQueue, inProgress, inProgress, final, final],
      stream: [empty(null), empty(null)],
    });
    expect(ended).toMatchObject({ status: 'COMPLETED', workerId: 'w', finishedAt: 10_000 });
    // A service that holds no poll open is not asked in a hot loop.
    expect(pauses).toContain(250);
  });

  it('asks for nothing but the state of a job whose account has no stream', async () => {
    const inProgress: JobAnswer = { view: { id: 'j', status: 'IN_PROGRESS' }, output: null };
    const {
      requests,
      entry: ended,
      pauses,
    } = await follow({
      stream: [new AppError('UNSUPPORTED', 'There is no stream.')],
      status: [...Array<JobAnswer>(7).fill(inProgress), final, final],
    });
    expect(ended).toMatchObject({ status: 'COMPLETED', chunkGap: null });
    expect(requests).toEqual(['status', 'stream', ...Array<string>(8).fill('status')]);
    // Every look after the first ones is as far from the one before as that of a job that waits.
    expect(pauses).toEqual([250, 250, 250, 250, 500, 500]);
  });

  it('pauses after each failure, longer after each in a row, and asks nothing meanwhile', async () => {
    const broken = new AppError('UNAVAILABLE', 'It broke.', { details: { status: 500 } });
    const { pauses } = await follow({
      timeline: [broken, broken, timeline('IN_QUEUE'), broken, running, completed],
      stream: [broken, empty('COMPLETED')],
      status: [final],
    });
    expect(pauses).toEqual([200, 500, 15, 200, 200]);
  });

  it('tries again, ever more slowly, while the service cannot be reached', async () => {
    const down = new AppError('UNAVAILABLE', 'down');
    const { entry: ended, pauses } = await follow({
      timeline: [down, down, down, running, completed],
      stream: [empty('COMPLETED')],
      status: [final],
    });
    expect(ended.status).toBe('COMPLETED');
    expect(pauses).toEqual([200, 500, 1000]);
  });

  it('waits as long as the service asks it to', async () => {
    const { pauses } = await follow({
      timeline: [new AppError('TOO_MANY_REQUESTS', 'slow down', { retryAfterMs: 7000 }), running, completed],
      stream: [empty('COMPLETED')],
      status: [final],
    });
    expect(pauses).toEqual([7000]);
  });

  it('waits longer than asked where it fails again and again, and no longer than a minute', async () => {
    const slowedDown = (retryAfterMs: number) => new AppError('TOO_MANY_REQUESTS', 'slow down', { retryAfterMs });
    const { pauses } = await follow({
      timeline: [slowedDown(0), slowedDown(0), slowedDown(86_400_000), running, completed],
      stream: [empty('COMPLETED')],
      status: [final],
    });
    expect(pauses).toEqual([200, 500, 60_000]);
  });

  it('polls a stream that brings chunk after chunk no faster than the rate of its endpoint allows', async () => {
    const { pauses } = await follow({
      timeline: [running, completed],
      stream: [{ status: 'IN_PROGRESS', chunks: ['1'] }, { status: 'IN_PROGRESS', chunks: ['2'] }, empty('COMPLETED')],
      status: [final],
    });
    expect(pauses).toEqual([7.5, 7.5]);
  });

  it.each([
    ['less than its gap', 5, [2.5, 2.5]],
    ['its gap', 7.5, []],
    ['more than its gap', 20, []],
    ['a negative time, as after a clock was set back,', -500, [7.5, 7.5]],
  ])('pauses for what is left of the gap where a poll that brings chunks takes %s', async (_, streamTakesMs, rests) => {
    const { pauses } = await follow({
      streamTakesMs,
      timeline: [running, completed],
      stream: [{ status: 'IN_PROGRESS', chunks: ['1'] }, { status: 'IN_PROGRESS', chunks: ['2'] }, empty('COMPLETED')],
      status: [final],
    });
    expect(pauses).toEqual(rests);
  });

  it.each([
    ['no time', 0, [250]],
    ['249 ms', 249, [250]],
    ['250 ms', 250, []],
  ])('pauses after an empty poll that takes %s', async (_, streamTakesMs, rests) => {
    const { pauses } = await follow({
      streamTakesMs,
      timeline: [running, completed],
      stream: [empty('IN_PROGRESS'), empty('COMPLETED')],
      status: [final],
    });
    expect(pauses).toEqual(rests);
  });

  it('leaves room for the other streams of its endpoint', async () => {
    const { pauses } = await follow({
      others: 3,
      timeline: [running, completed],
      stream: [{ status: 'IN_PROGRESS', chunks: ['1'] }, empty('COMPLETED')],
      status: [final],
    });
    expect(pauses).toEqual([4 * 7.5]);
  });

  it('says how a job ended, not that its account is gone, where only the ledger kept it from saying so before', async () => {
    const { entry: ended } = await follow({
      isLeftAtEnd: true,
      timeline: [running, completed],
      stream: [empty('COMPLETED')],
      status: [final],
    });
    expect(ended).toMatchObject({ status: 'COMPLETED', error: null });
  });

  it('says that a job is gone when the service no longer knows it, and keeps what came back before', async () => {
    const {
      entry: ended,
      chunks,
      pauses,
    } = await follow({
      timeline: [running],
      stream: [{ status: 'IN_PROGRESS', chunks: ['1'] }, new AppError('NOT_FOUND', 'no such job')],
    });
    expect(chunks).toEqual(['1']);
    expect(pauses).toEqual([7.5]);
    expect(ended).toMatchObject({ status: 'GONE', error: expect.stringContaining('no longer knows') });
  });

  it('loses no chunk while the ledger cannot be written, because the service tells each one only once', async () => {
    const { chunks } = await follow({
      timeline: [running, completed],
      stream: [
        { status: 'IN_PROGRESS', chunks: ['1', '2'] },
        { status: 'IN_PROGRESS', chunks: ['3'] },
        empty('COMPLETED'),
      ],
      status: [final],
      failingWrites: 2,
    });
    expect(chunks).toEqual(['1', '2', '3']);
  });

  it('follows a job that lost its worker back into the queue', async () => {
    const { notes } = await follow({
      timeline: [
        running,
        timeline('IN_QUEUE', { waiting: waiting('crash-looping', 'Its worker died.') }),
        running,
        completed,
      ],
      stream: [empty('IN_QUEUE'), empty('COMPLETED')],
      status: [final],
    });
    expect(notes.map((note) => ('status' in note ? note.status : null))).toEqual([
      'IN_PROGRESS',
      'IN_QUEUE',
      'IN_QUEUE',
      'IN_PROGRESS',
      'COMPLETED',
    ]);
  });
});
