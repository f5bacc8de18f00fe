/**
 * The removal of jobs: those that a person chose, and the oldest. A chosen job can be put back for a time: its row waits
 * in `removed_entries`, and its texts stay in their tables, so that a removal never copies or deletes many megabytes.
 */
import * as z from 'zod';
import { hasEnded, type Ledger } from '../port.ts';
import type { LedgerParts } from './parts.ts';

/** Most pages that one removal returns to the disk, so that it does not block for long. */
const VACUUMED_PAGES = 2000;

/** A row of `entries`, by its columns. */
const recordSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Only jobs that have ended are removed. */
export function createRemovals({
  db,
  sql,
  batch,
  entries,
  touched,
  notify,
}: LedgerParts): Pick<Ledger, 'forget' | 'restore' | 'discard' | 'removed' | 'prune'> {
  function vacuum(): void {
    batch.flush();
    db.exec(`PRAGMA incremental_vacuum(${VACUUMED_PAGES})`);
  }

  /** Writes in a transaction of its own, in which a deleted row of `entries` does not take its texts with it. */
  function writeKeepingTexts(write: () => void): void {
    batch.flush();
    // It cannot be changed within a transaction.
    db.exec('PRAGMA foreign_keys = OFF');
    try {
      batch.writeSynced(write);
    } finally {
      db.exec('PRAGMA foreign_keys = ON');
    }
  }

  /** Writes the row of a removed job back; its number, or null if it was not removed. */
  function putBack(entryId: string): number | null {
    const row = sql('SELECT seq, record FROM removed_entries WHERE entry_id = ?').get(entryId);
    if (row === undefined) return null;
    const record = recordSchema.parse(JSON.parse(String(row['record'])));
    const columns = Object.keys(record);
    sql(`INSERT INTO entries (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(
      ...Object.values(record),
    );
    const seq = Number(row['seq']);
    sql('DELETE FROM removed_entries WHERE seq = ?').run(seq);
    return seq;
  }

  return {
    forget(entryIds) {
      const endedIds = [...new Set(entryIds)].filter((entryId) => {
        const match = entries.find(entryId);
        return match !== undefined && hasEnded(match);
      });
      const seqs = endedIds.map((entryId) => entries.seqOf(entryId));
      writeKeepingTexts(() => {
        for (const seq of seqs) {
          const row = sql('SELECT * FROM entries WHERE seq = ?').get(seq);
          sql('INSERT INTO removed_entries (seq, entry_id, record) VALUES (?, ?, ?)').run(
            seq,
            String(row?.['entry_id']),
            JSON.stringify(row),
          );
          entries.remove(seq);
        }
      });
      for (const seq of seqs) touched(seq);
      for (const entryId of entryIds) notify(entryId);
      return seqs.length;
    },
    restore(entryIds) {
      const seqs = batch.writeSynced(() => entryIds.flatMap((entryId) => putBack(entryId) ?? []));
      for (const seq of seqs) touched(seq);
      for (const entryId of entryIds) notify(entryId);
      return seqs.length;
    },
    discard(entryIds) {
      if (entryIds.length === 0) return;
      batch.writeSynced(() => {
        for (const entryId of entryIds) {
          // With the row back in its table, its deletion takes everything with it that belongs to it.
          const seq = putBack(entryId);
          if (seq !== null) entries.remove(seq);
        }
      });
      vacuum();
    },
    removed: () =>
      sql('SELECT entry_id FROM removed_entries ORDER BY seq')
        .all()
        .map((row) => String(row['entry_id'])),
    prune(finishedBefore, most) {
      const rows = sql(
        `SELECT seq, entry_id FROM entries WHERE finished_at IS NOT NULL AND finished_at < ?
           AND status NOT IN ('SENDING', 'IN_QUEUE', 'IN_PROGRESS') ORDER BY finished_at LIMIT ?`,
      ).all(finishedBefore ?? Number.MAX_VALUE, most);
      if (rows.length === 0) return 0;
      batch.write(() => {
        for (const row of rows) {
          const seq = Number(row['seq']);
          entries.remove(seq);
          touched(seq);
        }
      });
      vacuum();
      for (const row of rows) notify(String(row['entry_id']));
      return rows.length;
    },
  };
}
