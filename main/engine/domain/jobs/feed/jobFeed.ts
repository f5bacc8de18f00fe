/**
 * The feed of all jobs and their changes, for readers that keep a list of them. A change costs one entry in a set, and
 * only while there is a reader: a job that changes often is told once, as it is when it is read.
 */
import { isTerminal } from '#contract/api/job.ts';
import type { JobNote } from '#contract/local/jobFeed.ts';
import type { Cancel, Clock } from '../../core/ports.ts';
import { tooManyRequests } from '../../core/tooManyRequests.ts';
import type { Job } from '../jobRecord.ts';

export interface FeedBatch {
  /** The reader sends it with its next read. It counts up; a batch without jobs has that of the one before. */
  readonly number: number;
  readonly jobs: readonly JobNote[];
  readonly more: boolean;
  /** Jobs that were removed unread because there were too many. */
  readonly missed: number;
}

export interface JobFeed {
  /** The job was added, changed or removed. Called often: must be cheap. */
  touch(job: Job): void;
  /** The job was never stored, so no reader is told of it. */
  forget(job: Job): void;
  /**
   * The next changes, after those of the batch with the number `after`. Another number repeats the last batch: its
   * answer was lost. A new reader, and one that was silent for too long, is told every job that is there. `noteOf` is
   * called only for jobs whose changes are on disk. Throws TOO_MANY_REQUESTS for one reader too many.
   */
  read(reader: string, after: number, noteOf: (job: Job) => JobNote): FeedBatch;
  /** Calls `ready` once there may be something to read, or after `holdMs`. */
  await(reader: string, holdMs: number, ready: () => void): Cancel;
  /** Ends every wait. */
  stop(): void;
}

interface Reader {
  number: number;
  batch: FeedBatch | null;
  /** Jobs that were there when the reader came and were not told yet; null at its end. */
  rest: Iterator<Job> | null;
  readonly dirty: Set<Job>;
  /** The highest `seq` of a job that it was told of. */
  newest: number;
  /** How many of them are removed. */
  gone: number;
  missed: number;
  wake: (() => void) | null;
  /** Ends its wait. */
  stop: (() => void) | null;
  cancelForget: Cancel;
}

/** Most jobs of one answer, and the characters after which it takes no more. */
export const MOST_JOBS = 250;
const TEXT_LENGTH = 4 * 1024 * 1024;
export const MOST_READERS = 8;
/** A reader that is silent for this long begins anew. */
export const FORGOTTEN_MS = 5 * 60_000;
/** Removed jobs that are kept for a slow reader. */
const MOST_GONE = 50_000;
const RETRY_MS = 10_000;
/** A change is read this much later, so that it is on disk by then and its neighbours go with it. */
const GATHER_MS = 20;

const textLength = ({ body, output, chunks }: JobNote): number =>
  (body?.length ?? 0) + (output?.length ?? 0) + chunks.reduce((sum, chunk) => sum + chunk.length, 0);

function nextBatch(reader: Reader, noteOf: (job: Job) => JobNote): FeedBatch {
  const jobs: JobNote[] = [];
  let length = 0;
  const isFull = (): boolean => jobs.length >= MOST_JOBS || length >= TEXT_LENGTH;
  const add = (job: Job): void => {
    const note = noteOf(job);
    jobs.push(note);
    length += textLength(note);
    if (!job.removed) reader.newest = Math.max(reader.newest, job.seq);
  };
  // Readers list jobs in the order of their first notes, so a new job waits for those that were sent before it.
  let waitsForEarlier = reader.rest !== null;
  const mustWait = (job: Job): boolean => {
    if (job.removed) return false;
    const isNew = job.seq > reader.newest;
    // What is not on disk yet may still be taken back.
    if (job.pendingWrites === 0) return isNew && waitsForEarlier;
    if (isNew) waitsForEarlier = true;
    return true;
  };
  let waiting = 0;
  for (const job of reader.dirty) {
    if (isFull()) break;
    if (mustWait(job)) {
      waiting++;
      continue;
    }
    reader.dirty.delete(job);
    if (job.removed) reader.gone--;
    add(job);
  }
  waitsForEarlier = false;
  while (reader.rest && !isFull()) {
    const next = reader.rest.next();
    if (next.done === true) reader.rest = null;
    else if (mustWait(next.value)) reader.dirty.add(next.value);
    else add(next.value);
  }
  const { missed } = reader;
  const more = reader.rest !== null || reader.dirty.size > waiting;
  if (jobs.length === 0) return { number: reader.number, jobs, more, missed: 0 };
  reader.missed = 0;
  return { number: reader.number + 1, jobs, more, missed };
}

