/** What the operations of the ledger share. */
import type { DatabaseSync } from 'node:sqlite';
import type { Batch } from '../groupCommit.ts';
import type { Sql } from '../query.ts';
import type { EntryRows } from '../rows/entries.ts';
import type { AttemptRows } from '../rows/attempts.ts';
import type { PayloadRows } from '../rows/payloads.ts';
import type { WebhookRows } from '../rows/webhooks.ts';
import type { Searches } from '../search.ts';

export interface LedgerParts {
  db: DatabaseSync;
  sql: Sql;
  batch: Batch;
  entries: EntryRows;
  attempts: AttemptRows;
  payloads: PayloadRows;
  webhookRows: WebhookRows;
  searches: Searches;
  /** Calls the listeners. */
  notify: (entryId: string) => void;
  /** Searches and counts check the entry again. */
  touched: (seq: number) => void;
  /** Calls the listeners, and searches and counts check the entry again. */
  changed: (entryId: string, seq?: number) => void;
}
