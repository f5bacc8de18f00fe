/** Translates a ledger filter to SQL, and counts the matches of each block of jobs. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { ledgerStatuses, type LedgerEntry, type LedgerFilter } from '#contract/app/ledger.ts';
import { BLOCK_BITS } from './migrations.ts';
import { entryColumns, toEntry } from './rows/jobs.ts';

export type Sql = (text: string) => StatementSync;

/** Prepares the statement of each text once. Throws an error of SQLite for a wrong text. */
export function createSql(db: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  return (text) => {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = db.prepare(text)));
    return statement;
  };
}

interface Condition {
  sql: string;
  values: SQLInputValue[];
}

/** The conditions on columns that tallies also have: without the text and the time. */
function kind({ statuses, accountId, endpointId }: LedgerFilter): Condition {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  // With named states, an index leads to the newest entries of an account or endpoint.
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

/** The WHERE clause of all conditions but the text. */
export function rowCondition(filter: LedgerFilter): Condition {
  const { sql, values } = kind(filter);
  const { sentAfter, sentBefore, source, keyName, tag } = filter;
  const parts: [sql: string, value: SQLInputValue | undefined][] = [
    ['sent_at >= ?', sentAfter],
    ['sent_at < ?', sentBefore],
    ['source = ?', source],
    ['key_name = ?', keyName],
    // The list of tags is JSON, so a tag stands in it as it does here.
    ['instr(tags, ?)', tag === undefined ? undefined : JSON.stringify(tag)],
  ];
  const named = parts.filter(([, value]) => value !== undefined);
  return {
    sql: [sql, ...named.map(([text]) => text)].join(' AND '),
    values: [...values, ...named.map(([, value]) => value ?? null)],
  };
}

export interface Block {
  /** Smallest and largest number of a job in this block. */
  first: number;
  last: number;
  /** How many of its jobs match the filter without its text. */
  jobs: number;
}

/** The blocks with matches, newest first. */
export function blocksOf(sql: Sql, filter: LedgerFilter): Block[] {
  const { sql: where, values } = kind(filter);
  const rows = sql(
    `SELECT t.block AS block, sum(t.jobs) AS jobs, b.first_at AS firstAt, b.last_at AS lastAt
       FROM tallies t JOIN blocks b ON b.block = t.block WHERE ${where}
       GROUP BY t.block ORDER BY t.block DESC`,
  ).all(...values);
  const { sentAfter: after = -Infinity, sentBefore: before = Infinity } = filter;
  const matches: Block[] = [];
  for (const row of rows) {
    const [firstAt, lastAt, jobs] = [Number(row['firstAt']), Number(row['lastAt']), Number(row['jobs'])];
    if (lastAt < after || firstAt >= before) continue;
    const first = Number(row['block']) * 2 ** BLOCK_BITS;
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

/** A block with a larger share of matches is scanned; others are read through an index. */
const DENSE = 0.25;

/** The rows that match a filter without text, newest first. */
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

/** The number in the first column of the first row; 0 if there is no row. */
export const numberOf = (sql: Sql, text: string, ...values: SQLInputValue[]): number =>
  Number(Object.values(sql(text).get(...values) ?? {})[0] ?? 0);
