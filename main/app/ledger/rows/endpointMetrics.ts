/**
 * Counts what happened at an endpoint over time, from its jobs in the ledger. It reads a slice of jobs at a time and
 * lets other work run in between. It remembers how new the jobs of each slice are, so that a short period does not read
 * old slices again.
 */
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import { ledgerStatusSchema } from '#contract/app/ledger.ts';
import type { ShownSums } from '#contract/app/endpointReadModels.ts';
import { countDuration, newHistogram, percentilesOf, type Histogram } from '#contract/core/histogram.ts';
import { BLOCK_BITS } from '../migrations.ts';
import type { EndpointPlace, Ledger, MetricParts, SeenMetrics } from '../port.ts';
import type { Sql } from '../query.ts';

export interface EndpointMetricsRows {
  read: Ledger['endpointMetrics'];
  /** Notes a job that was added, changed or removed, by its number. */
  changed(seq: number): void;
}

/** Base-2 logarithm of the number of jobs in one slice: they are read in a few milliseconds. */
const SLICE_BITS = 10;
const SLICE_JOBS = 2 ** SLICE_BITS;
const BLOCK_SLICES = 2 ** (BLOCK_BITS - SLICE_BITS);
/** Time after which a count lets other work run, in milliseconds. One slice may take longer. */
const STEP_MS = 10;
/** Endpoints whose slices are remembered: those of a few windows. */
const REMEMBERED = 16;

const attemptSchema = z.object({
  status: ledgerStatusSchema,
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  delayTime: z.number().nullable(),
  executionTime: z.number().nullable(),
});
const jobSchema = attemptSchema.extend({ sentAt: z.number() });
type Attempt = z.infer<typeof attemptSchema>;
type Job = z.infer<typeof jobSchema>;

const attemptColumns = (table: string): string =>
  `${table}.status AS status, ${table}.started_at AS startedAt, ${table}.finished_at AS finishedAt,
   ${table}.delay_time AS delayTime, ${table}.execution_time AS executionTime`;

/** The counts of a span of time, from which its sums are made. */
interface Counts {
  accepted: number;
  completed: number;
  failed: number;
  cancelled: number;
  timedOut: number;
  delay: Histogram;
  execution: Histogram;
  executionMs: number;
}

const newCounts = (): Counts => ({
  accepted: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  timedOut: 0,
  delay: newHistogram(),
  execution: newHistogram(),
  executionMs: 0,
});

const endings: Partial<Record<Attempt['status'], 'completed' | 'failed' | 'cancelled' | 'timedOut'>> = {
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TIMED_OUT: 'timedOut',
};

/** The end of an attempt, milliseconds since the epoch; null while it is open or if its end is not known. */
const endOf = ({ status, finishedAt }: Attempt): number | null => (endings[status] ? finishedAt : null);

function countEnd(counts: Counts, { status, startedAt, delayTime, executionTime }: Attempt): void {
  const ending = endings[status];
  if (!ending) return;
  counts[ending] += 1;
  // If no worker took the job, it did not run, and its time in the queue is not counted as a delay.
  const wasTaken = startedAt !== null || executionTime !== null;
  if (delayTime !== null && wasTaken) countDuration(counts.delay, delayTime);
  if (executionTime === null || status === 'CANCELLED') return;
  countDuration(counts.execution, executionTime);
  counts.executionMs += executionTime;
}

const sumsOf = ({ delay, execution, ...counts }: Counts): ShownSums => ({
  ...counts,
  delay: percentilesOf(delay),
  execution: percentilesOf(execution),
  workers: null,
  cost: null,
});

