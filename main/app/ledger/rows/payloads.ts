/** The texts of a job: its request body, its streamed chunks, and its output. */
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { findLost } from '../chunkGaps.ts';
import type { Sql } from '../query.ts';

export interface PayloadRows {
  /** The request body, without secrets; empty if there is none. */
  body(seq: number): string;
  /** Raw JSON; null if there is none. */
  output(seq: number): string | null;
  /** Its first characters, at most `length` of them; null if there is none. */
  outputStart(seq: number, length: number): string | null;
  /** How many bytes it has in UTF-8; null if there is none. */
  outputSize(seq: number): number | null;
  setOutput(seq: number, text: string): void;
  /** At most `limit` chunks from index `from` on; fewer if they are long. */
  chunks(seq: number, from: number, limit: number): LedgerChunk[];
  /** The beginning of the stream, one chunk on each line: the searchable part. */
  chunkText(seq: number): string;
  /** Adds chunks of raw JSON from index `from` on. `metrics`: the raw JSON beside each of them, null for none. */
  append(seq: number, from: number, at: number, texts: readonly string[], metrics?: readonly (string | null)[]): void;
  /** Removes chunks and output. */
  dropAll(seq: number): void;
  /**
   * Restores lost chunks. `whole`: all chunks, or the output, which may list them. `at`: the time for restored
   * chunks, in milliseconds since the epoch. Returns whether chunks were restored, none was lost, or it cannot be known.
   */
  restoreLost(seq: number, whole: readonly string[] | string | null, at: number): 'restored' | 'none' | 'unknown';
}

/** Most characters of chunks in one read. */
const CHUNK_READ_LENGTH = 4_000_000;

export function createPayloadRows(sql: Sql): PayloadRows {
  const insertChunk = 'INSERT INTO chunks (seq, idx, at, text, metrics) VALUES (?, ?, ?, ?, ?)';
  return {
    body(seq) {
      const row = sql('SELECT text FROM bodies WHERE seq = ?').get(seq);
      return row ? String(row['text']) : '';
    },
    output(seq) {
      const row = sql('SELECT text FROM outputs WHERE seq = ?').get(seq);
      return row ? String(row['text']) : null;
    },
    outputStart(seq, length) {
      const row = sql('SELECT substr(text, 1, ?) AS start FROM outputs WHERE seq = ?').get(length, seq);
      return row ? String(row['start']) : null;
    },
    outputSize(seq) {
      const row = sql('SELECT octet_length(text) AS bytes FROM outputs WHERE seq = ?').get(seq);
      return row ? Number(row['bytes']) : null;
    },
    setOutput(seq, text) {
      sql('INSERT OR REPLACE INTO outputs (seq, text) VALUES (?, ?)').run(seq, text);
      sql('UPDATE entries SET output_bytes = output_bytes + ? WHERE seq = ?').run(Buffer.byteLength(text), seq);
    },
    chunks(seq, from, limit) {
      const chunks: LedgerChunk[] = [];
      let length = 0;
      const rows = sql('SELECT idx, at, text, metrics FROM chunks WHERE seq = ? AND idx >= ? ORDER BY idx LIMIT ?');
      for (const row of rows.iterate(seq, from, limit)) {
        const metrics = row['metrics'];
        const chunk = {
          index: Number(row['idx']),
          at: Number(row['at']),
          text: String(row['text']),
          ...(typeof metrics === 'string' && { metrics }),
        };
        chunks.push(chunk);
        length += chunk.text.length;
        if (length >= CHUNK_READ_LENGTH) break;
      }
      return chunks;
    },
    chunkText(seq) {
      let text = '';
      for (const row of sql('SELECT text FROM chunks WHERE seq = ? ORDER BY idx').iterate(seq)) {
        text += `${String(row['text'])}\n`;
        if (text.length >= limits.ledger.searchedLength) break;
      }
      return text;
    },
    append(seq, from, at, texts, metrics = []) {
      const insert = sql(insertChunk);
      let bytes = 0;
      for (const [i, text] of texts.entries()) {
        insert.run(seq, from + i, at, text, metrics[i] ?? null);
        bytes += Buffer.byteLength(text);
      }
      const grow = sql(
        'UPDATE entries SET chunk_count = chunk_count + ?, output_bytes = output_bytes + ? WHERE seq = ?',
      );
      grow.run(texts.length, bytes, seq);
    },
    dropAll(seq) {
      sql('DELETE FROM chunks WHERE seq = ?').run(seq);
      sql('DELETE FROM outputs WHERE seq = ?').run(seq);
      sql('UPDATE entries SET chunk_count = 0, output_bytes = 0, chunk_gap = NULL WHERE seq = ?').run(seq);
    },
    restoreLost(seq, whole, at) {
      const rows = sql('SELECT at, text, metrics FROM chunks WHERE seq = ? ORDER BY idx').all(seq);
      const finding = findLost(
        rows.map((row) => String(row['text'])),
        whole,
      );
      if (finding.kind !== 'lost') return finding.kind;
      sql('DELETE FROM chunks WHERE seq = ?').run(seq);
      const insert = sql(insertChunk);
      let bytes = 0;
      for (const [index, { text, receivedIndex }] of finding.whole.entries()) {
        const row = receivedIndex === null ? undefined : rows[receivedIndex];
        insert.run(seq, index, Number(row?.['at'] ?? at), text, row?.['metrics'] ?? null);
        bytes += Buffer.byteLength(text);
      }
      sql('UPDATE entries SET chunk_count = ?, output_bytes = ? WHERE seq = ?').run(finding.whole.length, bytes, seq);
      return 'restored';
    },
  };
}
