/** Follows one job to its end: its state while it waits, its chunks, then its final record. */
import { toAppError } from '#contract/core/errors.ts';
import { isTerminal } from '#contract/api/job.ts';
import type { JobFacts, LedgerEntry } from '#contract/app/ledger.ts';
import { AccountGone, UnreachableError } from './asking.ts';
import { retryDelayMs } from './circuitBreaker.ts';
import { createJobNotes, timelineFacts, timeOf, viewFacts, type EndNote, type JobNotes } from './jobNotes.ts';
import { createJobQuestions, type JobQuestions } from './jobQuestions.ts';
import type { StreamsOptions } from './port.ts';
import { restUntil } from './wakeup.ts';

export interface ReaderOptions extends StreamsOptions {
  entry: LedgerEntry;
  jobId: string;
  signal: AbortSignal;
  /** Milliseconds between two polls of a job that has not started. */
  refreshMs: () => number;
  /**
   * Shortest time between two polls for chunks, in milliseconds, so that all readers of an endpoint together stay
   * within its rate.
   */
  pollGapMs: () => number;
  /** Called when the reader begins to read the stream, and when it stops. */
  onStreaming: (streaming: boolean) => void;
}

/** Shortest time between two polls of a stream if the service answers an empty stream immediately. */
const POLL_MS = 250;

/** Sends one request about a job that has not started. Returns whether its stream can be read now. */
async function hasStarted(questions: JobQuestions, { note }: JobNotes): Promise<boolean> {
  const timeline = await questions.timeline();
  if (timeline) {
    if (timeline.status === 'IN_QUEUE') {
      // It may have run before, and have lost its worker.
      note({ ...timelineFacts(timeline), status: 'IN_QUEUE' });
      return false;
    }
    note({ ...timelineFacts(timeline), ...(isTerminal(timeline.status) ? {} : { status: 'IN_PROGRESS' }) });
    return true;
  }
  const { view } = await questions.status();
  if (view.status === 'IN_QUEUE') note({ status: view.status });
  if (view.status === 'IN_PROGRESS') note({ status: view.status, ...viewFacts(view) });
  return view.status !== 'IN_QUEUE';
}

/** The end note; null if the job has not ended, because it may have been queued again between two requests. */
async function conclude(questions: JobQuestions, notes: JobNotes, now: () => number): Promise<EndNote | null> {
  const { view, output } = await questions.status();
  if (!isTerminal(view.status)) return null;
  notes.restartAt(view.retries ?? 0);
  const timeline = await questions.timeline();
  const facts: JobFacts = {
    ...(timeline && timelineFacts(timeline)),
    ...viewFacts(view),
    status: view.status,
    finishedAt: timeOf(timeline?.finishedAt ?? null) ?? now(),
    error: view.error ?? null,
  };
  const allChunks = notes.mayHaveGap() ? await questions.allChunks() : null;
  return notes.finished(view.status === 'CANCELLED' ? facts : { ...facts, waiting: null }, output, allChunks);
}

/**
 * Resolves when the job has ended and its end is written, or when the signal is aborted. An abort because of
 * `AccountGone` is also written as the end. Rejects if that cannot be written.
 */
export async function readJobToItsEnd(options: ReaderOptions): Promise<void> {
  const { entry, jobId, signal, clock, logger, wakeup, refreshMs, pollGapMs, onStreaming } = options;
  const notes = createJobNotes(entry, options);
  const questions = createJobQuestions({ ...options, note: notes.note });
  const rest = (ms: number): Promise<void> => restUntil(clock, ms, signal, wakeup);
  let failures = 0;
  /** The end note, once the end is known. The write is repeated until the ledger accepts it. */
  const ending: { note: EndNote | null } = { note: null };
  let started = false;

  function begin(now: boolean): void {
    started = now;
    onStreaming(now);
  }

  /**
   * Reads the next chunks. Returns `ended` if the job has ended and every chunk is read, `queued` if it was queued
   * again, `restarted` if the chunks are the first of a new attempt, whose times are not known yet.
   */
  async function readChunks(): Promise<'more' | 'ended' | 'queued' | 'restarted'> {
    const askedAt = clock.now();
    await notes.saveChunks();
    const answer = await questions.stream();
    if (answer) {
      const isNewAttempt = notes.restartAt(answer.retries);
      notes.receive(answer.chunks, answer.metrics);
      await notes.saveChunks();
      if (isNewAttempt) return 'restarted';
      if (answer.chunks.length > 0) {
        // A clock that was set back shows a negative time.
        const restMs = pollGapMs() - Math.max(0, clock.now() - askedAt);
        if (restMs > 0) await rest(restMs);
        return 'more';
      }
    }
    const state = answer?.status ?? (await questions.status()).view.status;
    if (isTerminal(state)) return 'ended';
    if (state === 'IN_QUEUE') return 'queued';
    if (clock.now() - askedAt < POLL_MS) await rest(Math.max(POLL_MS, answer?.status ? 0 : refreshMs()));
    return 'more';
  }

  /** Returns whether the end is written. */
  async function step(): Promise<boolean> {
    if (ending.note) {
      await notes.saveChunks();
      await ending.note();
      return true;
    }
    if (!started) {
      begin(await hasStarted(questions, notes));
      if (!started) await rest(refreshMs());
      return false;
    }
    const next = await readChunks();
    if (next === 'restarted') begin(false);
    if (next === 'queued') {
      // Its worker was lost, and it waits for another one.
      notes.note({ status: 'IN_QUEUE', startedAt: null });
      begin(false);
    }
    if (next === 'ended') ending.note = await conclude(questions, notes, () => clock.now());
    return false;
  }

  begin(entry.status !== 'IN_QUEUE' && entry.status !== 'SENDING');
  while (!signal.aborted) {
    try {
      if (await step()) return;
      failures = 0;
    } catch (thrown) {
      if (signal.aborted) break;
      const endNote = ending.note ? null : notes.endOf(thrown);
      if (endNote) {
        ending.note = endNote;
        continue;
      }
      // The next request waits until the account is reachable.
      if (thrown instanceof UnreachableError) continue;
      const error = toAppError(thrown);
      const delayMs = retryDelayMs(failures, error, options.random);
      logger.debug(
        { entryId: entry.entryId, jobId, code: error.code, reason: error.message, delayMs },
        'reading a job failed; trying again',
      );
      failures += 1;
      await rest(delayMs);
    }
  }
  // A removed account answers no more requests: the chunks so far are all chunks.
  if (signal.reason instanceof AccountGone) {
    await notes.saveChunks();
    await (ending.note ?? notes.endOf(signal.reason))?.();
  }
}
