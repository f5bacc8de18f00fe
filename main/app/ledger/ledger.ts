/** The ledger: every job sent from here with its input, chunks and output, in SQLite, with change events. */
import { backup } from 'node:sqlite';
import type { Logger } from 'pino';
import { copyAtStop } from './backup.ts';
import { createBatch } from './groupCommit.ts';
import type { Ledger } from './port.ts';
import { createSql, numberOf } from './query.ts';
import { openOrRecover } from './recovery.ts';
import { createEntryRows } from './rows/entries.ts';
import { createAttention } from './rows/attention.ts';
import { createAttemptRows } from './rows/attempts.ts';
import { createBatchRows } from './rows/batches.ts';
import { createEndpointMetrics } from './rows/endpointMetrics.ts';
import { createPayloadRows } from './rows/payloads.ts';
import { createAutoStopRows } from './rows/autoStops.ts';
import { createResourceNameRows } from './rows/resourceNames.ts';
import { createPriceAlertRows } from './rows/priceAlerts.ts';
import { createPriceRows } from './rows/prices.ts';
import { beginRun, endRun } from './runs.ts';
import { createSavedRows } from './rows/saved.ts';
import { createSummaries } from './rows/summary.ts';
import { createWebhookRows } from './rows/webhooks.ts';
import { createSearches } from './search.ts';
import type { LedgerParts } from './operations/parts.ts';
import { createReads } from './operations/reads.ts';
import { createRecording } from './operations/recording.ts';
import { createRemovals } from './operations/removals.ts';
import { createServiceNotes } from './operations/serviceNotes.ts';
import { createWrites } from './operations/writes.ts';

export { LedgerInUseError, LedgerUnreadableError } from './database.ts';
export { hasEnded, type Ledger, type NewEntry } from './port.ts';

/** Pages in one step of a snapshot: between the steps the app goes on. */
const SNAPSHOT_PAGES = 500;

/**
 * `version`: the version of this Hangar; an older Hangar names it if it cannot read the file. Throws LedgerInUseError
 * if another process has the file open, and LedgerUnreadableError if this version cannot use it.
 */
export function createLedger(path: string, logger: Logger, version: string): Ledger {
  const { db, notice } = openOrRecover(path, version, (error) =>
    logger.warn({ err: error, version }, 'the ledger could not be copied before the first start of this version'),
  );
  const batch = createBatch(db, logger);
  const sql = createSql(db);
  const run = beginRun(sql, Date.now());
  const entries = createEntryRows(sql);
  const now = () => performance.now();
  const searches = createSearches(sql, () => numberOf(sql, 'SELECT max(seq) FROM entries'), now);
  const attention = createAttention(sql, now);
  const endpointMetrics = createEndpointMetrics(sql, now);
  const listeners = new Set<(entryId: string) => void>();
  const notify = (entryId: string): void => {
    for (const listener of listeners) listener(entryId);
  };
  const touched = (seq: number): void => {
    searches.changed(seq);
    attention.changed(seq);
    endpointMetrics.changed(seq);
  };
  const parts: LedgerParts = {
    db,
    sql,
    batch,
    entries,
    attempts: createAttemptRows(sql, run),
    payloads: createPayloadRows(sql),
    webhookRows: createWebhookRows(sql),
    searches,
    notify,
    touched,
    changed(entryId, seq = entries.seqOf(entryId)) {
      touched(seq);
      notify(entryId);
    },
  };

  return {
    notice,
    batches: createBatchRows(sql, batch),
    prices: createPriceRows(sql, batch),
    priceAlerts: createPriceAlertRows(sql, batch),
    autoStops: createAutoStopRows(sql, batch),
    resourceNames: createResourceNameRows(sql, batch),
    saved: createSavedRows(sql, batch),
    ...createWrites(parts),
    ...createReads(parts),
    ...createSummaries(sql),
    toAttend: attention.count,
    endpointMetrics: endpointMetrics.read,
    ...createServiceNotes(parts),
    ...createRemovals(parts),
    ...createRecording(parts),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async snapshot(file) {
      if (path === ':memory:') return false;
      batch.flush();
      await backup(db, file, { rate: SNAPSHOT_PAGES });
      return true;
    },
    stop() {
      batch.write(() => endRun(sql));
      batch.flush();
      db.close();
      const problem = copyAtStop(path);
      if (problem !== null) logger.warn({ err: problem }, 'the ledger could not be copied; the earlier copy stays');
    },
  };
}
