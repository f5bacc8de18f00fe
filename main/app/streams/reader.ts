/** Follows one job from its submission to its end: its state while it waits, its chunks, then its final record. */
import { AppError, toAppError } from '#contract/core/errors.ts';
import { isTerminal, type JobView } from '#contract/api/job.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import type { JobTimeline } from '#contract/local/engine.ts';
import { AccountGone, createAsking, KeyRefused, OutOfReach } from './asking.ts';
import type { JobFacts, StreamsOptions } from './port.ts';
import { mayHaveExecuted } from '../platform/executionCertainty.ts';
import { retryDelayMs } from './circuitBreaker.ts';
import { restUntil } from './wakeup.ts';

export interface ReaderOptions extends StreamsOptions {
  entry: LedgerEntry;
  jobId: string;
  signal: AbortSignal;
  /** Milliseconds between two polls of a job that has not started. */
  refreshMs: () => number;
  /** Polls that bring chunks come no faster than this, so that all readers of an endpoint together stay within its rate. */
  pollGapMs: () => number;
  /** Called when the reader begins to read the stream, and when it stops. */
  onStreaming: (streaming: boolean) => void;
}

/** A service that does not hold an empty stream poll open is not asked more often than this. */
const POLL_MS = 250;
const GONE =
  'The service no longer knows this job: its time to live or its retention has ended, or its endpoint was deleted. What came back before is kept here.';
const ACCOUNT_GONE =
  'Its account was removed from Hangar before the job had ended, so nobody could ask about it any more. What came back before is kept here.';
const refusedWords = (name: string): string =>
  `The key of "${name}" was refused, so this job could not be followed any more. What came back before is kept here. It is looked at again once the key is replaced.`;

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

