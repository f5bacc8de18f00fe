/**
 * The rows of batches and of their inputs. A body is stored until its job is in the ledger, which has it from then on.
 */
import type { SQLOutputValue } from 'node:sqlite';
import type * as z from 'zod';
import {
  batchRowSchema,
  batchSchema,
  type Batch,
  type BatchRow,
  type BatchView,
  type NewBatch,
} from '#contract/bridge/batch/batches.ts';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Batch as Writes } from '../groupCommit.ts';
import type { Sql } from '../query.ts';
import { entryColumns } from './jobs.ts';

/** An input that is not sent yet. */
export interface BatchInput {
  /** Its place in the list, from 0. */
  place: number;
  entryId: string;
  body: string;
}

/** A batch without the counts of its jobs, which take time. */
const headSchema = batchSchema.pick({
  batchId: true,
  accountId: true,
  endpointId: true,
  endpointName: true,
  tag: true,
  atOnce: true,
  createdAt: true,
  stoppedBy: true,
  problem: true,
});
export type BatchHead = z.infer<typeof headSchema>;

export interface BatchRows {
  /** Durable on return. `entryIds`: one for each input. */
  add(batch: NewBatch, tag: string, entryIds: readonly string[], now: number): void;
  /** Throws NOT_FOUND. */
  get(batchId: string): Batch;
  /** Undefined if there is no such batch. */
  head(batchId: string): BatchHead | undefined;
  list(accountId: string, endpointId: string): Batch[];
  /** The batches that still have something to send and are not stopped. */
  sending(): string[];
  /** `view`: without it all, in the order of the list. */
  rows(batchId: string, offset: number, limit: number, view?: BatchView): BatchRow[];
  /** The ids of its sent jobs, in the order of the list. */
  entryIds(batchId: string): string[];
  /** The jobs of it that have not ended. */
  unfinished(batchId: string): string[];
  nextInput(batchId: string): BatchInput | null;
  /** The input at this place of the list; null if it was sent. */
  input(batchId: string, place: number): BatchInput | null;
  /**
   * Puts the repeatable inputs back to those that are not sent, with a new job for each of them: the earlier jobs stay
   * in the ledger. Returns their places in the list.
   */
  putBack(batchId: string, newEntryId: () => string): number[];
  /** Its job is in the ledger now. */
  markSent(batchId: string, place: number): void;
  setStop(batchId: string, stoppedBy: Batch['stoppedBy'], problem: string | null): void;
}

/** Characters of an input and of an output in a row. */
const INPUT_LENGTH = 1000;
const OUTPUT_LENGTH = 200;
/** A stream whose output is empty is shown by its first chunks. */
const SHOWN_CHUNKS = 20;
/** So many batches are listed for an endpoint; older ones are removed where all is sent. */
const LISTED = 20;
const UNFINISHED = "('SENDING', 'IN_QUEUE', 'IN_PROGRESS')";

const HEAD = `
  SELECT b.batch_id AS batchId, b.account_id AS accountId, b.endpoint_id AS endpointId, b.endpoint_name AS endpointName,
    b.tag, b.at_once AS atOnce, b.created_at AS createdAt, b.stopped_by AS stoppedBy, b.problem`;
/** A job that was sent and not answered may run already. */
const REPEATABLE = `i.body IS NULL AND e.status NOT IN ${UNFINISHED} AND e.status NOT IN ('COMPLETED', 'UNANSWERED')`;
const FAILED = `i.body IS NULL AND e.status NOT IN ${UNFINISHED} AND e.status <> 'COMPLETED'`;
const STATUS = "CASE WHEN i.body IS NOT NULL THEN 'UNSENT' ELSE coalesce(e.status, 'REMOVED') END";
/** What each order compares. */
const sortKeys: Readonly<Record<NonNullable<BatchView['sort']>['by'], string>> = {
  number: 'i.place',
  state: STATUS,
  input: `natural_key(substr(coalesce(i.body, t.text), 1, ${INPUT_LENGTH}))`,
  output: `natural_key(coalesce(e.error, substr(o.text, 1, ${OUTPUT_LENGTH})))`,
  ran: 'e.execution_time',
};
/** Rows without a value stand last, and equal rows in the order of the list. */
const orderOf = (sort: BatchView['sort']): string =>
  sort === null ? 'i.place' : `${sortKeys[sort.by]} ${sort.isUp ? 'ASC' : 'DESC'} NULLS LAST, i.place`;

