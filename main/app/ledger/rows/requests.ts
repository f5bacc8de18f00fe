/** The requests about a job as lines: consecutive requests with the same result share one line. */
import { requestLineSchema, type RequestLine } from '#contract/app/ledger.ts';
import { redact } from '../../platform/redaction.ts';
import type { SentRequest } from '../../platform/requestObserver.ts';
import type { Sql } from '../query.ts';

export interface RequestRows {
  note(seq: number, request: SentRequest): void;
  of(seq: number): RequestLine[];
}

/**
 * A reader alternates between requests, such as for the state and for the stream. A request joins an equal one among
 * this many last lines.
 */
const TURNS = 4;

export function createRequestRows(sql: Sql): RequestRows {
  return {
    note(seq, { at, method, path, status, tookMs, error }) {
      const clean = redact(path);
      const last = sql('SELECT n, method, path, status, error FROM requests WHERE seq = ? ORDER BY n DESC LIMIT ?');
      const rows = last.all(seq, TURNS);
      const like = rows.find(
        (row) =>
          row['method'] === method && row['path'] === clean && row['status'] === status && row['error'] === error,
      );
      if (like) {
        sql('UPDATE requests SET last_at = ?, times = times + 1, took_ms = took_ms + ? WHERE seq = ? AND n = ?').run(
          at,
          tookMs,
          seq,
          Number(like['n']),
        );
        return;
      }
      sql(
        `INSERT INTO requests (seq, n, first_at, last_at, method, path, status, times, took_ms, error)
           VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
      ).run(seq, rows.length === 0 ? 0 : Number(rows[0]?.['n']) + 1, at, at, method, clean, status, tookMs, error);
    },
    of: (seq) =>
      sql(
        `SELECT first_at AS firstAt, last_at AS lastAt, method, path, status, times, took_ms AS tookMs, error
           FROM requests WHERE seq = ? ORDER BY n`,
      )
        .all(seq)
        .map((row) => requestLineSchema.parse(row)),
  };
}
