/** Ledgers in memory for specs, and what such a spec does again and again. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { LedgerFilter } from '#contract/app/ledger.ts';
import { createLedger, type Ledger } from '../../../main/app/ledger/ledger.ts';
import { MIGRATIONS } from '../../../main/app/ledger/migrations.ts';
import type { EntryPatch, NewEntry } from '../../../main/app/ledger/port.ts';
import { silentPino } from './longLedger.ts';

export interface SpecLedger {
  readonly ledger: Ledger;
  /** Adds a job that the fields describe, then changes it by `patch`. Returns its id: `job 1`, `job 2`, and so on. */
  add(fields: Pick<NewEntry, 'endpointId' | 'endpointName' | 'sentAt'> & Partial<NewEntry>, patch: EntryPatch): string;
  /** The id of the job that was added last. */
  lastId(): string;
}

/** An empty ledger in memory. Its jobs were sent to the account `a`, by /run. Stop the ledger after the test. */
export function openSpecLedger(): SpecLedger {
  const ledger = createLedger(':memory:', silentPino, '1.2.3');
  let count = 0;
  const lastId = (): string => `job ${count}`;
  return {
    ledger,
    lastId,
    add(fields, patch) {
      count += 1;
      ledger.add({ entryId: lastId(), accountId: 'a', accountName: 'A', mode: 'run', ...fields }, '{"input":{}}');
      ledger.update(lastId(), patch);
      return lastId();
    },
  };
}

/**
 * The ids of the first 1000 jobs that fit, newest first. Goes on until the search has looked at every job: on a busy
 * machine, one call may not.
 */
export function matchingIds(ledger: Ledger, filter: LedgerFilter): string[] {
  while (!ledger.list(filter, 0, 1).complete);
  return ledger.list(filter, 0, 1000).entries.map(({ entryId }) => entryId);
}

export interface LedgerTables {
  readonly db: DatabaseSync;
  readonly sql: (text: string) => StatementSync;
}

/**
 * The tables of a ledger in memory, with so many jobs. `columns` and `values`: SQL for the fields; `i` counts from 1.
 */
export function openLedgerTables(jobs: number, columns: string, values: string): LedgerTables {
  const db = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS) db.exec(step);
  db.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${jobs})
    INSERT INTO entries
        (seq, entry_id, account_id, account_name, endpoint_id, endpoint_name, mode, input_bytes, ${columns})
      SELECT i, 'n' || i, 'a', 'A', 'e', 'E', 'run', 40, ${values} FROM n`);
  return { db, sql: (text) => db.prepare(text) };
}

/** Counts the turns of the event loop that other work gets until `work` has ended. */
export async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  const note = (): void => {
    turns += 1;
    next = setImmediate(note);
  };
  let next = setImmediate(note);
  try {
    await work();
  } finally {
    clearImmediate(next);
  }
  return turns;
}
