/** A ledger filter as SQL, and what it leaves of each block of jobs. */
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { ledgerStatuses, type LedgerEntry, type LedgerFilter } from '#contract/app/ledger.ts';
import { BLOCK_BITS } from './migrations.ts';
import { entryColumns, toEntry } from './rows/jobs.ts';

export type Sql = (text: string) => StatementSync;

interface Condition {
  sql: string;
  values: SQLInputValue[];
}

/** What is asked of the kind of a job: the columns that tallies have as well. Without the text and the time. */
function kind({ statuses, accountId, endpointId }: LedgerFilter): Condition {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  // With the states named, an index leads to the newest of an account or endpoint.
  const named = statuses ?? (accountId === undefined && endpointId === undefined ? undefined : ledgerStatuses);
  if (named) {
    parts.push(`status IN (${named.map(() => '?').join(', ')})`);
    values.push(...named);
  }
  if (accountId !== undefined) {
    parts.push('account_id = ?');
    values.push(accountId);
  }
  if (endpointId !== undefined) {
    parts.push('endpoint_id = ?');
    values.push(endpointId);
  }
  return { sql: parts.length === 0 ? 'TRUE' : parts.join(' AND '), values };
}

/** WHERE of the rows that fit all but the text; the entry table is `e`. */
export function rowCondition(filter: LedgerFilter): Condition {
  const { sql, values } = kind(filter);
  const { sentAfter, sentBefore } = filter;
  return {
    sql: `${sql}${sentAfter === undefined ? '' : ' AND sent_at >= ?'}${sentBefore === undefined ? '' : ' AND sent_at < ?'}`,
    values: [
      ...values,
      ...(sentAfter === undefined ? [] : [sentAfter]),
      ...(sentBefore === undefined ? [] : [sentBefore]),
    ],
  };
}

export interface Block {
  /** First and last number a job of this block can have. */
  first: number;
  last: number;
  /** How many jobs of it fit the filter, its text aside. */
  jobs: number;
}

/** The blocks in which there is something to find, the newest first. */
export function blocksOf(sql: Sql, filter: LedgerFilter): Block[] {
  const { sql: where, values } = kind(filter);
  const rows = sql(
    `SELECT t.block AS block, sum(t.jobs) AS jobs, b.first_at AS firstAt, b.last_at AS lastAt
       FROM tallies t JOIN blocks b ON b.block = t.block WHERE ${where}
       GROUP BY t.block ORDER BY t.block DESC`,
  ).all(...values) as { block: number; jobs: number; firstAt: number; lastAt: number }[];
  const { sentAfter: after = -Infinity, sentBefore: before = Infinity } = filter;
  const matches: Block[] = [];
  for (const { block, jobs, firstAt, lastAt } of rows) {
    if (lastAt < after || firstAt >= before) continue;
    const first = block * 2 ** BLOCK_BITS;
    const last = first + 2 ** BLOCK_BITS - 1;
    const left = firstAt >= after && lastAt < before ? jobs : countRows(sql, filter, first, last);
    if (left > 0) matches.push({ first, last, jobs: left });
  }
  return matches;
}

function countRows(sql: Sql, filter: LedgerFilter, first: number, last: number): number {
  const { sql: where, values } = rowCondition(filter);
  const row = sql(`SELECT count(*) AS jobs FROM entries WHERE seq BETWEEN ? AND ? AND ${where}`);
  return Number(row.get(first, last, ...values)?.['jobs']);
}

/** Above this share of matching rows, a block is scanned instead of read by an index. */
const DENSE = 0.25;

/** The rows that fit a filter without text, newest first. */
export function pageOf(
  sql: Sql,
  filter: LedgerFilter,
  blocks: readonly Block[],
  offset: number,
  limit: number,
): LedgerEntry[] {
  const { sql: where, values } = rowCondition(filter);
  const entries: LedgerEntry[] = [];
  let skip = offset;
  for (const { first, last, jobs } of blocks) {
    if (entries.length >= limit) break;
    if (skip >= jobs) {
      skip -= jobs;
      continue;
    }
    const indexHint = jobs > DENSE * (last - first) ? 'NOT INDEXED' : '';
    const rows = sql(
      `SELECT ${entryColumns} FROM entries e ${indexHint} WHERE seq BETWEEN ? AND ? AND ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`,
    ).all(first, last, ...values, limit - entries.length, skip);
    for (const row of rows) entries.push(toEntry(row));
    skip = 0;
  }
  return entries;
}