/** Calls `ready` a little after the next change, or after `holdMs`. */
function awaitChange(clock: Clock, reader: Reader, holdMs: number, ready: () => void): Cancel {
  let finished = false;
  const finish = (): boolean => {
    if (finished) return false;
    finished = true;
    timeUp();
    if (reader.wake === wake) reader.wake = null;
    if (reader.stop === done) reader.stop = null;
    return true;
  };
  const done = (): void => {
    if (finish()) ready();
  };
  const wake = (): void => {
    if (reader.wake === wake) reader.wake = null;
    timeUp();
    timeUp = clock.after(GATHER_MS, done);
  };
  let timeUp = clock.after(holdMs, done);
  // One wait for each reader: a second request of the same reader ends the first.
  reader.stop?.();
  reader.wake = wake;
  reader.stop = done;
  if (reader.dirty.size > 0) wake();
  return () => void finish();
}

export function createJobFeed(clock: Clock, all: () => Iterable<Job>): JobFeed {
  const readers = new Map<string, Reader>();

  function forgetLater(name: string, reader: Reader): void {
    reader.cancelForget();
    reader.cancelForget = clock.after(FORGOTTEN_MS, () => readers.delete(name));
  }

  function readerOf(name: string, after: number): Reader {
    const known = readers.get(name);
    // A number that it never had comes from an earlier run of the engine.
    if (known && (after === known.number || after === known.number - 1)) return known;
    if (!known && readers.size >= MOST_READERS) {
      throw tooManyRequests(
        `At most ${MOST_READERS} programs read the feed of jobs; ${readers.size} read it now. Stop one of them and try again.`,
        RETRY_MS,
        { limit: MOST_READERS, seen: readers.size },
      );
    }
    known?.cancelForget();
    const reader: Reader = {
      number: after,
      batch: null,
      rest: all()[Symbol.iterator](),
      dirty: new Set(),
      newest: 0,
      gone: 0,
      missed: 0,
      wake: null,
      stop: null,
      cancelForget: () => undefined,
    };
    readers.set(name, reader);
    return reader;
  }

  return {
    touch(job) {
      for (const reader of readers.values()) {
        const isNew = !reader.dirty.has(job);
        if (job.removed) {
          // Its end was told, or will be told with what is left of it.
          if (isNew && isTerminal(job.status)) continue;
          if (reader.gone >= MOST_GONE) {
            reader.dirty.delete(job);
            reader.missed++;
            continue;
          }
          reader.gone++;
        }
        if (isNew) reader.dirty.add(job);
        reader.wake?.();
      }
    },
    forget(job) {
      for (const reader of readers.values()) if (reader.dirty.delete(job) && job.removed) reader.gone--;
    },
    read(name, after, noteOf) {
      const reader = readerOf(name, after);
      forgetLater(name, reader);
      if (reader.batch !== null && after === reader.number - 1) return reader.batch;
      const batch = nextBatch(reader, noteOf);
      reader.batch = batch.number > reader.number ? batch : null;
      reader.number = batch.number;
      return batch;
    },
    await(name, holdMs, ready) {
      const reader = readers.get(name);
      if (!reader) {
        ready();
        return () => undefined;
      }
      return awaitChange(clock, reader, holdMs, ready);
    },
    stop() {
      for (const reader of readers.values()) {
        reader.cancelForget();
        reader.stop?.();
      }
      readers.clear();
    },
  };
}
