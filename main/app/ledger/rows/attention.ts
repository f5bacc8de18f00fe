/**
 * Counts the jobs that need a person. It counts a slice of jobs at a time, lets other work run in between, and counts a
 * slice again only after one of its jobs has changed.
 */
import { setImmediate as turn } from 'node:timers/promises';
import * as z from 'zod';
import { readError } from '#contract/api/readError.ts';
import type { FailedJobs, JobsToAttend } from '#contract/app/ledger.ts';
import { FAILED_STATUSES, failureKey, OTHER_FAILURES, UNDELIVERED } from '#contract/app/jobs/failures.ts';
import { BLOCK_BITS } from '../migrations.ts';
import type { Ledger } from '../port.ts';
import type { Sql } from '../query.ts';
import { undeliveredWebhooks } from './webhooks.ts';

/** Base-2 logarithm of the number of jobs in one slice: they are counted in a few milliseconds. */
const SLICE_BITS = 10;
const SLICE_JOBS = 2 ** SLICE_BITS;
const BLOCK_SLICES = 2 ** (BLOCK_BITS - SLICE_BITS);
/** Time after which a count lets other work run, in milliseconds. One slice may take longer. */
const STEP_MS = 10;
/** Groups of failed jobs in one answer. The jobs of further groups are counted together. */
const MOST_GROUPS = 50;
/** Errors with the same first characters are one group. A longer sentence does not fit on the page. */
const HEADLINE_LENGTH = 500;

const placeSchema = z.object({ accountId: z.string(), endpointId: z.string(), endpointName: z.string() });
const failedSchema = placeSchema.extend({
  error: z.string(),
  jobs: z.int(),
  lastAt: z.number(),
  entryId: z.string(),
});
const waitingSchema = placeSchema.extend({ jobs: z.int(), reason: z.string().nullable(), first: z.int().nullable() });
const countSchema = z.object({ jobs: z.int() });
const blockSchema = z.object({ block: z.int(), firstAt: z.number(), lastAt: z.number() });

/** Queued jobs of one endpoint in one slice. `first`: the number of the first one that has a reason. */
type Queued = z.infer<typeof waitingSchema>;

type Dismissed = Readonly<Record<string, number>>;

interface Slice {
  /** Which failures it has: those sent from a time on, without the dismissed ones. */
  countedFor: string;
  failed: FailedJobs[];
  queued: Queued[];
}

const statusList = FAILED_STATUSES.map((status) => `'${status}'`).join(', ');
const PLACE = 'e.account_id AS accountId, e.endpoint_id AS endpointId, e.endpoint_name AS endpointName';
/** Without statistics, SQLite may prefer to look at every job of the slice. */
const ROWS = 'entries e INDEXED BY entries_status';

/**
 * The part of an error that has its sentence. Only a Python traceback or JSON may have it behind the first line, and
 * without the traces of the others there are few groups.
 */
const SENTENCE = `CASE WHEN e.error GLOB 'Traceback*' OR e.error GLOB '{*' THEN e.error
  ELSE substr(e.error, 1, instr(e.error || char(10), char(10)) - 1) END`;

export interface Attention {
  count: Ledger['toAttend'];
  /** Notes a job that was added, changed or removed, by its number. */
  changed(seq: number): void;
}