const COUNTS = `${HEAD},
    count(*) AS total,
    count(i.body) AS unsent,
    coalesce(sum(i.body IS NULL AND e.status IN ${UNFINISHED}), 0) AS running,
    coalesce(sum(i.body IS NULL AND e.status IN ('SENDING', 'IN_QUEUE')), 0) AS queued,
    (SELECT w.waiting FROM batch_inputs j JOIN entries w ON w.entry_id = j.entry_id
       WHERE j.batch_id = b.batch_id AND j.body IS NULL AND w.status = 'IN_QUEUE' AND w.waiting IS NOT NULL
       ORDER BY j.place LIMIT 1) AS waiting,
    coalesce(sum(i.body IS NULL AND e.status = 'COMPLETED'), 0) AS completed,
    coalesce(sum(${FAILED}), 0) AS failed,
    coalesce(sum(${REPEATABLE}), 0) AS repeatable
  FROM batches b JOIN batch_inputs i ON i.batch_id = b.batch_id LEFT JOIN entries e ON e.entry_id = i.entry_id`;

const UNSENT_INPUT = 'SELECT place, entry_id, body FROM batch_inputs WHERE batch_id = ? AND body IS NOT NULL';
const toInput = (row: Record<string, SQLOutputValue>): BatchInput => ({
  place: Number(row['place']),
  entryId: String(row['entry_id']),
  body: String(row['body']),
});

/** `row` has the columns of the entry, which are null without a job, and those of the input. */
const toRow = (row: Record<string, SQLOutputValue>): BatchRow =>
  batchRowSchema.parse({
    ...row,
    entryId: row['inputId'],
    status: row['rowStatus'],
    job: row['rowStatus'] === 'UNSENT' || row['rowStatus'] === 'REMOVED' ? null : row,
  });

const hasOutput = (row: Record<string, SQLOutputValue>): boolean =>
  Number(row['chunkCount'] ?? 0) === 0 || (row['output'] !== null && row['output'] !== '[]');

