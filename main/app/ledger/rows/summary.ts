/** How many jobs there are of each kind, and how many results expire. */
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import type { LedgerFilter, OpenJobs } from '#contract/app/ledger.ts';
import { FAILED_STATUSES } from '#contract/app/jobs/failures.ts';
import type { Ledger } from '../port.ts';
import { blocksOf, type Sql } from '../query.ts';

const expiringSchema = z.object({ accountId: z.string(), jobs: z.int(), firstAt: z.number() });

export function createSummaries(sql: Sql): Pick<Ledger, 'counts' | 'openJobs' | 'expiring'> {
  const count = (filter: LedgerFilter): number => blocksOf(sql, filter).reduce((sum, { jobs }) => sum + jobs, 0);
  const openOf = (filter: LedgerFilter): OpenJobs => ({
    running: count({ ...filter, statuses: ['IN_PROGRESS'] }),
    queued: count({ ...filter, statuses: ['SENDING', 'IN_QUEUE'] }),
  });

  return {
    counts: (filter, since) => ({
      ...openOf(filter),
      since: count({ ...filter, sentAfter: since }),
      failed: count({ ...filter, sentAfter: since, statuses: [...FAILED_STATUSES] }),
    }),
    openJobs: () => openOf({}),
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
