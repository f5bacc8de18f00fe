/** The row of each job, and the row with its searchable texts. */
import type { SQLInputValue } from 'node:sqlite';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { redact } from '../../platform/redaction.ts';
import type { EntryPatch, NewEntry } from '../port.ts';
import type { Sql } from '../query.ts';
import { assignments, entryColumns, insertion, toEntry } from './jobs.ts';

export interface EntryRows {
  find(entryId: string): LedgerEntry | undefined;
  /** The newest entry whose service gave the job this id. */
  findJob(jobId: string): LedgerEntry | undefined;
  /** Throws NOT_FOUND. */
  entry(entryId: string): LedgerEntry;
  /** The number that all rows of a job share; -1 if the job is not in the ledger. */
  seqOf(entryId: string): number;
  /** The entries that match a condition, oldest first; `e` is the entry table. */
  where(condition: string, ...values: SQLInputValue[]): LedgerEntry[];
  /** Adds an entry before its job is sent. `body`: its request body, without secrets. Returns its number. */
  add(entry: NewEntry, body: string, inputBytes: number): number;
  /** Masks secrets in an error: a service may repeat the key of the request. */
  update(entryId: string, patch: EntryPatch): LedgerEntry;
  /** Replaces the request body, which is without secrets. */
  setBody(seq: number, body: string): void;
  /** Makes the output searchable. */
  setSearchedOutput(seq: number, text: string): void;
  remove(seq: number): void;
}

/** Only the beginning of a longer text is searched. */
const searched = (text: string): string => text.slice(0, limits.ledger.searchedLength).toLowerCase();

type Head = Pick<LedgerEntry, 'jobId' | 'endpointName' | 'error'> & Partial<Pick<LedgerEntry, 'client' | 'keyName'>>;
const head = ({ jobId, endpointName, error, client, keyName }: Head): string =>
  [jobId, endpointName, error, client, keyName].filter(Boolean).join('\n').toLowerCase();

export function createEntryRows(sql: Sql): EntryRows {
  function find(entryId: string): LedgerEntry | undefined {
    const row = sql(`SELECT ${entryColumns} FROM entries e WHERE e.entry_id = ?`).get(entryId);
    return row && toEntry(row);
  }

  function findJob(jobId: string): LedgerEntry | undefined {
    const row = sql(`SELECT ${entryColumns} FROM entries e WHERE e.job_id = ? ORDER BY e.seq DESC LIMIT 1`).get(jobId);
    return row && toEntry(row);
  }

  function entry(entryId: string): LedgerEntry {
    const match = find(entryId);
    if (match) return match;
    throw new AppError('NOT_FOUND', 'This job is not in the ledger. It may have been removed in another window.');
  }

  const seqOf = (entryId: string): number => {
    const row = sql('SELECT seq FROM entries WHERE entry_id = ?').get(entryId);
    return row ? Number(row['seq']) : -1;
  };

  return {
    find,
    findJob,
    entry,
    seqOf,
    where: (condition, ...values) =>
      sql(`SELECT ${entryColumns} FROM entries e WHERE ${condition} ORDER BY e.seq`)
        .all(...values)
        .map(toEntry),
    add(added, body, inputBytes) {
      const { names, placeholders, values } = insertion({
        ...added,
        source: added.source ?? 'window',
        tags: added.tags ?? [],
        retryOf: added.retryOf ?? null,
        status: 'SENDING',
        inputBytes,
      });
      // The number of a removed job that may come back is taken.
      const { lastInsertRowid } = sql(
        `INSERT INTO entries (seq, ${names}) VALUES (
           max((SELECT coalesce(max(seq), 0) FROM entries), (SELECT coalesce(max(seq), 0) FROM removed_entries)) + 1,
           ${placeholders})`,
      ).run(...values);
      const seq = Number(lastInsertRowid);
      sql('INSERT INTO bodies (seq, text) VALUES (?, ?)').run(seq, body);
      sql('INSERT INTO search (seq, head, body) VALUES (?, ?, ?)').run(
        seq,
        head({ ...added, jobId: null, error: null }),
        searched(body),
      );
      return seq;
    },
    update(entryId, patch) {
      const { set, values } = assignments(patch.error ? { ...patch, error: redact(patch.error) } : patch);
      if (set !== '') sql(`UPDATE entries SET ${set} WHERE entry_id = ?`).run(...values, entryId);
      const now = entry(entryId);
      if (patch.jobId !== undefined || patch.error !== undefined) {
        sql('UPDATE search SET head = ? WHERE seq = ?').run(head(now), seqOf(entryId));
      }
      return now;
    },
    setBody(seq, body) {
      sql('UPDATE bodies SET text = ? WHERE seq = ?').run(body, seq);
      sql('UPDATE search SET body = ? WHERE seq = ?').run(searched(body), seq);
    },
    setSearchedOutput: (seq, text) => void sql('UPDATE search SET output = ? WHERE seq = ?').run(searched(text), seq),
    remove: (seq) => void sql('DELETE FROM entries WHERE seq = ?').run(seq),
  };
}
