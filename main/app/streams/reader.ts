/** Follows one job from its submission to its end: its state while it waits, its chunks, then its final record. */
import { toAppError } from '#contract/errors.ts';
import { isTerminal, type JobView } from '#contract/job.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import { limits } from '#contract/limits.ts';
import type { JobTimeline } from '#contract/local.ts';
import { pause } from '../clock.ts';
import type { JobFacts, StreamsOptions } from './journal.ts';

export interface ReaderOptions extends StreamsOptions {
  entry: LedgerEntry;
  jobId: string;
  signal: AbortSignal;
  /** How long to wait between two looks at a job that has not started. */
  refreshMs: () => number;
  /** Polls that bring chunks come no faster than this, so that all readers of an endpoint together stay within its rate. */
  pollGapMs: () => number;
  /** Told when it begins to read the stream, and when it stops. */
  onStreaming: (streaming: boolean) => void;
}

/** Pauses after a failed request; the last one repeats. A short restart of the engine is waited out in the directory already. */
const RETRY_MS = [200, 500, 1000, 2000, 5000];
/** However long a service asks to be left alone: its job is looked at again after this. */
const LONGEST_RETRY_MS = 60_000;
/** A service that does not hold an empty stream poll open is not asked more often than this. */
const POLL_MS = 250;
const GONE =
  'The service no longer knows this job: its time to live or its retention has ended, or its endpoint was deleted. What came back before is kept here.';

const at = (time: string | null): number | null => (time === null ? null : Date.parse(time));

const timelineFacts = (timeline: JobTimeline): JobFacts => ({
  workerStartedAt: at(timeline.workerStartedAt),
  startedAt: at(timeline.startedAt),
  workerId: timeline.workerId,
  waiting: timeline.waiting?.message ?? null,
});

const viewFacts = (view: JobView): JobFacts => ({
  delayTime: view.delayTime ?? null,
  executionTime: view.executionTime ?? null,
  workerId: view.workerId ?? null,
});

/** Settles when the job has ended and is noted, or the signal is aborted. Never rejects. */
export async function readJobToItsEnd(options: ReaderOptions): Promise<void> {
  const { entry, jobId, signal, journal, clock, logger, refreshMs, pollGapMs, onStreaming } = options;
  const { entryId, endpointId } = entry;
  let failures = 0;
  let noted = entry;
  /** Chunks that were read and are not yet in the ledger: the service tells each one only once. */
  let unkept: string[] = [];

  /** Writes only what differs, so that an unchanged answer wakes nobody. */
  function note(facts: JobFacts): void {
    const keys = Object.keys(facts) as (keyof JobFacts)[];
    if (keys.some((key) => facts[key] !== noted[key])) noted = journal.update(entryId, facts);
  }

  /** One look at a job that has not started. Answers whether it is time to read its stream. */
  async function hasStarted(): Promise<boolean> {
    const { jobs, local } = options.compute(entry.accountId);
    if (local) {
      const timeline = await local.timeline(jobId, signal);
      if (timeline.status === 'IN_QUEUE') {
        note(timelineFacts(timeline));
        return false;
      }
      note({ ...timelineFacts(timeline), ...(isTerminal(timeline.status) ? {} : { status: 'IN_PROGRESS' }) });
      return true;
    }
    const { view } = await jobs.status(endpointId, jobId, signal);
    if (view.status === 'IN_PROGRESS') note({ status: view.status, ...viewFacts(view) });
    return view.status !== 'IN_QUEUE';
  }

  /** Rejects while the ledger cannot be written, such as on a full disk; what was read waits in memory until it can. */
  async function keep(): Promise<void> {
    await journal.appendChunks(entryId, clock.now(), unkept);
    unkept = [];
  }

  /** A lost worker's chunks are not part of the result: the next attempt streams from the start. */
  function beginAnew(retries: number): void {
    if (retries > noted.retries) noted = journal.restart(entryId, retries);
  }

  /** One poll of the stream. Answers whether the job has ended, with every chunk read, or waits in the queue again. */
  async function readChunks(): Promise<'more' | 'ended' | 'queued'> {
    const { jobs } = options.compute(entry.accountId);
    const askedAt = clock.now();
    await keep();
    const { status, chunks, retries } = await jobs.stream(endpointId, jobId, limits.streamHoldMs, signal);
    beginAnew(retries);
    unkept = chunks;
    await keep();
    if (chunks.length > 0) {
      const restMs = pollGapMs() - (clock.now() - askedAt);
      if (restMs > 0) await pause(clock, restMs, signal);
      return 'more';
    }
    const state = status ?? (await jobs.status(endpointId, jobId, signal)).view.status;
    if (isTerminal(state)) return 'ended';
    if (state === 'IN_QUEUE') return 'queued';
    if (clock.now() - askedAt < POLL_MS) await pause(clock, POLL_MS, signal);
    return 'more';
  }

  /** Answers whether the job really has ended: between two requests it may have been queued again. */
  async function conclude(): Promise<boolean> {
    const { jobs, local } = options.compute(entry.accountId);
    const { view, output } = await jobs.status(endpointId, jobId, signal);
    if (!isTerminal(view.status)) return false;
    beginAnew(view.retries ?? 0);
    const timeline = local && (await local.timeline(jobId, signal));
    const facts: JobFacts = {
      ...(timeline && timelineFacts(timeline)),
      ...viewFacts(view),
      status: view.status,
      finishedAt: at(timeline?.finishedAt ?? null) ?? clock.now(),
      error: view.error ?? null,
      waiting: null,
    };
    await journal.finish(entryId, facts, output);
    return true;
  }

  let started = false;
  function begin(now: boolean): void {
    started = now;
    onStreaming(now);
  }

  async function step(): Promise<boolean> {
    if (!started) {
      begin(await hasStarted());
      if (!started) await pause(clock, refreshMs(), signal);
      return false;
    }
    const next = await readChunks();
    if (next === 'queued') {
      // Its worker was lost, and it waits for another one.
      note({ status: 'IN_QUEUE', startedAt: null });
      begin(false);
    }
    return next === 'ended' && (await conclude());
  }

  begin(entry.status !== 'IN_QUEUE' && entry.status !== 'SENDING');
  while (!signal.aborted) {
    try {
      if (await step()) return;
      failures = 0;
    } catch (thrown) {
      if (signal.aborted) return;
      const error = toAppError(thrown);
      if (error.code === 'NOT_FOUND') {
        await journal.finish(entryId, { status: 'GONE', error: GONE, waiting: null, finishedAt: clock.now() }, null);
        return;
      }
      const usualMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
      const delayMs = Math.min(LONGEST_RETRY_MS, Math.max(usualMs, error.retryAfterMs ?? 0));
      logger.debug(
        { entryId, jobId, code: error.code, reason: error.message, delayMs },
        'reading a job failed; trying again',
      );
      failures += 1;
      await pause(clock, delayMs, signal);
    }
  }
}
