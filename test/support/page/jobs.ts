/** Jobs of the ledger as the app sends them to the page. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';

/** A job of this computer that waits in its queue, unless `fields` say otherwise. */
export const entryOf = (fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  entryId: 'entry-1',
  accountId: THIS_MACHINE,
  accountName: 'This computer',
  endpointId: 'e',
  endpointName: 'words',
  jobId: 'job-1',
  mode: 'run',
  source: 'window',
  client: null,
  keyName: null,
  preview: null,
  tags: [],
  status: 'IN_QUEUE',
  sentAt: 1,
  queuedAt: null,
  workerStartedAt: null,
  startedAt: null,
  finishedAt: null,
  delayTime: null,
  executionTime: null,
  workerId: null,
  retries: 0,
  chunkCount: 0,
  chunkGap: null,
  inputBytes: 2,
  outputBytes: 0,
  error: null,
  waiting: null,
  trouble: null,
  retryOf: null,
  webhookProblem: null,
  ...fields,
});
