/** The webhooks of a job with their attempts, as its service reported them, and whether more may follow. */
import {
  ledgerWebhookSchema,
  undeliveredSchema,
  type LedgerWebhook,
  type LedgerWebhooks,
  type Undelivered,
} from '#contract/app/ledger.ts';
import { redact } from '../../platform/redaction.ts';
import type { Sql } from '../query.ts';

export interface WebhookRows {
  /** Notes that the job named a webhook. */
  ask(seq: number): void;
  note(seq: number, webhooks: readonly LedgerWebhook[] | null, isLast: boolean): void;
  /** Whether more results may follow. */
  isPending(seq: number): boolean;
  of(seq: number): LedgerWebhooks;
}

/** A stored webhook. Rows of older versions may lack the fields that have a default here. */
const storedWebhookSchema = ledgerWebhookSchema.extend({
  nextAttemptAt: ledgerWebhookSchema.shape.nextAttemptAt.default(null),
  attempts: ledgerWebhookSchema.shape.attempts.default([]),
});

/** Why the last attempt of a webhook failed that is not sent any more; null if there is no such webhook. */
function problemOf(webhooks: readonly LedgerWebhook[]): string | null {
  const failed = webhooks.find(({ state }) => state === 'failed');
  return failed === undefined ? null : redact(failed.attempts.at(-1)?.error ?? '');
}

/**
 * Jobs that were sent at or after `since` and ended after `until` whose webhooks were not delivered; null if there are
 * none.
 */
export function undeliveredWebhooks(sql: Sql, since: number, until: number): Undelivered | null {
  // The other columns are those of the row with the maximum.
  const row = sql(
    `SELECT count(*) AS jobs, max(finished_at) AS lastAt, entry_id AS entryId, webhook_problem AS reason FROM entries
       WHERE webhook_problem IS NOT NULL AND finished_at > ? AND sent_at >= ?`,
  ).get(until, since);
  return row === undefined || row['jobs'] === 0 ? null : undeliveredSchema.parse(row);
}

export function createWebhookRows(sql: Sql): WebhookRows {
  const setState = (seq: number, state: 'asked' | 'told' | 'untold'): void => {
    sql('UPDATE entries SET webhook = ? WHERE seq = ?').run(state, seq);
  };
  const stateOf = (seq: number): unknown =>
    sql('SELECT webhook FROM entries WHERE seq = ?').get(seq)?.['webhook'] ?? null;
  return {
    isPending: (seq) => stateOf(seq) === 'asked',
    ask: (seq) => setState(seq, 'asked'),
    note(seq, webhooks, isLast) {
      for (const webhook of webhooks ?? []) {
        const json = JSON.stringify({ ...webhook, url: redact(webhook.url) });
        sql('INSERT OR REPLACE INTO webhooks (seq, webhook_id, told) VALUES (?, ?, ?)').run(seq, webhook.id, json);
      }
      if (webhooks !== null && webhooks.length > 0)
        sql('UPDATE entries SET webhook_problem = ? WHERE seq = ?').run(problemOf(webhooks), seq);
      if (webhooks === null) setState(seq, 'untold');
      else if (isLast) setState(seq, 'told');
    },
    of(seq) {
      const state = stateOf(seq);
      const rows = sql('SELECT told FROM webhooks WHERE seq = ?').all(seq);
      return {
        told: state === null ? 'none-named' : state === 'untold' ? 'not-by-account' : 'yes',
        webhooks: rows.map((row) => storedWebhookSchema.parse(JSON.parse(String(row['told'])))),
      };
    },
  };
}
