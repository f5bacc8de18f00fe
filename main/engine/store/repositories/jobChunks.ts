/**
 * The rows of stream chunks. Row numbers increase over all jobs; the chunks of one job are between its first and last
 * row.
 */
import type { DatabaseSync } from 'node:sqlite';
import { requireValue } from '#contract/core/requireValue.ts';
import type { JobStore } from '../../domain/jobs/ports.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { query, queryArrays } from '../sqlite/statements.ts';

/** The number of chunks in one statement: executing a statement costs as much as two rows. */
const CHUNKS_AT_ONCE = 16;

interface RowRange {
  firstRow: number;
  lastRow: number;
}

/** A copy of the current range, because the log of a running job grows. */
export const rangeOf = ({ firstRow, lastRow }: RowRange): RowRange => ({ firstRow, lastRow });

export interface ChunkRows {
  /**
   * Returns the chunk logs of all jobs. `chunksRead` returns how many chunks of a job were read, or null for an unknown
   * job, whose rows are then deleted.
   */
  load(chunksRead: (seq: number) => number | null): ReturnType<JobStore['loadChunkRows']>;
  append: JobStore['appendChunks'];
  read: JobStore['chunks'];
  /** Deletes the rows. Call this inside a transaction. */
  delete(seq: number, rows: RowRange): void;
}

export function createChunkRows(database: DatabaseSync, commits: GroupCommit): ChunkRows {
  const inserts = [CHUNKS_AT_ONCE, 1].map((count) => {
    const values = Array.from({ length: count }, () => '(?, ?, ?)').join();
    return { count, statement: database.prepare(`INSERT INTO chunk (row, seq, text) VALUES ${values}`) };
  });
  const deleteRows = database.prepare('DELETE FROM chunk WHERE row BETWEEN ? AND ? AND seq = ?');
  const selectRows = queryArrays<[row: number, text: string]>(
    database,
    'SELECT row, text FROM chunk WHERE row BETWEEN ? AND ? AND seq = ? ORDER BY row LIMIT ?',
  );
  let highestRow = query<{ highest: number }>(database, 'SELECT coalesce(max(row), 0) AS highest FROM chunk').one()
    .highest;

  return {
    load(chunksRead) {
      const logs = query<{ seq: number; firstRow: number; lastRow: number; total: number }>(
        database,
        'SELECT seq, min(row) AS firstRow, max(row) AS lastRow, count(*) AS total FROM chunk GROUP BY seq',
      ).all();
      const nextRow = query<{ row: number }>(
        database,
        'SELECT row FROM chunk WHERE row BETWEEN ? AND ? AND seq = ? ORDER BY row LIMIT 1 OFFSET ?',
      );
      return logs.flatMap((log) => {
        const read = chunksRead(log.seq);
        if (read === null) {
          // The job was refused while its chunks arrived.
          deleteRows.run(log.firstRow, log.lastRow, log.seq);
          return [];
        }
        const next = nextRow.get(log.firstRow, log.lastRow, log.seq, read);
        return { ...log, readRow: next?.row ?? log.lastRow + 1 };
      });
    },
    append(seq, texts, settled, urgency) {
      const firstRow = highestRow + 1;
      highestRow += texts.length;
      const insert = (): void => {
        let at = 0;
        for (const { count, statement } of inserts) {
          while (at + count <= texts.length) {
            const values: (string | number)[] = [];
            for (const end = at + count; at < end; at++) {
              values.push(firstRow + at, seq, requireValue(texts[at], 'the text of a chunk'));
            }
            statement.run(...values);
          }
        }
      };
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      commits.write(insert, settled, urgency, length);
      return firstRow;
    },
    read(seq, fromRow, toRow, limit) {
      const rows = selectRows.all(fromRow, toRow, seq, limit);
      return rows.map(([row, text]) => ({ row, text }));
    },
    delete: (seq, { firstRow, lastRow }) => void deleteRows.run(firstRow, lastRow, seq),
  };
}
