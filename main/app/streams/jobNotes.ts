/** The notes of a reader in the ledger about its job: facts, chunks, and the end. */
import type { JobView } from '#contract/api/job.ts';
import { jobFactNames, type JobFacts, type LedgerEntry } from '#contract/app/ledger.ts';
import { toAppError } from '#contract/core/errors.ts';
import type { JobTimeline } from '#contract/local/engine.ts';
import { AccountGone, KeyRefused } from './asking.ts';
import type { StreamsOptions } from './port.ts';

const GONE =
  'The service no longer knows this job: its time to live or retention has expired, or its endpoint was deleted. Its output until then is here.';
const ACCOUNT_GONE =
  'Its account was removed from Hangar before the job ended, so Hangar could not follow it. Its output until then is here.';
const refusedWords = (name: string): string =>
  `The key of "${name}" was refused, so Hangar could not follow this job. Its output until then is here. Hangar follows it again once the key is replaced.`;

/** Milliseconds since the epoch. */
export const timeOf = (time: string | null): number | null => (time === null ? null : Date.parse(time));

export function timelineFacts(timeline: JobTimeline): JobFacts {
  const { queuedAt = null, startedAt } = timeline;
  const facts = {
    ...(queuedAt !== null && {
      // Null in the first attempt, which waits from the moment when the job was sent.
      queuedAt: queuedAt > timeline.submittedAt ? timeOf(queuedAt) : null,
      // What the service will say in `delayTime`, so that the time of a job that runs is that of the job that ended.
      delayTime: startedAt === null ? null : Date.parse(startedAt) - Date.parse(queuedAt),
    }),
    workerStartedAt: timeOf(timeline.workerStartedAt),
    startedAt: timeOf(startedAt),
    // An engine that was started since the job took its worker does not know it any more.
    ...(timeline.pricePerHour !== null && { pricePerHour: timeline.pricePerHour }),
    workerId: timeline.workerId,
  };
  // Of a job that no worker had, the reason why it waited is all there is to know.
  return timeline.status === 'CANCELLED' ? facts : { ...facts, waiting: timeline.waiting?.message ?? null };
}

export const viewFacts = (view: JobView): JobFacts => ({
  delayTime: view.delayTime ?? null,
  executionTime: view.executionTime ?? null,
  workerId: view.workerId ?? null,
});

/** Writes the end of the job; rejects if the ledger cannot be written. */
export type EndNote = () => Promise<void>;

export interface JobNotes {
  /** Writes only the facts that differ, so that an unchanged answer notifies nobody. */
  note(facts: JobFacts): void;
  /**
   * Drops the chunks and the times of a lost worker, which are no part of the result, if `retries` has grown. Returns
   * whether it has.
   */
  restartAt(retries: number): boolean;
  /**
   * Chunks of an answer. The service sends them only once, so they stay in memory until `saveChunks` has written them.
   */
  receive(chunks: string[], metrics: (string | null)[] | undefined): void;
  /** Rejects while the ledger cannot be written, for example on a full disk. */
  saveChunks(): Promise<void>;
  /** Whether an answer with chunks of this attempt may have been lost. */
  mayHaveGap(): boolean;
  /** The note of a job that ended. `allChunks`: every chunk of the attempt; null if the account does not have them. */
  finished(facts: JobFacts, output: string | null, allChunks: readonly string[] | null): EndNote;
  /** The end note of a job that cannot be followed after this failure; null if the failure may pass. */
  endOf(thrown: unknown): EndNote | null;
}

export function createJobNotes(entry: LedgerEntry, { journal, clock }: StreamsOptions): JobNotes {
  const { entryId } = entry;
  let recorded = entry;
  let unsaved: string[] = [];
  let unsavedMetrics: (string | null)[] = [];
  /** The attempt was read before: an answer may have been lost when that reader ended, for example in a crash. */
  let isLater = entry.status === 'IN_PROGRESS' || entry.chunkCount > 0;
  const mayHaveGap = (): boolean => isLater || recorded.chunkGap === 'possible';

  return {
    note(facts) {
      if (jobFactNames.some((name) => name in facts && facts[name] !== recorded[name])) {
        recorded = journal.update(entryId, facts);
      }
    },
    restartAt(retries) {
      if (retries <= recorded.retries) return false;
      recorded = journal.restart(entryId, retries);
      isLater = false;
      return true;
    },
    receive(chunks, metrics = []) {
      unsaved = chunks;
      unsavedMetrics = metrics;
    },
    async saveChunks() {
      await journal.appendChunks(entryId, clock.now(), unsaved, unsavedMetrics);
      unsaved = [];
      unsavedMetrics = [];
    },
    mayHaveGap,
    finished: (facts, output, allChunks) => () =>
      journal.finish(entryId, facts, output, mayHaveGap() ? { allChunks } : undefined),
    endOf(thrown) {
      const facts = { status: 'GONE', waiting: null, trouble: null, finishedAt: clock.now() } as const;
      if (thrown instanceof KeyRefused) {
        return () => journal.giveUp(entryId, { ...facts, error: refusedWords(entry.accountName) });
      }
      const isGone = thrown instanceof AccountGone;
      if (!isGone && toAppError(thrown).code !== 'NOT_FOUND') return null;
      return () => journal.finish(entryId, { ...facts, error: isGone ? ACCOUNT_GONE : GONE }, null);
    },
  };
}
