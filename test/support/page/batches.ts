/** Batches as the app tells them to the page. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { Batch, BatchRow } from '#contract/bridge/batch/batches.ts';
import { entryOf } from './jobs.ts';

/** A batch of three jobs that all succeeded, with other values in `more`. */
export const batchOf = (more: Partial<Batch> = {}): Batch => ({
  batchId: '00000000-0000-4000-8000-000000000001',
  accountId: 'this-machine',
  endpointId: 'e',
  endpointName: 'words',
  tag: 'batch 00000000',
  atOnce: 4,
  createdAt: Date.UTC(2026, 0, 1),
  total: 3,
  unsent: 0,
  running: 0,
  queued: 0,
  waiting: null,
  completed: 3,
  failed: 0,
  repeatable: 0,
  stoppedBy: null,
  problem: null,
  ...more,
});

/** The row of an input, from 1, whose job was sent; its job waits in the queue, unless `job` says otherwise. */
export const rowOf = (number: number, job: Partial<LedgerEntry> = {}): BatchRow => {
  const entry = entryOf({ entryId: `entry-${number}`, ...job });
  return {
    number,
    entryId: entry.entryId,
    status: entry.status,
    job: entry,
    input: '{}',
    output: null,
    error: entry.error,
  };
};
