/** How an entry lies in its table: columns, and rows turned into entries. */
import type { SQLInputValue } from 'node:sqlite';
import type { LedgerEntry } from '#contract/app/ledger.ts';

/** Column of each field of an entry; a field without one does not build. */
export const columns: { readonly [Field in keyof LedgerEntry]: string } = {
  entryId: 'entry_id',
  accountId: 'account_id',
  accountName: 'account_name',
  endpointId: 'endpoint_id',
  endpointName: 'endpoint_name',
  jobId: 'job_id',
  mode: 'mode',
  status: 'status',
  sentAt: 'sent_at',
  workerStartedAt: 'worker_started_at',
  startedAt: 'started_at',
  finishedAt: 'finished_at',
  delayTime: 'delay_time',
  executionTime: 'execution_time',
  workerId: 'worker_id',
  retries: 'retries',
  chunkCount: 'chunk_count',
  chunkGap: 'chunk_gap',
  inputBytes: 'input_bytes',
  outputBytes: 'output_bytes',
  error: 'error',
  waiting: 'waiting',
};

const fields = Object.entries(columns) as [keyof LedgerEntry, string][];

/** Column list of a SELECT that `toEntry` understands. */
export const entryColumns = fields.map(([field, column]) => `e.${column} AS ${field}`).join(', ');

/** Only this file's SELECT list and our own writes fill these rows, so their shape is known. */
export const toEntry = (row: object): LedgerEntry => ({ ...(row as LedgerEntry) });

/** `SET` part and its values for the fields of a patch. */
export function assignments(patch: Partial<LedgerEntry>): { set: string; values: SQLInputValue[] } {
  const definedFields = fields.filter(([field]) => patch[field] !== undefined);
  return {
    set: definedFields.map(([, column]) => `${column} = ?`).join(', '),
    values: definedFields.map(([field]) => patch[field] ?? null),
  };
}
