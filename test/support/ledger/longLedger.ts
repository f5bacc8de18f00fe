/** A ledger of very many jobs, written straight into its file, and filters that leave many or few of them. */
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import type { LedgerFilter } from '#contract/app/ledger.ts';
import { createLedger, type Ledger } from '../../../main/app/ledger/ledger.ts';

export const silentPino = pino({ level: 'silent' });

/**
 * Opens a ledger at `path` that holds so many jobs, one sent each second. Job n is `n{n}`, and its prompt names house
 * number n.
 */
export function openLongLedger(path: string, jobs: number): Ledger {
  createLedger(path, silentPino, 'test').stop();
  const file = new DatabaseSync(path);
  file.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -200000');
  // Indexes and triggers are made anew after the rows: one by one they would take ten times as long.
  const removed = file
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'entries' AND sql IS NOT NULL AND type IN ('index', 'trigger')",
    )
    .all();
  file.exec('BEGIN');
  for (const { type, name } of removed) file.exec(`DROP ${String(type)} ${String(name)}`);
  file.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${jobs})
    INSERT INTO entries (seq, entry_id, account_id, account_name, endpoint_id, endpoint_name, job_id, mode, status, sent_at, finished_at, input_bytes)
      SELECT i, 'n' || i, 'account-' || (i % 3), 'A', 'endpoint-' || (i % 40), 'name', 'job-' || i, 'run',
        CASE WHEN i % 1000 = 0 THEN 'FAILED' WHEN i % 5000 = 1 THEN 'TIMED_OUT' ELSE 'COMPLETED' END, i * 1000, i * 1000 + 500, 40 FROM n;
    INSERT INTO search (seq, head, body, output)
      SELECT seq, 'job-' || seq || ' name', '{"input":{"prompt":"a picture of house number ' || seq || '"}}', '' FROM entries;
    INSERT INTO blocks SELECT seq >> 12, count(*), min(sent_at), max(sent_at) FROM entries GROUP BY 1;
    INSERT INTO tallies SELECT seq >> 12, account_id, endpoint_id, status, count(*) FROM entries GROUP BY 1, 2, 3, 4`);
  for (const { sql } of removed) file.exec(String(sql));
  file.exec('COMMIT');
  file.close();
  return createLedger(path, silentPino, 'test');
}

export interface CountedFilter {
  readonly name: string;
  readonly filter: LedgerFilter;
  /** How many of the jobs fit it. */
  readonly matching: number;
}

/** Filters over `jobs` jobs of `openLongLedger`, a multiple of 5000. */
export function longLedgerFilters(jobs: number): CountedFilter[] {
  const sentAfter = jobs * 400 + 500;
  const countOf = (fits: (n: number) => boolean): number => {
    let count = 0;
    for (let n = 1; n <= jobs; n++) if (fits(n)) count++;
    return count;
  };
  const isLate = (n: number): boolean => n * 1000 >= sentAfter;
  return [
    { name: 'everything', filter: {}, matching: jobs },
    { name: 'those of a state', filter: { statuses: ['FAILED'] }, matching: jobs / 1000 },
    {
      name: 'those of rare states',
      filter: { statuses: ['FAILED', 'TIMED_OUT'] },
      matching: jobs / 1000 + jobs / 5000,
    },
    { name: 'those of an endpoint', filter: { endpointId: 'endpoint-7' }, matching: jobs / 40 },
    {
      name: 'those of an account, an endpoint and a state',
      filter: { accountId: 'account-1', endpointId: 'endpoint-0', statuses: ['FAILED'] },
      matching: countOf((n) => n % 1000 === 0 && n % 3 === 1),
    },
    { name: 'those of the last while', filter: { sentAfter }, matching: countOf(isLate) },
    {
      name: 'those of the last while in a state',
      filter: { sentAfter, statuses: ['FAILED'], accountId: 'account-2' },
      matching: countOf((n) => isLate(n) && n % 1000 === 0 && n % 3 === 2),
    },
  ];
}
