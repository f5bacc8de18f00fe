/** Jobs, their bodies, outputs and chunks in SQLite, written through the group commit. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#contract/core/errors.ts';
import type { JobRecord } from '../../domain/jobs/jobFields.ts';
import type { JobStore } from '../../domain/jobs/ports.ts';
import { heldLength, isStored } from '../../domain/jobs/payload/payloadRef.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { openText, type SealedText } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import { createStoredTextRows, textPart } from '../payloads/payloadIndex.ts';
import type { TextFiles } from '../payloads/payloadFiles.ts';
import type { Unreadable } from '../encryption/unreadable.ts';
import { createJobRowCodec, insertSql, placeOf, selectColumns, updateSql, type JobRow } from './jobRow.ts';

/** What seals what a job holds of secrets. */
export interface JobSealing {
  /** Storage credentials, which the person may have chosen to keep for this run only. */
  sealing: Sealing;
  /** Addresses of webhooks, which are called in later runs as well. */
  lasting: Sealing;
  unreadable: Pick<Unreadable, 'noteJob'>;
}

const SEQ = placeOf('seq');
const ENDPOINT = placeOf('endpointId');
const CHUNKS_READ = placeOf('chunksRead');
/** Chunks written by one statement where there are as many: each run of a statement costs as much as two rows. */
const CHUNKS_AT_ONCE = 16;
/** Rows read at a time at a start. */
const PAGE = 2048;

