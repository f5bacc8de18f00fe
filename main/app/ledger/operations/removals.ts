/** The removal of jobs: those that a person chose, and the oldest. */
import { hasEnded, type Ledger } from '../port.ts';
import type { LedgerParts } from './parts.ts';

/** Most pages that one removal returns to the disk, so that it does not block for long. */
const VACUUMED_PAGES = 2000;

/** Only jobs that have ended are removed. */
export function createRemovals({
  db,
  sql,
  batch,
  entries,
  touched,
  notify,
}: LedgerParts): Pick<Ledger, 'forget' | 'prune'> {
  function remove(seqs: readonly number[]): void {
    batch.write(() => {
      for (const seq of seqs) {
        entries.remove(seq);
        touched(seq);
      }
    });
    batch.flush();
    db.exec(`PRAGMA incremental_vacuum(${VACUUMED_PAGES})`);
  }

  return {
    forget(entryIds) {
      const seqs = [...new Set(entryIds)].flatMap((entryId) => {
        const match = entries.find(entryId);
        return match && hasEnded(match) ? [entries.seqOf(entryId)] : [];
      });
      remove(seqs);
      for (const entryId of entryIds) notify(entryId);
      return seqs.length;
    },
    prune(finishedBefore, most) {
      const rows = sql(
        `SELECT seq, entry_id FROM entries WHERE finished_at IS NOT NULL AND finished_at < ?
           AND status NOT IN ('SENDING', 'IN_QUEUE', 'IN_PROGRESS') ORDER BY finished_at LIMIT ?`,
      ).all(finishedBefore ?? Number.MAX_VALUE, most);
      if (rows.length === 0) return 0;
      remove(rows.map((row) => Number(row['seq'])));
      for (const row of rows) notify(String(row['entry_id']));
      return rows.length;
    },
  };
}
