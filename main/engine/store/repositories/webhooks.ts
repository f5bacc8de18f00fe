/**
 * Stores webhook deliveries in SQLite, through the group commit. Ended deliveries are not kept in memory but read from
 * here.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import * as z from 'zod';
import { jobStatuses } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { webhookStates } from '#contract/api/webhook.ts';
import type { CommitCallback } from '../../domain/core/commits.ts';
import type { WebhookStore } from '../../domain/webhooks/ports.ts';
import { UNREADABLE_URL, type WebhookRecord } from '../../domain/webhooks/delivery.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { query } from '../sqlite/statements.ts';
import { openText } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import type { TextFiles } from '../payloads/payloadFiles.ts';
import type { Unreadable } from '../encryption/unreadable.ts';
import { parseText, parseValue, type DamagedRecords } from './damagedRecords.ts';
import { storedAttempts } from './recordSchemas.ts';
import { createWebhookPayloads } from '../payloads/webhookPayloads.ts';

const PENDING = webhookStates.indexOf('pending');

/** Converts the index in a column to its value. */
const oneOf = <Value extends string>(values: readonly Value[]) =>
  z.int().transform((place, { addIssue }): Value => {
    const value = values[place];
    if (value !== undefined) return value;
    addIssue(`must be a number below ${values.length}`);
    return z.NEVER;
  });

const rowSchema = z.object({
  seq: z.int(),
  id: z.string(),
  job: z.string(),
  endpoint: z.string(),
  url: z.union([z.string(), z.instanceof(Uint8Array)]),
  job_status: oneOf(jobStatuses),
  created_at: z.number(),
  state: oneOf(webhookStates),
  next_attempt_at: z.number().nullable(),
  finished_at: z.number().nullable(),
  tries: z.int(),
  payload_length: z.int(),
  attempts: z.string(),
});
type Row = z.input<typeof rowSchema>;

export interface WebhookSealing {
  lasting: Sealing;
  unreadable: Pick<Unreadable, 'noteDelivery'>;
  damaged: DamagedRecords;
}

/** Returns a function that reads a row. It reports an unreadable row and returns null. */
function createRowReader({ lasting, damaged }: WebhookSealing): (row: Row) => WebhookRecord | null {
  return (row) => {
    const parsed = parseValue(rowSchema, row);
    if ('problem' in parsed) {
      damaged.note('webhook delivery', row.id, parsed.problem);
      return null;
    }
    const { seq, id, job, endpoint, url, tries, ...rest } = parsed.value;
    const attempts = parseText(storedAttempts, rest.attempts);
    if ('problem' in attempts) damaged.note('the attempts of the webhook delivery', id, attempts.problem);
    return {
      seq,
      id,
      jobId: job,
      endpointId: endpoint,
      url: openText(lasting, url) ?? UNREADABLE_URL,
      jobStatus: rest.job_status,
      createdAt: rest.created_at,
      state: rest.state,
      nextAttemptAt: rest.next_attempt_at,
      finishedAt: rest.finished_at,
      tries,
      payloadLength: rest.payload_length,
      attempts: 'value' in attempts ? attempts.value : [],
    };
  };
}

export function createWebhookStore(
  database: DatabaseSync,
  commits: GroupCommit,
  files: TextFiles,
  sealing: WebhookSealing,
): WebhookStore {
  const { lasting, unreadable } = sealing;
  const payloads = createWebhookPayloads(database, files, lasting);

  const recordOf = createRowReader(sealing);
  const recordsOf = (rows: readonly Row[]): WebhookRecord[] => rows.map(recordOf).filter((record) => record !== null);

  const insert = database.prepare(
    `INSERT INTO webhook (seq, id, job, endpoint, url, job_status, created_at, state, next_attempt_at, tries, payload_length, attempts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, '[]')`,
  );
  const update = database.prepare(
    'UPDATE webhook SET state = ?, next_attempt_at = ?, finished_at = ?, tries = ?, attempts = ? WHERE seq = ?',
  );
  const forgetPayload = database.prepare('UPDATE webhook SET payload_length = 0 WHERE seq = ?');
  const deleteRow = database.prepare('DELETE FROM webhook WHERE seq = ?');
  const select = query<Row>(database, 'SELECT * FROM webhook WHERE seq = ?');
  const selectList = query<Row>(
    database,
    `SELECT * FROM webhook WHERE ifnull(endpoint = :endpoint, 1) AND ifnull(state = :state, 1)
     ORDER BY seq DESC LIMIT :limit`,
  );
  const selectOfJob = query<Row>(
    database,
    `SELECT * FROM webhook WHERE job = :job AND ifnull(endpoint = :endpoint, 1) AND ifnull(state = :state, 1)
     ORDER BY seq DESC LIMIT :limit`,
  );

  /** Deletes the payloads, and executes `statement` for each delivery. */
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

  let lastSeq = query<{ highest: number }>(database, 'SELECT coalesce(max(seq), 0) AS highest FROM webhook').one()
    .highest;

  return {
    loadPending() {
      const rows = query<Row>(database, 'SELECT * FROM webhook WHERE state = ?').all(PENDING);
      return recordsOf(rows).filter(({ seq, url }) => {
        if (url !== UNREADABLE_URL) return true;
        // The delivery stays pending: a later start with the key sends it.
        unreadable.noteDelivery(seq);
        return false;
      });
    },
    loadEnded: () =>
      query<ReturnType<WebhookStore['loadEnded']>[number]>(
        database,
        `SELECT seq, finished_at AS finishedAt, payload_length AS payloadLength FROM webhook WHERE state <> ?
         ORDER BY finished_at, seq`,
      ).all(PENDING),
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
    // The values are read now and not at the commit: a later change of the record belongs to a later write.
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
      const row = select.get(seq);
      return row ? recordOf(row) : null;
    },
    list({ jobId, endpointId, state, limit = limits.webhook.listed.default }) {
      const filter = { endpoint: endpointId ?? null, state: state ? webhookStates.indexOf(state) : null, limit };
      const rows = jobId === undefined ? selectList.all(filter) : selectOfJob.all({ ...filter, job: jobId });
      return recordsOf(rows);
    },
    payload: payloads.get,
  };
}
