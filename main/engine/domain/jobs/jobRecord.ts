/** A job in memory: its stored record (jobFields.ts), and what lives only in memory while it is of use. */
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { JobRecord } from './jobFields.ts';
import type { ChunkTail } from './payload/chunkBuffer.ts';
import { cut, type JsonParts, type JsonText } from './payload/payloadRef.ts';

/**
 * No worker gets the job until a person releases it: it ran at several crashes of the engine and may be their cause.
 */
export const isQuarantined = ({ crashes }: Pick<JobRecord, 'crashes'>): boolean => crashes >= limits.crashesToSetAside;

/** The end of a running job's time: an entry of its own, since only running jobs have one. */
export interface RunTimeout {
  slot: number;
  readonly job: Job;
}

/** A job in memory. */
export interface Job extends JobRecord {
  /** Its place among the deadlines: of its ttl or its retention, whichever comes first. */
  slot: number;
  /** Writes that are not yet committed; nothing is told about the job before they are. */
  pendingWrites: number;
  /** Request body, until the store has it. */
  body: JsonText | null;
  /** Result, until the store has it; while running, what the handler last reported as progress. */
  output: JsonText | null;
  chunks: ChunkLog | null;
  waiters: Set<() => void> | null;
  /** When `startedAt` was, on the clock that never runs backwards. */
  startedElapsed: number;
  timeout: RunTimeout | null;
  /** When the worker that took it was started, where that is known. */
  workerStartedAt: number | null;
  /** The price of its worker when it took the job, US dollars per hour; null where that is not known. */
  pricePerHour: number | null;
  /** How many of its workers something outside of them ended, since this engine started. */
  endedFromOutside: number;
  /**
   * Whether the queue still has an entry for it. The entry stays until the queue reaches it, even if the job has ended.
   */
  isEnqueued: boolean;
  removed: boolean;
}

/** Whether the job has ended, and its end is on disk. */
export const hasSettledEnd = (job: Job): boolean => job.pendingWrites === 0 && isTerminal(job.status);

/** The chunks of a job. Indexes count from 0; rows are those of the store's append table. */
export interface ChunkLog {
  firstRow: number;
  lastRow: number;
  total: number;
  /** How many may be read. */
  ready: number;
  /** Last row that is on disk. */
  storedRow: number;
  /** Row of the next chunk to read, at least. */
  readRow: number;
  /** The newest chunks, and all that are not on disk yet: a reader who keeps up costs no query. */
  readonly tail: ChunkTail;
  /** Characters of those that are not on disk yet. */
  unwrittenLength: number;
  /** Characters of the longest chunk, at most. */
  longest: number;
}

/**
 * The text that a worker gets: the request body with the job's id. The id is last, so that it replaces an id in the
 * body.
 */
export function workerJobText(id: string, body: JsonText): string | JsonParts {
  const ending = `,"id":"${id}"}`;
  if (typeof body === 'string') return body.slice(0, body.lastIndexOf('}')) + ending;
  // A stored body ends with its brace.
  return [cut(body, body.part.start, body.part.end - 1), ending];
}
