/**
 * The index of the files of each job. It is written together with the row of the job and kept in memory. Files are
 * removed after their rows.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { CommitCallback } from '../../domain/core/commits.ts';
import type { StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { query } from '../sqlite/statements.ts';
import { isOutcomeUnknown } from '../sqlite/writeHealth.ts';
import type { TextFiles } from './payloadFiles.ts';

/** The database stores these numbers. */
export const textPart = { body: 0, output: 1 } as const;
type Part = (typeof textPart)[keyof typeof textPart];

/** A change of rows for the transaction that changes the job. */
export interface TextWrite {
  write(): void;
  /** Wraps `settled`: updates the index after the commit or its failure, then calls `settled`. */
  trackWrite(settled: CommitCallback): CommitCallback;
}

export interface StoredTextRows {
  get(seq: number, part: Part): StoredText | null;
  /** Assigns `text` to the job. If the commit fails, its file is removed. */
  put(seq: number, part: Part, text: StoredText): TextWrite;
  /** Null when the job has no such file. */
  drop(seq: number, parts: readonly Part[]): TextWrite | null;
  /** Keeps a text without a row until `release`. It replaces the previous one. */
  hold(seq: number, text: StoredText): void;
  /** Wraps `settled`: after a successful commit, removes the text of `hold`. */
  release(seq: number, settled: CommitCallback): CommitCallback;
}

interface Row {
  seq: number;
  part: Part;
  file: string;
  bytes: number;
  sealed: number;
  input_start: number | null;
  input_end: number | null;
}

function toText({ file, bytes, sealed, input_start: start, input_end: end }: Row): StoredText {
  const input = start === null || end === null ? null : { start, end };
  return { file, bytes, sealed: sealed === 1, part: { start: 0, end: bytes }, input };
}

export function createStoredTextRows(database: DatabaseSync, files: TextFiles): StoredTextRows {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO stored_text (seq, part, file, bytes, sealed, input_start, input_end) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM stored_text WHERE seq = ? AND part = ?');
  const committed: Record<Part, Map<number, StoredText>> = { 0: new Map(), 1: new Map() };
  const pending = new Map<number, StoredText>();

  for (const row of query<Row>(database, 'SELECT * FROM stored_text').all()) {
    const text = toText(row);
    committed[row.part].set(row.seq, text);
    files.addReference(text.file);
  }

  return {
    get: (seq, part) => committed[part].get(seq) ?? null,
    put(seq, part, text) {
      const before = committed[part].get(seq);
      committed[part].set(seq, text);
      const { file, bytes, sealed, input } = text;
      return {
        write: () => void insert.run(seq, part, file, bytes, sealed ? 1 : 0, input?.start ?? null, input?.end ?? null),
        trackWrite: (settled) => (error) => {
          if (isOutcomeUnknown(error)) {
            // The row may exist. The next start removes the file if no row refers to it.
          } else if (error) {
            if (before) committed[part].set(seq, before);
            else committed[part].delete(seq);
            files.remove(file);
          } else if (before) files.remove(before.file);
          settled(error);
        },
      };
    },
    drop(seq, parts) {
      const dropped = parts.flatMap((part) => {
        const text = committed[part].get(seq);
        return text ? [{ part, text }] : [];
      });
      if (dropped.length === 0) return null;
      return {
        write() {
          for (const { part } of dropped) remove.run(seq, part);
        },
        trackWrite: (settled) => (error) => {
          if (!error) {
            for (const { part, text } of dropped) {
              if (committed[part].get(seq) === text) committed[part].delete(seq);
              files.remove(text.file);
            }
          }
          settled(error);
        },
      };
    },
    hold(seq, text) {
      const before = pending.get(seq);
      if (before) files.remove(before.file);
      pending.set(seq, text);
    },
    release(seq, settled) {
      const text = pending.get(seq);
      if (!text) return settled;
      return (error) => {
        if (!error && pending.get(seq) === text) {
          pending.delete(seq);
          files.remove(text.file);
        }
        settled(error);
      };
    },
  };
}
