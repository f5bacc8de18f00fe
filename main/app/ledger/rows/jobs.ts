/** Maps entries to their table columns, and rows to entries. */
import type { SQLInputValue } from 'node:sqlite';
import * as z from 'zod';
import { ledgerEntrySchema, type LedgerEntry } from '#contract/app/ledger.ts';

/** The column of each field of an entry. The compiler refuses a field without a column. */
const columns: { readonly [Field in keyof LedgerEntry]: string } = {
  entryId: 'entry_id',
  accountId: 'account_id',
  accountName: 'account_name',
  endpointId: 'endpoint_id',
  endpointName: 'endpoint_name',
  jobId: 'job_id',
  mode: 'mode',
  source: 'source',
  client: 'client',
  keyName: 'key_name',
  preview: 'preview',
  tags: 'tags',
  status: 'status',
  sentAt: 'sent_at',
  queuedAt: 'queued_at',
  workerStartedAt: 'worker_started_at',
  startedAt: 'started_at',
  pricePerHour: 'price_per_hour',
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
  trouble: 'trouble',
  retryOf: 'retry_of',
  webhookProblem: 'webhook_problem',
};

const fields = ledgerEntrySchema.keyof().options.map((field) => [field, columns[field]] as const);

/** The column list of a SELECT for `toEntry`. */
export const entryColumns = fields.map(([field, column]) => `e.${column} AS ${field}`).join(', ');

/** Rows hold the tags as a JSON list. */
const rowSchema = ledgerEntrySchema.extend({
  tags: z.string().transform((text) => z.array(z.string()).parse(JSON.parse(text))),
});

/** The entry of a row. Throws if the row is damaged. */
export const toEntry = (row: object): LedgerEntry => rowSchema.parse(row);

/** The value of a field in its column. */
const columnValue = (value: LedgerEntry[keyof LedgerEntry] | undefined): SQLInputValue =>
  Array.isArray(value) ? JSON.stringify(value) : (value ?? null);

/** `SET` part and its values for the fields of a patch. */
export function assignments(patch: Partial<LedgerEntry>): { set: string; values: SQLInputValue[] } {
  const definedFields = fields.filter(([field]) => patch[field] !== undefined);
  return {
    set: definedFields.map(([, column]) => `${column} = ?`).join(', '),
    values: definedFields.map(([field]) => columnValue(patch[field])),
  };
}

/** Columns, placeholders and values of an INSERT with the defined fields of an entry. */
export function insertion(entry: Partial<LedgerEntry>): {
  names: string;
  placeholders: string;
  values: SQLInputValue[];
} {
  const definedFields = fields.filter(([field]) => entry[field] !== undefined);
  return {
    names: definedFields.map(([, column]) => column).join(', '),
    placeholders: definedFields.map(() => '?').join(', '),
    values: definedFields.map(([field]) => columnValue(entry[field])),
  };
}