export function createBatchRows(sql: Sql, writes: Writes): BatchRows {
  const find = (batchId: string): Batch | null => {
    const row = sql(`${COUNTS} WHERE b.batch_id = ? GROUP BY b.batch_id`).get(batchId);
    return row ? batchSchema.parse(row) : null;
  };
  const idsOf = (text: string, batchId: string): string[] =>
    sql(text)
      .all(batchId)
      .map((row) => String(row['entry_id']));

  /** The first chunks as one text: texts joined, other values in a row. */
  const chunksOf = (seq: number): string => {
    const texts = sql(`SELECT substr(text, 1, ${OUTPUT_LENGTH}) AS text FROM chunks WHERE seq = ? ORDER BY idx LIMIT ?`)
      .all(seq, SHOWN_CHUNKS)
      .map((row) => String(row['text']));
    const values = texts.map(parseJsonOrNull);
    return values.every((value) => typeof value === 'string')
      ? JSON.stringify(values.join('').slice(0, OUTPUT_LENGTH))
      : texts.join(' ').slice(0, OUTPUT_LENGTH);
  };

  return {
    add(batch, tag, entryIds, now) {
      writes.write(() => {
        sql(
          `INSERT INTO batches (batch_id, account_id, endpoint_id, endpoint_name, tag, at_once, created_at)
             VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ).run(batch.batchId, batch.accountId, batch.endpointId, batch.endpointName, tag, batch.atOnce, now);
        const insert = sql('INSERT INTO batch_inputs (batch_id, place, line, entry_id, body) VALUES (?, ?, ?, ?, ?)');
        batch.inputs.forEach(({ line, body }, place) =>
          insert.run(batch.batchId, place, line, entryIds[place] ?? '', body),
        );
        sql(
          `DELETE FROM batches WHERE account_id = ? AND endpoint_id = ?
             AND batch_id NOT IN (SELECT batch_id FROM batch_inputs WHERE body IS NOT NULL)
             AND batch_id NOT IN
               (SELECT batch_id FROM batches WHERE account_id = ? AND endpoint_id = ? ORDER BY created_at DESC LIMIT ?)`,
        ).run(batch.accountId, batch.endpointId, batch.accountId, batch.endpointId, LISTED);
      });
      writes.flush();
    },
    get(batchId) {
      const batch = find(batchId);
      if (batch === null) throw new AppError('NOT_FOUND', 'There is no such batch. Choose one of the list.');
      return batch;
    },
    head(batchId) {
      const row = sql(`${HEAD} FROM batches b WHERE b.batch_id = ?`).get(batchId);
      return row && headSchema.parse(row);
    },
    list: (accountId, endpointId) =>
      sql(
        `${COUNTS} WHERE b.account_id = ? AND b.endpoint_id = ? GROUP BY b.batch_id ORDER BY b.created_at DESC LIMIT ?`,
      )
        .all(accountId, endpointId, LISTED)
        .map((row) => batchSchema.parse(row)),
    sending: () =>
      sql(
        `SELECT batch_id FROM batches b WHERE stopped_by IS NULL
           AND EXISTS (SELECT 1 FROM batch_inputs i WHERE i.batch_id = b.batch_id AND i.body IS NOT NULL)`,
      )
        .all()
        .map((row) => String(row['batch_id'])),
    rows: (batchId, offset, limit, { onlyFailed, sort } = { onlyFailed: false, sort: null }) =>
      sql(
        `SELECT ${entryColumns}, i.place + 1 AS number, i.entry_id AS inputId, ${STATUS} AS rowStatus,
           substr(coalesce(i.body, t.text), 1, ${INPUT_LENGTH}) AS input,
           substr(o.text, 1, ${OUTPUT_LENGTH}) AS output, e.seq
         FROM batch_inputs i LEFT JOIN entries e ON e.entry_id = i.entry_id
           LEFT JOIN bodies t ON t.seq = e.seq LEFT JOIN outputs o ON o.seq = e.seq
         WHERE i.batch_id = ?${onlyFailed ? ` AND ${FAILED}` : ''} ORDER BY ${orderOf(sort)} LIMIT ? OFFSET ?`,
      )
        .all(batchId, limit, offset)
        .map((row) => toRow(hasOutput(row) ? row : { ...row, output: chunksOf(Number(row['seq'])) })),
    entryIds: (batchId) =>
      idsOf('SELECT entry_id FROM batch_inputs WHERE batch_id = ? AND body IS NULL ORDER BY place', batchId),
    unfinished: (batchId) =>
      idsOf(
        `SELECT i.entry_id FROM batch_inputs i JOIN entries e ON e.entry_id = i.entry_id
           WHERE i.batch_id = ? AND e.status IN ${UNFINISHED}`,
        batchId,
      ),
    nextInput(batchId) {
      const row = sql(`${UNSENT_INPUT} ORDER BY place LIMIT 1`).get(batchId);
      return row ? toInput(row) : null;
    },
    input(batchId, place) {
      const row = sql(`${UNSENT_INPUT} AND place = ?`).get(batchId, place);
      return row ? toInput(row) : null;
    },
    putBack(batchId, newEntryId) {
      const rows = sql(
        `SELECT i.place, t.text FROM batch_inputs i JOIN entries e ON e.entry_id = i.entry_id
           JOIN bodies t ON t.seq = e.seq WHERE i.batch_id = ? AND ${REPEATABLE} ORDER BY i.place`,
      ).all(batchId);
      writes.write(() => {
        const update = sql('UPDATE batch_inputs SET body = ?, entry_id = ? WHERE batch_id = ? AND place = ?');
        for (const { place, text } of rows) update.run(String(text), newEntryId(), batchId, Number(place));
      });
      writes.flush();
      return rows.map(({ place }) => Number(place));
    },
    markSent(batchId, place) {
      writes.write(() =>
        sql('UPDATE batch_inputs SET body = NULL WHERE batch_id = ? AND place = ?').run(batchId, place),
      );
    },
    setStop(batchId, stoppedBy, problem) {
      writes.write(() =>
        sql('UPDATE batches SET stopped_by = ?, problem = ? WHERE batch_id = ?').run(stoppedBy, problem, batchId),
      );
      writes.flush();
    },
  };
}
