/** Where jobs are stored, and who plans their webhooks. */
import type { JobStatus } from '#contract/api/job.ts';
import type { JobRecord } from './jobFields.ts';
import type { Job } from './jobRecord.ts';
import type { JsonText, StoredText } from './payload/payloadRef.ts';
import type { CommitCallback, Urgency } from '../core/commits.ts';

/**
 * Jobs on disk. Writes are collected and committed together at the end of the event loop's turn, in the order they were
 * asked for, with the values they had then; `settled` is called after the commit. Reads see what is committed.
 */
export interface JobStore {
  /**
   * Every record, oldest first; for the start. Read as it is asked for, so that a million of them are never held twice.
   */
  load(): Iterable<JobRecord>;
  /** Where the chunks of each job lie; for the start. */
  loadChunkRows(): { seq: number; firstRow: number; lastRow: number; readRow: number; total: number }[];
  /** One record as it is on disk; null when there is none. */
  reload(seq: number): JobRecord | null;
  nextSeq(): number;
  /** `sealed` bodies carry secrets and are encrypted. Should the commit fail, the file of a stored body is removed. */
  insert(record: JobRecord, body: JsonText, sealed: boolean, settled: CommitCallback, urgency?: Urgency): void;
  update(record: JobRecord, settled: CommitCallback, urgency?: Urgency): void;
  /** Writes the record a few milliseconds later, unless it has left its state by then. Nothing waits for this write. */
  updateLater(record: JobRecord, settled: CommitCallback): void;
  /** The record and its output together. `alongside` runs its own statements in the same transaction. */
  finish(record: JobRecord, output: JsonText | null, settled: CommitCallback, alongside?: (() => void) | null): void;
  /** Records that ended without an output, together. */
  finishAll(records: readonly JobRecord[], settled: CommitCallback): void;
  /** The record, back in the queue; what its attempts wrote is gone with the same commit. */
  restart(record: JobRecord, chunkRows: { firstRow: number; lastRow: number } | null, settled: CommitCallback): void;
  /** Row of the first of `texts`; the others follow it without gaps. */
  appendChunks(seq: number, texts: string[], settled: CommitCallback, urgency?: Urgency): number;
  remove(seq: number, chunkRows: { firstRow: number; lastRow: number } | null, settled: CommitCallback): void;
  /** The request body. Throws when it was sealed with a key that is gone. */
  body(seq: number): JsonText;
  output(seq: number): JsonText | null;
  /** Keeps a progress report for as long as the job runs, or until the next one. */
  hold(seq: number, progress: StoredText): void;
  /** Removes a text that no row refers to. */
  discard(text: StoredText): void;
  /** Oldest first: at most `limit`. */
  chunks(seq: number, fromRow: number, toRow: number, limit: number): { row: number; text: string }[];
}

/** A webhook delivery that is written in the transaction of the job's end. */
export interface PlannedDelivery {
  /** Writes its rows, inside that transaction. */
  write(): void;
  /** Begins to send it, once the transaction is committed. */
  begin(): void;
  /** Called instead where the commit failed. */
  failed(error: unknown): void;
}

/** Plans the webhook that the end of a job calls for. */
export interface WebhookPlanner {
  /**
   * Null where the job has no webhook, or was cancelled. `body` reads the request as it was sent, and may throw.
   */
  planDelivery(job: Job, body: () => JsonText, output: JsonText | null): PlannedDelivery | null;
}

/** A job that failed. */
export interface JobFailure {
  readonly jobId: string;
  readonly endpointId: string;
  /** The worker that had the job last. */
  readonly workerId: string;
  /** What the worker sent, or why the job has no result. */
  readonly error: string;
}

/** Counts jobs of each endpoint, once what happened is committed. Called for every job: must be cheap. */
export interface JobCounter {
  accepted(endpointId: string): void;
  /**
   * `status`: how the job ended. `delayMs`: its wait in the queue; null where no worker had taken it. `executionMs`:
   * its run time; null where it did not run to an end of its own.
   */
  ended(endpointId: string, status: JobStatus, delayMs: number | null, executionMs: number | null): void;
}
