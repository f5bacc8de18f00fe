/** Webhook deliveries in SQLite, written through the group commit. Those that have ended are only here, and are looked up here. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { jobStatuses } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { webhookStates } from '#contract/api/webhook.ts';
import type { CommitCallback } from '../../domain/core/commits.ts';
import type { WebhookStore } from '../../domain/webhooks/ports.ts';
import { UNREADABLE_URL, type WebhookAttempt, type WebhookRecord } from '../../domain/webhooks/delivery.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { openText, type SealedText } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import type { TextFiles } from '../payloads/payloadFiles.ts';
import type { Unreadable } from '../encryption/unreadable.ts';
import { createWebhookPayloads } from '../payloads/webhookPayloads.ts';

type Row = Record<string, string | number | Uint8Array | null>;

const PENDING = webhookStates.indexOf('pending');

const toRecord = (row: Row, url: string): WebhookRecord => ({
  seq: row.seq as number,
  id: row.id as string,
  jobId: row.job as string,
  endpointId: row.endpoint as string,
  url,
  jobStatus: jobStatuses[row.job_status as number]!,
  createdAt: row.created_at as number,
  state: webhookStates[row.state as number]!,
  nextAttemptAt: row.next_attempt_at as number | null,
  finishedAt: row.finished_at as number | null,
  tries: row.tries as number,
  payloadLength: row.payload_length as number,
  attempts: JSON.parse(row.attempts as string) as WebhookAttempt[],
});

export interface WebhookSealing {
  lasting: Sealing;
  unreadable: Pick<Unreadable, 'noteDelivery'>;
}

export function createWebhookStore(
  database: DatabaseSync,
  commits: GroupCommit,
  files: TextFiles,
  { lasting, unreadable }: WebhookSealing,
): WebhookStore {
  const payloads = createWebhookPayloads(database, files, lasting);
  const recordOf = (row: Row): WebhookRecord =>
    toRecord(row, openText(lasting, row.url as SealedText) ?? UNREADABLE_URL);
  const insert = database.prepare(
    `INSERT INTO webhook (seq, id, job, endpoint, url, job_status, created_at, state, next_attempt_at, tries, payload_length, attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, '[]')`,
  );
  const update = database.prepare(
    'UPDATE webhook SET state = ?, next_attempt_at = ?, finished_at = ?, tries = ?, attempts = ? WHERE seq = ?',
  );
  const forgetPayload = database.prepare('UPDATE webhook SET payload_length = 0 WHERE seq = ?');
  const deleteRow = database.prepare('DELETE FROM webhook WHERE seq = ?');
  const select = database.prepare('SELECT * FROM webhook WHERE seq = ?');
  const selectList = database.prepare(
    `SELECT * FROM webhook WHERE ifnull(endpoint = :endpoint, 1) AND ifnull(state = :state, 1)
     ORDER BY seq DESC LIMIT :limit`,
  );
  const selectOfJob = database.prepare(
    `SELECT * FROM webhook WHERE job = :job AND ifnull(endpoint = :endpoint, 1) AND ifnull(state = :state, 1)
     ORDER BY seq DESC LIMIT :limit`,
  );

  /** Payloads go, and with them, of each delivery, what `statement` says. */
  function drop(seqs: number[], statement: StatementSync, settled: CommitCallback): void {
    const dropped = seqs.map((seq) => ({ seq, payload: payloads.drop(seq) }));
    commits.write(
      () => {
        for (const { seq, payload } of dropped) {
          payload.write();
          statement.run(seq);
        }
      },
      (error) => {
        if (!error) for (const { payload } of dropped) payload.done();
        settled(error);
      },
      'soon',
      0,
      'removal',
    );
  }

  let lastSeq = (database.prepare('SELECT coalesce(max(seq), 0) AS highest FROM webhook').get() as { highest: number })
    .highest;

  return {
    loadPending() {
      const rows = database.prepare('SELECT * FROM webhook WHERE state = ?').all(PENDING) as Row[];
      return rows.map(recordOf).filter(({ seq, url }) => {
        if (url !== UNREADABLE_URL) return true;
        // It stays pending: a later start with its key calls it.
        unreadable.noteDelivery(seq);
        return false;
      });
    },
    loadEnded: () =>
      database
        .prepare(
          `SELECT seq, finished_at AS finishedAt, payload_length AS payloadLength FROM webhook WHERE state <> ?
           ORDER BY finished_at, seq`,
        )
        .all(PENDING) as ReturnType<WebhookStore['loadEnded']>,
    nextSeq: () => ++lastSeq,
    inserting(record, payload) {
      const { seq, id, jobId, endpointId, url, createdAt, nextAttemptAt, payloadLength } = record;
      const jobStatus = jobStatuses.indexOf(record.jobStatus);
      const state = webhookStates.indexOf(record.state);
      const put = payloads.put(seq, payload);
      const sealedUrl = lasting.seal(url);
      return {
        write() {
          insert.run(seq, id, jobId, endpointId, sealedUrl, jobStatus, createdAt, state, nextAttemptAt, payloadLength);
          put.write();
        },
        failed: put.failed,
      };
    },
    // Values are bound when the write is asked for: a later change of the record belongs to a later write.
    update(record, settled, urgency) {
      const { seq, nextAttemptAt, finishedAt, tries } = record;
      const state = webhookStates.indexOf(record.state);
      const attempts = JSON.stringify(record.attempts);
      commits.write(
        () => update.run(state, nextAttemptAt, finishedAt, tries, attempts, seq),
        settled,
        urgency,
        attempts.length,
      );
    },
    dropPayloads: (seqs, settled) => drop(seqs, forgetPayload, settled),
    remove: (seqs, settled) => drop(seqs, deleteRow, settled),
    find(seq) {
      const row = select.get(seq) as Row | undefined;
      return row ? recordOf(row) : null;
    },
    list({ jobId, endpointId, state, limit = limits.webhook.listed.default }) {
      const filter = { endpoint: endpointId ?? null, state: state ? webhookStates.indexOf(state) : null, limit };
      const rows = jobId === undefined ? selectList.all(filter) : selectOfJob.all({ ...filter, job: jobId });
      return (rows as Row[]).map(recordOf);
    },
    payload: payloads.get,
  };
}