/** Settles when the job has ended and is noted, or the signal is aborted: with AccountGone, its end is noted. Rejects where that cannot be written. */
export async function readJobToItsEnd(options: ReaderOptions): Promise<void> {
  const { entry, jobId, signal, journal, clock, logger, wakeup, refreshMs, pollGapMs, onStreaming } = options;
  const { entryId, endpointId } = entry;
  let failures = 0;
  let recorded = entry;
  /** It was read before: an answer may have been on its way when that ended. */
  const isLater = entry.chunkCount > 0;
  /** The account does not stream: the state of the job is all there is until its end. */
  let hasStream = true;
  /** How it is to be noted that the job has ended; tried until the ledger takes it. */
  const ending: { note: (() => Promise<void>) | null } = { note: null };
  /** Chunks that were read and are not yet in the ledger: the service tells each one only once. */
  let unkept: string[] = [];

  /** Writes only what differs, so that an unchanged answer wakes nobody. */
  function note(facts: JobFacts): void {
    const keys = Object.keys(facts) as (keyof JobFacts)[];
    if (keys.some((key) => facts[key] !== recorded[key])) recorded = journal.update(entryId, facts);
  }

  const rest = (ms: number): Promise<void> => restUntil(clock, ms, signal, wakeup);
  let troubled = false;
  const asking = createAsking({
    ...options,
    onTrouble(error) {
      troubled = true;
      note({ waiting: `Not followed for now: ${error.message}` });
    },
  });
  const ask: typeof asking.ask = async (operation, call) => {
    const answer = await asking.ask(operation, call);
    if (troubled) note({ waiting: null });
    troubled = false;
    return answer;
  };
  const status = () => ask('status', ({ jobs }) => jobs.status(endpointId, jobId, signal));
  /** Null where the account cannot tell more than the job API. */
  const timelineNow = async (): Promise<JobTimeline | null> =>
    asking.source().local && ask(null, async ({ local }) => (local ? await local.timeline(jobId, signal) : null));

  /** One look at a job that has not started. Answers whether it is time to read its stream. */
  async function hasStarted(): Promise<boolean> {
    const timeline = await timelineNow();
    if (timeline) {
      if (timeline.status === 'IN_QUEUE') {
        note(timelineFacts(timeline));
        return false;
      }
      note({ ...timelineFacts(timeline), ...(isTerminal(timeline.status) ? {} : { status: 'IN_PROGRESS' }) });
      return true;
    }
    const { view } = await status();
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
    if (retries > recorded.retries) recorded = journal.restart(entryId, retries);
  }

  /** One poll of the stream: null where the account has none. */
  async function poll() {
    if (!hasStream) return null;
    try {
      return await ask('stream', ({ jobs }) => jobs.stream(endpointId, jobId, limits.streamHoldMs, signal));
    } catch (thrown) {
      const error = thrown instanceof OutOfReach ? thrown.error : thrown;
      if (!(error instanceof AppError)) throw thrown;
      // What such an answer held was told, and is not told again.
      if (mayHaveExecuted(error)) note({ chunkGap: 'possible' });
      if (error.code !== 'UNSUPPORTED') throw thrown;
      hasStream = false;
      return null;
    }
  }

  /** Answers whether the job has ended, with every chunk read, or waits in the queue again. */
  async function readChunks(): Promise<'more' | 'ended' | 'queued'> {
    const askedAt = clock.now();
    await keep();
    const answer = await poll();
    if (answer) {
      beginAnew(answer.retries);
      unkept = answer.chunks;
      await keep();
      if (answer.chunks.length > 0) {
        // A clock that was set back says that no time has passed.
        const restMs = pollGapMs() - Math.max(0, clock.now() - askedAt);
        if (restMs > 0) await rest(restMs);
        return 'more';
      }
    }
    const state = answer?.status ?? (await status()).view.status;
    if (isTerminal(state)) return 'ended';
    if (state === 'IN_QUEUE') return 'queued';
    if (clock.now() - askedAt < POLL_MS) await rest(Math.max(POLL_MS, answer?.status ? 0 : refreshMs()));
    return 'more';
  }

  /** Answers whether the job really has ended: between two requests it may have been queued again. */
  async function conclude(): Promise<boolean> {
    const { view, output } = await status();
    if (!isTerminal(view.status)) return false;
    beginAnew(view.retries ?? 0);
    const timeline = await timelineNow();
    const facts: JobFacts = {
      ...(timeline && timelineFacts(timeline)),
      ...viewFacts(view),
      status: view.status,
      finishedAt: at(timeline?.finishedAt ?? null) ?? clock.now(),
      error: view.error ?? null,
      waiting: null,
    };
    ending.note = () => journal.finish(entryId, facts, output, isLater || recorded.chunkGap === 'possible');
    return true;
  }

  let started = false;
  function begin(now: boolean): void {
    started = now;
    onStreaming(now);
  }

  /** Answers whether the end is noted. */
  async function step(): Promise<boolean> {
    if (ending.note) {
      await keep();
      await ending.note();
      return true;
    }
    if (!started) {
      begin(await hasStarted());
      if (!started) await rest(refreshMs());
      return false;
    }
    const next = await readChunks();
    if (next === 'queued') {
      // Its worker was lost, and it waits for another one.
      note({ status: 'IN_QUEUE', startedAt: null });
      begin(false);
    }
    if (next === 'ended') await conclude();
    return false;
  }

  /** How a failure ends the job; null where it is to be tried again. */
  function endOf(thrown: unknown): (() => Promise<void>) | null {
    const facts = { status: 'GONE', waiting: null, finishedAt: clock.now() } as const;
    if (thrown instanceof KeyRefused) {
      return () => journal.giveUp(entryId, { ...facts, error: refusedWords(entry.accountName) });
    }
    const isGone = thrown instanceof AccountGone;
    if (!isGone && toAppError(thrown).code !== 'NOT_FOUND') return null;
    return () => journal.finish(entryId, { ...facts, error: isGone ? ACCOUNT_GONE : GONE }, null);
  }

  begin(entry.status !== 'IN_QUEUE' && entry.status !== 'SENDING');
  while (!signal.aborted) {
    try {
      if (await step()) return;
      failures = 0;
    } catch (thrown) {
      if (signal.aborted) break;
      const endNote = ending.note ? null : endOf(thrown);
      if (endNote) {
        ending.note = endNote;
        continue;
      }
      // Asking again waits until the account can be reached.
      if (thrown instanceof OutOfReach) continue;
      const error = toAppError(thrown);
      const delayMs = retryDelayMs(failures, error, options.random);
      logger.debug(
        { entryId, jobId, code: error.code, reason: error.message, delayMs },
        'reading a job failed; trying again',
      );
      failures += 1;
      await rest(delayMs);
    }
  }
  // Nobody can be asked any more: what came so far is all that comes.
  if (signal.reason instanceof AccountGone) {
    await keep();
    await (ending.note ?? endOf(signal.reason))?.();
  }
}