export function createJobStore(
  database: DatabaseSync,
  commits: GroupCommit,
  { sealing, lasting, unreadable }: JobSealing,
  files: TextFiles,
): JobStore {
  const texts = createStoredTextRows(database, files);
  const insertJob = database.prepare(insertSql);
  const insertBody = database.prepare('INSERT INTO body (seq, content) VALUES (?, ?)');
  const updateJob = database.prepare(updateSql);
  const putOutput = database.prepare('INSERT OR REPLACE INTO output (seq, text) VALUES (?, ?)');
  const insertChunks = [CHUNKS_AT_ONCE, 1].map((count) => {
    const values = Array.from({ length: count }, () => '(?, ?, ?)').join();
    return { count, statement: database.prepare(`INSERT INTO chunk (row, seq, text) VALUES ${values}`) };
  });
  const deleteChunks = database.prepare('DELETE FROM chunk WHERE row BETWEEN ? AND ? AND seq = ?');
  const deleteJob = database.prepare('DELETE FROM job WHERE seq = ?');
  const deleteBody = database.prepare('DELETE FROM body WHERE seq = ?');
  const deleteOutput = database.prepare('DELETE FROM output WHERE seq = ?');
  const selectJob = database.prepare(`SELECT ${selectColumns} FROM job WHERE seq = ?`);
  const selectPage = database.prepare(`SELECT ${selectColumns} FROM job WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`);
  const selectBody = database.prepare('SELECT content FROM body WHERE seq = ?');
  const selectOutput = database.prepare('SELECT text FROM output WHERE seq = ?');
  const selectChunks = database.prepare(
    'SELECT row, text FROM chunk WHERE row BETWEEN ? AND ? AND seq = ? ORDER BY row LIMIT ?',
  );
  for (const select of [selectJob, selectPage, selectChunks]) select.setReturnArrays(true);

  const codec = createJobRowCodec({
    seal: (text) => lasting.seal(text),
    open(sealed, seq) {
      const text = openText(lasting, sealed as SealedText);
      if (text === null) unreadable.noteJob(seq);
      return text;
    },
  });

  const highest = (sql: string): number => (database.prepare(sql).get() as { highest: number }).highest;
  let lastSeq = highest('SELECT coalesce(max(seq), 0) AS highest FROM job');
  let lastChunkRow = highest('SELECT coalesce(max(row), 0) AS highest FROM chunk');

  // Values are bound when the write is asked for: a later change of the record belongs to a later write.
  function updating(record: JobRecord): () => number {
    const values = codec.encodeChanges(record);
    return () => Number(updateJob.run(...values).changes);
  }

  return {
    *load() {
      // Jobs of one endpoint follow one another: they share its name instead of each keeping a copy.
      let endpoint: string | null = null;
      for (let after = 0, rows; (rows = selectPage.all(after) as unknown as JobRow[]).length > 0;) {
        for (const row of rows) {
          if (row[ENDPOINT] === endpoint) row[ENDPOINT] = endpoint;
          else endpoint = row[ENDPOINT] as string;
          const record = codec.decode(row);
          // A rank at the end of its queue was a number as jobs have them: who comes later has a greater one.
          if (record.rank !== null) lastSeq = Math.max(lastSeq, Math.ceil(record.rank));
          yield record;
        }
        after = rows.at(-1)?.[SEQ] as number;
      }
    },
    loadChunkRows() {
      const logs = database
        .prepare('SELECT seq, min(row) AS firstRow, max(row) AS lastRow, count(*) AS total FROM chunk GROUP BY seq')
        .all() as { seq: number; firstRow: number; lastRow: number; total: number }[];
      const nextRow = database.prepare(
        'SELECT row FROM chunk WHERE row BETWEEN ? AND ? AND seq = ? ORDER BY row LIMIT 1 OFFSET ?',
      );
      return logs.flatMap((log) => {
        const row = selectJob.get(log.seq) as unknown as JobRow | undefined;
        if (!row) {
          // A job that was refused while its chunks came in.
          deleteChunks.run(log.firstRow, log.lastRow, log.seq);
          return [];
        }
        const read = row[CHUNKS_READ] as number;
        const next = nextRow.get(log.firstRow, log.lastRow, log.seq, read) as { row: number } | undefined;
        return { ...log, readRow: next?.row ?? log.lastRow + 1 };
      });
    },
    reload(seq) {
      const row = selectJob.get(seq) as unknown as JobRow | undefined;
      return row ? codec.decode(row) : null;
    },
    nextSeq: () => ++lastSeq,
    insert(record, body, sealed, settled, urgency) {
      const { seq, webhook } = record;
      const values = codec.encode(record);
      const bodySealing = sealed ? sealing : webhook === null ? null : lasting;
      const stored = typeof body === 'string' ? null : texts.put(seq, textPart.body, body);
      const write = (): void => {
        insertJob.run(...values);
        if (typeof body === 'string') insertBody.run(seq, bodySealing ? bodySealing.seal(body) : body);
        else stored?.write();
      };
      commits.write(write, stored ? stored.trackWrite(settled) : settled, urgency, heldLength(body), 'new');
    },
    update: (record, settled, urgency) => commits.write(updating(record), settled, urgency),
    updateLater(record, settled) {
      const { status, retries } = record;
      const isAsItWas = (): boolean => record.status === status && record.retries === retries;
      commits.writeLater(() => (isAsItWas() ? updating(record) : null), settled);
    },
    finish(record, output, settled, alongside) {
      const update = updating(record);
      const { seq } = record;
      const stored = isStored(output) ? texts.put(seq, textPart.output, output) : null;
      const release = texts.release(seq, settled);
      commits.write(
        () => {
          // A job whose own write was refused in this very commit has no row, and leaves no output behind.
          if (update() === 0) return;
          if (typeof output === 'string') putOutput.run(seq, output);
          else stored?.write();
          alongside?.();
        },
        stored ? stored.trackWrite(release) : release,
      );
    },
    finishAll(records, settled) {
      const updates = records.map(updating);
      commits.write(() => {
        for (const update of updates) update();
      }, settled);
    },
    restart(record, chunkRows, settled) {
      const update = updating(record);
      const { seq } = record;
      const rows = chunkRows && { first: chunkRows.firstRow, last: chunkRows.lastRow };
      const dropped = texts.drop(seq, [textPart.output]);
      const release = texts.release(seq, settled);
      commits.write(
        () => {
          update();
          deleteOutput.run(seq);
          dropped?.write();
          if (rows) deleteChunks.run(rows.first, rows.last, seq);
        },
        dropped ? dropped.trackWrite(release) : release,
      );
    },
    appendChunks(seq, texts, settled, urgency) {
      const firstRow = lastChunkRow + 1;
      lastChunkRow += texts.length;
      const insert = (): void => {
        let at = 0;
        for (const { count, statement } of insertChunks) {
          while (at + count <= texts.length) {
            const values: (string | number)[] = [];
            for (const end = at + count; at < end; at++) values.push(firstRow + at, seq, texts[at]!);
            statement.run(...values);
          }
        }
      };
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      commits.write(insert, settled, urgency, length);
      return firstRow;
    },
    remove(seq, chunkRows, settled) {
      const dropped = texts.drop(seq, [textPart.body, textPart.output]);
      const release = texts.release(seq, settled);
      const rows = chunkRows && { first: chunkRows.firstRow, last: chunkRows.lastRow };
      const run = (): void => {
        deleteJob.run(seq);
        deleteBody.run(seq);
        deleteOutput.run(seq);
        dropped?.write();
        if (rows) deleteChunks.run(rows.first, rows.last, seq);
      };
      commits.write(run, dropped ? dropped.trackWrite(release) : release, 'now', 0, 'removal');
    },
    body(seq) {
      const stored = texts.get(seq, textPart.body);
      if (stored) return stored;
      const row = selectBody.get(seq) as { content: string | Uint8Array } | undefined;
      if (!row) throw new AppError('NOT_FOUND', 'The input of this job is gone.');
      if (typeof row.content === 'string') return row.content;
      const text = sealing.open(row.content);
      if (text === null) {
        throw new AppError(
          'FORBIDDEN',
          'The request of this job was kept encrypted for an earlier run of Hangar, and that key is gone. Submit the job again.',
        );
      }
      return text;
    },
    output: (seq) =>
      texts.get(seq, textPart.output) ?? (selectOutput.get(seq) as { text: string } | undefined)?.text ?? null,
    hold: texts.hold,
    discard: ({ file }) => files.remove(file),
    chunks(seq, fromRow, toRow, limit) {
      const rows = selectChunks.all(fromRow, toRow, seq, limit) as unknown as [number, string][];
      return rows.map(([row, text]) => ({ row, text }));
    },
  };
}
