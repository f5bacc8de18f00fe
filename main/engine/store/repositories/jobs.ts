/** Jobs, their bodies, outputs and chunks in SQLite, written through the group commit. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#contract/core/errors.ts';
import { jobStatuses } from '#contract/api/job.ts';
import type { JobRecord } from '../../domain/jobs/jobRecord.ts';
import type { JobStore } from '../../domain/jobs/ports.ts';
import { heldLength, isStored } from '../../domain/jobs/payload/payloadRef.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { openText, type SealedText } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import { createStoredTextRows, textPart } from '../payloads/payloadIndex.ts';
import type { TextFiles } from '../payloads/payloadFiles.ts';
import type { Unreadable } from '../encryption/unreadable.ts';

/** Values in the order of COLUMNS. */
type Row = (string | number | Uint8Array | null)[];

/** What seals what a job holds of secrets. */
export interface JobSealing {
  /** Storage credentials, which the person may have chosen to keep for this run only. */
  sealing: Sealing;
  /** Addresses of webhooks, which are called in later runs as well. */
  lasting: Sealing;
  unreadable: Pick<Unreadable, 'noteJob'>;
}

/** Rows are read as arrays: an object for each of a million rows at a start is what most of the reading would be. */
const COLUMNS = `seq, id, endpoint, submitted_at, retention, timeout, low_priority, ttl, status, queued_at, worker, own_worker,
  started_at, finished_at, delay, execution, error, has_output, retries, lost, chunks_read, webhook,
  crashes, rank`;
/** Chunks written by one statement where there are as many: each run of a statement costs as much as two rows. */
const CHUNKS_AT_ONCE = 16;
/** Rows read at a time at a start. */
const PAGE = 2048;

const statusNumber = new Map(jobStatuses.map((status, index) => [status, index]));

function toRecord(row: Row, webhook: string | null): JobRecord {
  return {
    seq: row[0] as number,
    id: row[1] as string,
    endpointId: row[2] as string,
    submittedAt: row[3] as number,
    retentionMs: row[4] as number,
    executionTimeoutMs: row[5] as number,
    lowPriority: row[6] === 1,
    ttlMs: row[7] as number,
    status: jobStatuses[row[8] as number]!,
    queuedAt: row[9] as number,
    workerId: row[10] as string | null,
    ownWorker: row[11] === 1,
    startedAt: row[12] as number | null,
    finishedAt: row[13] as number | null,
    delayTime: row[14] as number | null,
    executionTime: row[15] as number | null,
    error: row[16] as string | null,
    hasOutput: row[17] === 1,
    retries: row[18] as number,
    lost: row[19] as number,
    chunksRead: row[20] as number,
    webhook,
    crashes: row[22] as number,
    rank: row[23] as number | null,
  };
}

