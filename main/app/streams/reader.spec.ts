/** Rules of following a job to its end, against a service whose answers the spec writes down. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { JobTimeline, Waiting } from '#contract/local.ts';
import type { Clock } from '../clock.ts';
import type { ComputeApi } from '../directory.ts';
import { createBudget } from './budget.ts';
import type { Journal, JobSource } from './journal.ts';
import { createReach } from './reach.ts';
import { createStreams } from './streams.ts';
import { createWakeup } from './wakeup.ts';

type FullAnswer = Awaited<ReturnType<ComputeApi['jobs']['stream']>>;
type StreamAnswer = Omit<FullAnswer, 'retries'> & Partial<FullAnswer>;
type JobAnswer = Awaited<ReturnType<ComputeApi['jobs']['status']>>;
type Step<T> = T | AppError;

const entry: LedgerEntry = {
  entryId: 'e',
  accountId: 'a',
  accountName: 'A',
  endpointId: 'ep',
  endpointName: 'Ep',
  jobId: 'j',
  mode: 'run',
  status: 'IN_QUEUE',
  sentAt: 0,
  workerStartedAt: null,
  startedAt: null,
  finishedAt: null,
  delayTime: null,
  executionTime: null,
  workerId: null,
  retries: 0,
  chunkCount: 0,
  chunkGap: null,
  inputBytes: 2,
  outputBytes: 0,
  error: null,
  waiting: null,
};

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

interface Script {
  timeline?: Step<JobTimeline>[];
  stream?: Step<StreamAnswer>[];
  status?: Step<JobAnswer>[];
  /** How many writes of chunks fail before one works. */
  failingWrites?: number;
}

/** Follows the entry with the scripted answers, on a clock on which every pause is over at once. */
async function follow(script: Script, changes: Partial<LedgerEntry> = {}) {
  const next = <T>(steps: Step<T>[] | undefined, what: string): Promise<T> => {
    const step = steps?.shift();
    if (step === undefined) return Promise.reject(new Error(`one ${what} too many`));
    return step instanceof AppError ? Promise.reject(step) : Promise.resolve(step);
  };
  const pauses: number[] = [];
  const chunks: string[] = [];
  const notes: object[] = [];
  let current: LedgerEntry = { ...entry, ...changes };
  let failing = script.failingWrites ?? 0;
  const write = (facts: object): LedgerEntry => {
    notes.push(facts);
    return (current = { ...current, ...facts });
  };
  const journal: Journal = {
    find: () => current,
    giveUp(_, facts) {
      write(facts);
      return Promise.resolve();
    },
    noteRequest: () => undefined,
    awaitsWebhooks: () => false,
    noteWebhooks: () => undefined,
    update: (_, facts) => write(facts),
    appendChunks(_, __, texts) {
      if (texts.length > 0 && failing-- > 0) return Promise.reject(new AppError('STORAGE_FULL', 'The disk is full.'));
      chunks.push(...texts);
      return Promise.resolve();
    },
    restart(_, retries) {
      chunks.length = 0;
      return write({ retries });
    },
    finish(_, facts, output) {
      write({ ...facts, output });
      return Promise.resolve();
    },
  };
  const compute: JobSource = {
    jobs: {
      status: () => next(script.status, 'status'),
      stream: async () => ({ retries: 0, ...(await next(script.stream, 'stream')) }),
    },
    local: script.timeline
      ? { timeline: () => next(script.timeline, 'timeline'), webhooks: () => Promise.resolve([]) }
      : null,
  };
  const clock: Clock = {
    now: () => 10_000,
    after(ms, run) {
      pauses.push(ms);
      queueMicrotask(run);
      return () => undefined;
    },
  };
  const wakeup = createWakeup();
  const reach = createReach(clock, () => 0, wakeup);
  const streams = createStreams({
    ...{ compute: () => compute, journal, budget: createBudget(clock, wakeup), reach, wakeup, clock, random: () => 0 },
    logger: pino({ level: 'silent' }),
  });
  streams.follow(current);
  await streams.ended('e');
  await streams.stop();
  reach.stop();
  return { chunks, notes, pauses, entry: current };
}

const empty = (status: StreamAnswer['status']): StreamAnswer => ({ status, chunks: [] });

describe('a stream reader', () => {
  it('drops what a lost worker had streamed once the service says that the stream began anew', async () => {
    const { chunks, entry: kept } = await follow({
      timeline: [running, completed],
      stream: [
        { status: 'IN_PROGRESS', chunks: ['"lost"'] },
        { status: 'IN_PROGRESS', chunks: ['"a"'], retries: 1 },
        { status: 'IN_PROGRESS', chunks: ['"b"'], retries: 1 },
        { status: 'COMPLETED', chunks: [], retries: 1 },
      ],
      status: [final],
    });
    expect(chunks).toEqual(['"a"', '"b"']);
    expect(kept.retries).toBe(1);
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
      { workerStartedAt: null, startedAt: null, workerId: null, waiting: 'A worker is starting.' },
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
    const asked = (retryAfterMs: number) => new AppError('TOO_MANY_REQUESTS', 'slow down', { retryAfterMs });
    const { pauses } = await follow({
      timeline: [asked(0), asked(0), asked(86_400_000), running, completed],
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

  it('says that a job is gone when the service no longer knows it, and keeps what came back before', async () => {
    const { entry: ended, chunks } = await follow({
      timeline: [running],
      stream: [{ status: 'IN_PROGRESS', chunks: ['1'] }, new AppError('NOT_FOUND', 'no such job')],
    });
    expect(chunks).toEqual(['1']);
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
      null,
      'IN_PROGRESS',
      'COMPLETED',
    ]);
  });
});
