/** How many jobs there are of each kind, and which of them need a person. */
import type { SQLInputValue } from 'node:sqlite';
import * as z from 'zod';
import { readError } from '#contract/api/readError.ts';
import { limits } from '#contract/core/limits.ts';
import {
  FAILED_STATUSES,
  type FailedJobs,
  type JobCounts,
  type JobsToAttend,
  type LedgerFilter,
  type WaitingJobs,
} from '#contract/app/ledger.ts';
import { BLOCK_BITS } from '../migrations.ts';
import type { Ledger } from '../port.ts';
import { blocksOf, type Sql } from '../query.ts';

/** Groups of failed jobs in one answer. The jobs of further groups are counted together. */
const MOST_GROUPS = 50;

const placeSchema = z.object({ accountId: z.string(), endpointId: z.string(), endpointName: z.string() });
const failedSchema = placeSchema.extend({ error: z.string(), jobs: z.int(), lastAt: z.number() });
const waitingSchema = placeSchema.extend({ jobs: z.int(), reason: z.string() });
const expiringSchema = z.object({ accountId: z.string(), jobs: z.int(), firstAt: z.number() });

const PLACE = 'e.account_id AS accountId, e.endpoint_id AS endpointId, e.endpoint_name AS endpointName';

/**
 * The part of an error that has its sentence. Only a Python traceback or JSON may have it behind the first line, and
 * without the traces of the others there are few groups.
 */
const SENTENCE = `CASE WHEN e.error GLOB 'Traceback*' OR e.error GLOB '{*' THEN e.error
  ELSE substr(e.error, 1, instr(e.error || char(10), char(10)) - 1) END`;

export function createSummaries(sql: Sql): Pick<Ledger, 'counts' | 'toAttend' | 'expiring'> {
  function counts(filter: LedgerFilter, since: number): JobCounts {
    const count = (more: LedgerFilter): number =>
      blocksOf(sql, { ...filter, ...more }).reduce((sum, { jobs }) => sum + jobs, 0);
    return {
      running: count({ statuses: ['IN_PROGRESS'] }),
      queued: count({ statuses: ['SENDING', 'IN_QUEUE'] }),
      since: count({ sentAfter: since }),
      failed: count({ sentAfter: since, statuses: [...FAILED_STATUSES] }),
    };
  }

  /** Newest failure first. Errors differ in their traces, so that they are grouped by their sentence. */
  function failedSince(since: number, dismissed: Readonly<Record<string, number>>): FailedJobs[] {
    const [block] = Object.values(sql('SELECT min(block) FROM blocks WHERE last_at >= ?').get(since) ?? {});
    if (block === null || block === undefined) return [];
    const values: SQLInputValue[] = [JSON.stringify(dismissed), ...FAILED_STATUSES];
    const rows = sql(
      `WITH dismissed AS MATERIALIZED (SELECT key, value AS at FROM json_each(?))
       SELECT ${PLACE}, coalesce(${SENTENCE}, '') AS error, count(*) AS jobs,
           max(coalesce(e.finished_at, e.sent_at)) AS lastAt
         FROM entries e LEFT JOIN dismissed d ON d.key = e.account_id || '/' || e.endpoint_id
         WHERE e.status IN (${FAILED_STATUSES.map(() => '?').join(', ')}) AND e.seq >= ? AND e.sent_at >= ?
           AND coalesce(e.finished_at, e.sent_at) > coalesce(d.at, 0)
         GROUP BY e.account_id, e.endpoint_id, ${SENTENCE}`,
    ).iterate(...values, Number(block) * 2 ** BLOCK_BITS, since);
    const groups = new Map<string, FailedJobs>();
    for (const row of rows) {
      const { error, ...one } = failedSchema.parse(row);
      const { headline } = readError(error);
      const key = `${one.accountId}/${one.endpointId} ${headline}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { ...one, headline });
      else {
        group.jobs += one.jobs;
        if (one.lastAt > group.lastAt) Object.assign(group, { lastAt: one.lastAt, endpointName: one.endpointName });
      }
    }
    return [...groups.values()].toSorted((one, other) => other.lastAt - one.lastAt);
  }

  /** Only some jobs of a queue have a reason. The others wait behind them. */
  const waitingNow = (): WaitingJobs[] =>
    sql(
      `SELECT ${PLACE}, count(*) AS jobs, e.waiting AS reason, min(iif(e.waiting IS NULL, NULL, e.seq)) AS first
         FROM entries e WHERE e.status = 'IN_QUEUE' AND e.trouble IS NULL
         GROUP BY e.account_id, e.endpoint_id HAVING first IS NOT NULL ORDER BY first DESC`,
    )
      .all()
      .map((row) => waitingSchema.parse(row));

  return {
    counts,
    toAttend(since, dismissed): JobsToAttend {
      const failed = failedSince(since, dismissed);
      return {
        failed: failed.slice(0, MOST_GROUPS),
        otherFailed: failed.slice(MOST_GROUPS).reduce((sum, { jobs }) => sum + jobs, 0),
        waiting: waitingNow(),
      };
    },
    expiring(now, withinMs) {
      const { run, runsync } = limits.retentionMs;
      // The sign hides the state from the planner: its index would lead through every job that has ever ended.
      return sql(
        `SELECT account_id AS accountId, count(*) AS jobs, min(at) AS firstAt FROM (
           SELECT account_id, finished_at + iif(mode = 'runsync', ?, ?) AS at FROM entries
             WHERE finished_at > ? AND +status = 'COMPLETED')
           WHERE at > ? AND at <= ? GROUP BY account_id`,
      )
        .all(runsync, run, now - Math.max(run, runsync), now, now + withinMs)
        .map((row) => expiringSchema.parse(row));
    },
  };
}