export function createJobStore(
  database: DatabaseSync,
  commits: GroupCommit,
  { sealing, lasting, unreadable }: JobSealing,
  files: TextFiles,
): JobStore {
  const texts = createStoredTextRows(database, files);
  const insertJob = database.prepare(
    `INSERT INTO job (seq, id, endpoint, submitted_at, retention, timeout, low_priority, ttl, status, queued_at, worker,
       own_worker, started_at, delay, webhook, has_output, retries, lost, chunks_read)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)`,
  );
  const insertBody = database.prepare('INSERT INTO body (seq, content) VALUES (?, ?)');
  const updateJob = database.prepare(
    `UPDATE job SET ttl = ?, status = ?, queued_at = ?, worker = ?, own_worker = ?, started_at = ?, finished_at = ?, delay = ?,
       execution = ?, error = ?, has_output = ?, retries = ?, lost = ?, chunks_read = ?, crashes = ?, rank = ? WHERE seq = ?`,
  );
  const putOutput = database.prepare('INSERT OR REPLACE INTO output (seq, text) VALUES (?, ?)');
  const insertChunks = [CHUNKS_AT_ONCE, 1].map((count) => {
    const values = Array.from({ length: count }, () => '(?, ?, ?)').join();
    return { count, statement: database.prepare(`INSERT INTO chunk (row, seq, text) VALUES ${values}`) };
  });
  const deleteChunks = database.prepare('DELETE FROM chunk WHERE row BETWEEN ? AND ? AND seq = ?');
  const deleteJob = database.prepare('DELETE FROM job WHERE seq = ?');
  const deleteBody = database.prepare('DELETE FROM body WHERE seq = ?');
  const deleteOutput = database.prepare('DELETE FROM output WHERE seq = ?');
  const selectJob = database.prepare(`SELECT ${COLUMNS} FROM job WHERE seq = ?`);
  const selectPage = database.prepare(`SELECT ${COLUMNS} FROM job WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`);
  const selectBody = database.prepare('SELECT content FROM body WHERE seq = ?');
  const selectOutput = database.prepare('SELECT text FROM output WHERE seq = ?');
  const selectChunks = database.prepare(
    'SELECT row, text FROM chunk WHERE row BETWEEN ? AND ? AND seq = ? ORDER BY row LIMIT ?',
  );
  for (const select of [selectJob, selectPage, selectChunks]) select.setReturnArrays(true);

  function recordOf(row: Row): JobRecord {
    const sealed = row[21] as SealedText | null;
    const webhook = sealed === null ? null : openText(lasting, sealed);
    if (sealed !== null && webhook === null) unreadable.noteJob(row[0] as number);
    return toRecord(row, webhook);
  }

  const highest = (sql: string): number => (database.prepare(sql).get() as { highest: number }).highest;
  let lastSeq = highest('SELECT coalesce(max(seq), 0) AS highest FROM job');
  let lastChunkRow = highest('SELECT coalesce(max(row), 0) AS highest FROM chunk');

  // Values are bound when the write is asked for: a later change of the record belongs to a later write.
  function updating(record: JobRecord): () => number {
    const { seq, ttlMs, queuedAt, workerId, startedAt, finishedAt, delayTime, executionTime } = record;
    const { error, retries, lost, chunksRead, crashes, rank } = record;
    const status = statusNumber.get(record.status)!;
    const own = record.ownWorker ? 1 : 0;
    const hasOutput = record.hasOutput ? 1 : 0;
    return () => {
      const { changes } = updateJob.run(
        ttlMs,
        status,
        queuedAt,
        workerId,
        own,
        startedAt,
        finishedAt,
        delayTime,
        executionTime,
        error,
        hasOutput,
        retries,
        lost,
        chunksRead,
        crashes,
        rank,
        seq,
      );
      return Number(changes);
    };
  }

  return {
    *load() {
      // Jobs of one endpoint follow one another: they share its name instead of each keeping a copy.
      let endpoint: string | null = null;
      for (let after = 0, rows; (rows = selectPage.all(after) as unknown as Row[]).length > 0;) {
        for (const row of rows) {
          if (row[2] === endpoint) row[2] = endpoint;
          else endpoint = row[2] as string;
          const record = recordOf(row);
          // A rank at the end of its queue was a number as jobs have them: who comes later has a greater one.
          if (record.rank !== null) lastSeq = Math.max(lastSeq, Math.ceil(record.rank));
          yield record;
        }
        after = rows.at(-1)![0] as number;
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
        const row = selectJob.get(log.seq) as unknown as Row | undefined;
        if (!row) {
          // A job that was refused while its chunks came in.
          deleteChunks.run(log.firstRow, log.lastRow, log.seq);
          return [];
        }
        const read = row[20] as number;
        const next = nextRow.get(log.firstRow, log.lastRow, log.seq, read) as { row: number } | undefined;
        return { ...log, readRow: next?.row ?? log.lastRow + 1 };
      });
    },
    reload(seq) {
      const row = selectJob.get(seq) as unknown as Row | undefined;
      return row ? recordOf(row) : null;
    },
    nextSeq: () => ++lastSeq,
    insert(record, body, sealed, settled, urgency) {
      const { seq, id, endpointId, submittedAt, retentionMs, executionTimeoutMs, ttlMs, queuedAt, workerId } = record;
      const { startedAt, delayTime, webhook } = record;
      const low = record.lowPriority ? 1 : 0;
      const status = statusNumber.get(record.status)!;
      const own = record.ownWorker ? 1 : 0;
      const sealedWebhook = webhook === null ? null : lasting.seal(webhook);
      const bodySealing = sealed ? sealing : webhook === null ? null : lasting;
      const stored = typeof body === 'string' ? null : texts.put(seq, textPart.body, body);
      const write = (): void => {
        insertJob.run(
          seq,
          id,
          endpointId,
          submittedAt,
          retentionMs,
          executionTimeoutMs,
          low,
          ttlMs,
          status,
          queuedAt,
          workerId,
          own,
          startedAt,
          delayTime,
          sealedWebhook,
        );
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
      const told = texts.release(seq, settled);
      commits.write(
        () => {
          // A job whose own write was refused in this very commit has no row, and leaves no output behind.
          if (update() === 0) return;
          if (typeof output === 'string') putOutput.run(seq, output);
          else stored?.write();
          alongside?.();
        },
        stored ? stored.trackWrite(told) : told,
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
      const gone = texts.drop(seq, [textPart.output]);
      const told = texts.release(seq, settled);
      commits.write(
        () => {
          update();
          deleteOutput.run(seq);
          gone?.write();
          if (rows) deleteChunks.run(rows.first, rows.last, seq);
        },
        gone ? gone.trackWrite(told) : told,
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
      const gone = texts.drop(seq, [textPart.body, textPart.output]);
      const told = texts.release(seq, settled);
      const rows = chunkRows && { first: chunkRows.firstRow, last: chunkRows.lastRow };
      const run = (): void => {
        deleteJob.run(seq);
        deleteBody.run(seq);
        deleteOutput.run(seq);
        gone?.write();
        if (rows) deleteChunks.run(rows.first, rows.last, seq);
      };
      commits.write(run, gone ? gone.trackWrite(told) : told, 'now', 0, 'removal');
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