/** Counts jobs and their earlier attempts into the total and the parts. */
function createCounting({ from, stepMs, points: length }: MetricParts) {
  const total = newCounts();
  const points = Array.from({ length }, newCounts);
  let jobs = 0;
  let unaccepted = 0;
  function at(time: number, count: (counts: Counts) => void): boolean {
    if (time < from) return false;
    count(total);
    const point = points[Math.floor((time - from) / stepMs)];
    // A clock that was set back leaves jobs of the future.
    if (point) count(point);
    return true;
  }
  const ended = (attempt: Attempt): boolean => {
    const end = endOf(attempt);
    return end !== null && at(end, (counts) => countEnd(counts, attempt));
  };
  return {
    job(job: Job): void {
      if (job.status === 'SENDING') return;
      if (job.status === 'REFUSED' || job.status === 'UNANSWERED') {
        if (job.sentAt >= from) unaccepted += 1;
        return;
      }
      const wasSent = at(job.sentAt, (counts) => (counts.accepted += 1));
      const hasEnded = ended(job);
      if (wasSent || hasEnded) jobs += 1;
    },
    earlierAttempt: (attempt: Attempt): void => void ended(attempt),
    result: (): SeenMetrics => ({ total: sumsOf(total), points: points.map(sumsOf), jobs, unaccepted }),
  };
}

/** `now`: milliseconds of a monotonic clock. */
export function createEndpointMetrics(sql: Sql, now: () => number): EndpointMetricsRows {
  /** By the endpoint: the newest time of each slice that was read, milliseconds since the epoch. */
  const remembered = new Map<string, Map<number, number>>();

  function newestOf({ accountId, endpointId }: EndpointPlace): Map<number, number> {
    const key = JSON.stringify([accountId, endpointId]);
    const newest = remembered.get(key) ?? new Map<number, number>();
    // Deletes and inserts it again: the last used one is removed last.
    remembered.delete(key);
    remembered.set(key, newest);
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    return newest;
  }

  const blocksOf = ({ accountId, endpointId }: EndpointPlace): number[] =>
    sql('SELECT DISTINCT block FROM tallies WHERE account_id = ? AND endpoint_id = ?')
      .all(accountId, endpointId)
      .map((row) => Number(row['block']));

  /** Reads row by row along the jobs: the other columns of a job, which may be long, are not read. */
  const jobsIn = (slice: number, { accountId, endpointId }: EndpointPlace): Job[] =>
    sql(
      `SELECT ${attemptColumns('e')}, e.sent_at AS sentAt FROM entries e NOT INDEXED
         WHERE e.seq BETWEEN ? AND ? AND e.account_id = ? AND e.endpoint_id = ?`,
    )
      .all(slice * SLICE_JOBS, (slice + 1) * SLICE_JOBS - 1, accountId, endpointId)
      .map((row) => jobSchema.parse(row));

  const attemptsIn = (slice: number, { accountId, endpointId }: EndpointPlace): Attempt[] =>
    sql(
      `SELECT ${attemptColumns('a')} FROM attempts a CROSS JOIN entries e ON e.seq = a.seq
         WHERE a.seq BETWEEN ? AND ? AND e.account_id = ? AND e.endpoint_id = ?`,
    )
      .all(slice * SLICE_JOBS, (slice + 1) * SLICE_JOBS - 1, accountId, endpointId)
      .map((row) => attemptSchema.parse(row));

  return {
    async read(place, parts, signal) {
      const counting = createCounting(parts);
      const newest = newestOf(place);
      let until = now() + STEP_MS;
      for (const block of blocksOf(place)) {
        for (let slice = block * BLOCK_SLICES; slice < (block + 1) * BLOCK_SLICES; slice += 1) {
          if ((newest.get(slice) ?? Infinity) < parts.from) continue;
          if (now() >= until) {
            await turn();
            if (signal?.aborted) return counting.result();
            until = now() + STEP_MS;
          }
          const jobs = jobsIn(slice, place);
          const attempts = jobs.length === 0 ? [] : attemptsIn(slice, place);
          jobs.forEach(counting.job);
          attempts.forEach(counting.earlierAttempt);
          const times = [...jobs.map(({ sentAt }) => sentAt), ...[...jobs, ...attempts].map((one) => endOf(one) ?? 0)];
          newest.set(
            slice,
            times.reduce((latest, time) => Math.max(latest, time), -Infinity),
          );
        }
      }
      return counting.result();
    },
    changed(seq) {
      const slice = Math.floor(seq / SLICE_JOBS);
      for (const newest of remembered.values()) newest.delete(slice);
    },
  };
}