/** `now`: milliseconds of a monotonic clock. */
export function createAttention(sql: Sql, now: () => number): Attention {
  let slices = new Map<number, Slice>();

  const blocks = (since: number) =>
    sql(
      `SELECT t.block AS block, b.first_at AS firstAt, b.last_at AS lastAt
         FROM tallies t JOIN blocks b ON b.block = t.block
         WHERE t.status = 'IN_QUEUE' OR (t.status IN (${statusList}) AND b.last_at >= ?) GROUP BY t.block`,
    )
      .all(since)
      .map((row) => blockSchema.parse(row));

  const failedJobs = (condition: string): string => `FROM ${ROWS}
    WHERE e.status IN (${statusList}) AND e.seq BETWEEN ? AND ? AND e.sent_at >= ? ${condition}`;

  /** Errors differ in their traces, so that they are grouped by their sentence. The entry is that of the last failure. */
  function failedIn(first: number, last: number, since: number, dismissed: Dismissed): FailedJobs[] {
    const rows = sql(
      `SELECT ${PLACE}, coalesce(${SENTENCE}, '') AS error, count(*) AS jobs,
           max(coalesce(e.finished_at, e.sent_at)) AS lastAt, e.entry_id AS entryId
         ${failedJobs('')} GROUP BY e.account_id, e.endpoint_id, ${SENTENCE}`,
    ).all(first, last, since);
    const groups = new Map<string, FailedJobs>();
    for (const row of rows) {
      const { error, ...one } = failedSchema.parse(row);
      const group = { ...one, headline: readError(error).headline.slice(0, HEADLINE_LENGTH) };
      const until = dismissed[failureKey(group)] ?? 0;
      if (group.lastAt <= until) continue;
      const place = [one.accountId, one.endpointId, error] as const;
      addFailed(groups, until === 0 ? group : { ...group, jobs: failedAfter(until, place, [first, last, since]) });
    }
    return [...groups.values()];
  }

  /** The failures of an endpoint with this sentence after a time. `range`: the first, the last and the time of jobs. */
  function failedAfter(
    until: number,
    place: readonly [accountId: string, endpointId: string, error: string],
    range: readonly [first: number, last: number, since: number],
  ): number {
    const row = sql(
      `SELECT count(*) AS jobs ${failedJobs(
        `AND e.account_id = ? AND e.endpoint_id = ? AND coalesce(${SENTENCE}, '') = ?
         AND coalesce(e.finished_at, e.sent_at) > ?`,
      )}`,
    ).get(...range, ...place, until);
    return countSchema.parse(row).jobs;
  }

  /** Only some jobs of a queue have a reason. The others wait behind them. */
  const queuedIn = (first: number, last: number): Queued[] =>
    sql(
      `SELECT ${PLACE}, count(*) AS jobs, e.waiting AS reason, min(iif(e.waiting IS NULL, NULL, e.seq)) AS first
         FROM ${ROWS} WHERE e.status = 'IN_QUEUE' AND e.trouble IS NULL AND e.seq BETWEEN ? AND ?
         GROUP BY e.account_id, e.endpoint_id`,
    )
      .all(first, last)
      .map((row) => waitingSchema.parse(row));

  /** `since`: Infinity for no failures. `dismissedJson`: `dismissed` as JSON. */
  function sliceOf(number: number, since: number, dismissed: Dismissed, dismissedJson: string): Slice {
    const countedFor = `${since} ${dismissedJson}`;
    const known = slices.get(number);
    if (known?.countedFor === countedFor) return known;
    const [first, last] = [number * SLICE_JOBS, (number + 1) * SLICE_JOBS - 1];
    const failed = since === Infinity ? [] : failedIn(first, last, since, dismissed);
    const slice = { countedFor, failed, queued: queuedIn(first, last) };
    slices.set(number, slice);
    return slice;
  }

  return {
    async count(since, { [OTHER_FAILURES]: othersUntil = 0, [UNDELIVERED]: webhooksUntil = 0, ...dismissed }, signal) {
      const undelivered = undeliveredWebhooks(sql, since, webhooksUntil);
      const dismissedJson = JSON.stringify(dismissed);
      const failed = new Map<string, FailedJobs>();
      const queued = new Map<string, Queued>();
      const used = new Map<number, Slice>();
      let until = now() + STEP_MS;
      for (const { block, firstAt, lastAt } of blocks(since)) {
        // Another time is the same to a block whose jobs were all sent before both times, or after both.
        const from = lastAt < since ? Infinity : firstAt >= since ? 0 : since;
        for (let number = block * BLOCK_SLICES; number < (block + 1) * BLOCK_SLICES; number += 1) {
          if (now() >= until) {
            await turn();
            if (signal?.aborted) return { ...answerOf(failed, queued, othersUntil), undelivered };
            until = now() + STEP_MS;
          }
          const slice = sliceOf(number, from, dismissed, dismissedJson);
          used.set(number, slice);
          for (const group of slice.failed) addFailed(failed, group);
          for (const one of slice.queued) addQueued(queued, one);
        }
      }
      // Slices of which a job has changed meanwhile are already gone, and stay so.
      slices = new Map([...used].filter(([number, slice]) => slices.get(number) === slice));
      return { ...answerOf(failed, queued, othersUntil), undelivered };
    },
    changed: (seq) => void slices.delete(Math.floor(seq / SLICE_JOBS)),
  };
}

function addFailed(groups: Map<string, FailedJobs>, { ...added }: FailedJobs): void {
  const key = failureKey(added);
  const group = groups.get(key);
  if (group === undefined) {
    groups.set(key, added);
    return;
  }
  group.jobs += added.jobs;
  if (added.lastAt > group.lastAt) {
    const { lastAt, endpointName, entryId } = added;
    Object.assign(group, { lastAt, endpointName, entryId });
  }
}

/** The reason and the name are those of the first job that has a reason. */
function addQueued(queues: Map<string, Queued>, { ...added }: Queued): void {
  const key = `${added.accountId}/${added.endpointId}`;
  const queue = queues.get(key);
  const isFirst = queue === undefined || (added.first !== null && (queue.first === null || added.first < queue.first));
  const jobs = added.jobs + (queue?.jobs ?? 0);
  queues.set(key, { ...(isFirst ? added : queue), jobs });
}

/** `othersUntil`: groups without a later failure are left out. */
function answerOf(
  failed: ReadonlyMap<string, FailedJobs>,
  queued: ReadonlyMap<string, Queued>,
  othersUntil: number,
): Omit<JobsToAttend, 'undelivered'> {
  const newest: FailedJobs[] = [];
  let otherFailed = 0;
  let otherLastAt = 0;
  const addOther = ({ jobs, lastAt }: FailedJobs): void => {
    otherFailed += jobs;
    otherLastAt = Math.max(otherLastAt, lastAt);
  };
  // There may be as many groups as jobs, and sorting them all would block the thread.
  for (const group of failed.values()) {
    if (group.lastAt <= othersUntil) continue;
    const at = newest.findLastIndex(({ lastAt }) => lastAt >= group.lastAt) + 1;
    if (at >= MOST_GROUPS) {
      addOther(group);
      continue;
    }
    newest.splice(at, 0, group);
    const last = newest.length > MOST_GROUPS ? newest.pop() : undefined;
    if (last !== undefined) addOther(last);
  }
  const waiting = [...queued.values()].flatMap(({ first, reason, ...one }) =>
    first === null || reason === null ? [] : { first, waiting: { ...one, reason } },
  );
  return {
    failed: newest,
    otherFailed,
    otherLastAt,
    waiting: waiting.toSorted((one, other) => other.first - one.first).map((one) => one.waiting),
  };
}
