/** Which job has which files: written with the job's own row, held in memory, and the files removed once their rows are. */
import type { DatabaseSync } from 'node:sqlite';
import type { CommitCallback } from '../../domain/core/commits.ts';
import type { StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { isOutcomeUnknown } from '../sqlite/writeHealth.ts';
import type { TextFiles } from './payloadFiles.ts';

/** The numbers are in the database. */
export const textPart = { body: 0, output: 1 } as const;
type Part = (typeof textPart)[keyof typeof textPart];

/** A change of the rows, to be made inside the transaction of the job's own. */
export interface TextWrite {
  write(): void;
  /** What follows the commit, or its failure, before `settled` is told. */
  trackWrite(settled: CommitCallback): CommitCallback;
}

export interface StoredTextRows {
  get(seq: number, part: Part): StoredText | null;
  /** From now on `text` belongs to the job; should the commit fail, its file is removed. */
  put(seq: number, part: Part, text: StoredText): TextWrite;
  /** Null when the job has no such file. */
  drop(seq: number, parts: readonly Part[]): TextWrite | null;
  /** Keeps a text that no row refers to, in place of the last one, until `release`. */
  hold(seq: number, text: StoredText): void;
  /** Removes what is held for the job, once a commit has succeeded. */
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

  for (const row of database.prepare('SELECT * FROM stored_text').all() as unknown as Row[]) {
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
            // Its row may be there after all. The next start knows, and removes what no row refers to.
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
