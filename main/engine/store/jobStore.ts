/** Jobs, their bodies, outputs and chunks in SQLite, written through the group commit. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#contract/errors.ts';
import { jobStatuses } from '#contract/job.ts';
import type { JobRecord } from '../domain/job.ts';
import type { JobStore } from '../domain/ports.ts';
import type { GroupCommit } from './groupCommit.ts';
import type { Sealing } from './sealing.ts';

type Row = Record<string, string | number | null>;

const statusNumber = new Map(jobStatuses.map((status, index) => [status, index]));

function toRecord(row: Row): JobRecord {
  return {
    seq: row.seq as number,
    id: row.id as string,
    endpointId: row.endpoint as string,
    submittedAt: row.submitted_at as number,
    retentionMs: row.retention as number,
    executionTimeoutMs: row.timeout as number,
    lowPriority: row.low_priority === 1,
    ttlMs: row.ttl as number,
    status: jobStatuses[row.status as number]!,
    queuedAt: row.queued_at as number,
    workerId: row.worker as string | null,
    ownWorker: row.own_worker === 1,
    startedAt: row.started_at as number | null,
    finishedAt: row.finished_at as number | null,
    delayTime: row.delay as number | null,
    executionTime: row.execution as number | null,
    error: row.error as string | null,
    hasOutput: row.has_output === 1,
    retries: row.retries as number,
    lost: row.lost as number,
    chunksRead: row.chunks_read as number,
  };
}

export function createJobStore(database: DatabaseSync, commits: GroupCommit, sealing: Sealing): JobStore {
  const insertJob = database.prepare(
    `INSERT INTO job (seq, id, endpoint, submitted_at, retention, timeout, low_priority, ttl, status, queued_at, worker,
       own_worker, started_at, delay, has_output, retries, lost, chunks_read)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)`,
  );
  const insertBody = database.prepare('INSERT INTO body (seq, content) VALUES (?, ?)');
  const updateJob = database.prepare(
    `UPDATE job SET ttl = ?, status = ?, queued_at = ?, worker = ?, own_worker = ?, started_at = ?, finished_at = ?, delay = ?,
       execution = ?, error = ?, has_output = ?, retries = ?, lost = ?, chunks_read = ? WHERE seq = ?`,
  );
  const putOutput = database.prepare('INSERT OR REPLACE INTO output (seq, text) VALUES (?, ?)');
  const insertChunk = database.prepare('INSERT INTO chunk (row, seq, text) VALUES (?, ?, ?)');
  const deleteChunks = database.prepare('DELETE FROM chunk WHERE row BETWEEN ? AND ? AND seq = ?');
  const deleteJob = database.prepare('DELETE FROM job WHERE seq = ?');
  const deleteBody = database.prepare('DELETE FROM body WHERE seq = ?');
  const deleteOutput = database.prepare('DELETE FROM output WHERE seq = ?');
  const selectJob = database.prepare('SELECT * FROM job WHERE seq = ?');
  const selectBody = database.prepare('SELECT content FROM body WHERE seq = ?');
  const selectOutput = database.prepare('SELECT text FROM output WHERE seq = ?');
  const selectChunks = database.prepare(
    'SELECT row, text FROM chunk WHERE row BETWEEN ? AND ? AND seq = ? ORDER BY row LIMIT ?',
  );

  const highest = (sql: string): number => (database.prepare(sql).get() as { highest: number }).highest;
  let lastSeq = highest('SELECT coalesce(max(seq), 0) AS highest FROM job');
  let lastChunkRow = highest('SELECT coalesce(max(row), 0) AS highest FROM chunk');

  // Values are bound when the write is asked for: a later change of the record belongs to a later write.
  function updating(record: JobRecord): () => void {
    const { seq, ttlMs, queuedAt, workerId, startedAt, finishedAt, delayTime, executionTime } = record;
    const { error, retries, lost, chunksRead } = record;
    const status = statusNumber.get(record.status)!;
    const own = record.ownWorker ? 1 : 0;
    const hasOutput = record.hasOutput ? 1 : 0;
    return () =>
      updateJob.run(
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
        seq,
      );
  }

  return {
    load: () => (database.prepare('SELECT * FROM job ORDER BY seq').all() as Row[]).map(toRecord),
    loadChunkRows() {
      const logs = database
        .prepare('SELECT seq, min(row) AS firstRow, max(row) AS lastRow, count(*) AS total FROM chunk GROUP BY seq')
        .all() as { seq: number; firstRow: number; lastRow: number; total: number }[];
      const nextRow = database.prepare(
        'SELECT row FROM chunk WHERE row BETWEEN ? AND ? AND seq = ? ORDER BY row LIMIT 1 OFFSET ?',
      );
      return logs.map((log) => {
        const { chunks_read: read } = (selectJob.get(log.seq) as Row | undefined) ?? { chunks_read: 0 };
        const next = nextRow.get(log.firstRow, log.lastRow, log.seq, read ?? 0) as { row: number } | undefined;
        return { ...log, readRow: next?.row ?? log.lastRow + 1 };
      });
    },
    reload(seq) {
      const row = selectJob.get(seq) as Row | undefined;
      return row ? toRecord(row) : null;
    },
    nextSeq: () => ++lastSeq,
    insert(record, body, sealed, settled, urgency) {
      const { seq, id, endpointId, submittedAt, retentionMs, executionTimeoutMs, ttlMs, queuedAt, workerId } = record;
      const { startedAt, delayTime } = record;
      const low = record.lowPriority ? 1 : 0;
      const status = statusNumber.get(record.status)!;
      const own = record.ownWorker ? 1 : 0;
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
        );
        insertBody.run(seq, sealed ? sealing.seal(body) : body);
      };
      commits.write(write, settled, urgency, body.length);
    },
    update: (record, settled, urgency) => commits.write(updating(record), settled, urgency),
    finish(record, output, settled) {
      const update = updating(record);
      const { seq } = record;
      commits.write(() => {
        update();
        if (output !== null) putOutput.run(seq, output);
      }, settled);
    },
    appendChunks(seq, texts, settled, urgency) {
      const firstRow = lastChunkRow + 1;
      lastChunkRow += texts.length;
      const insert = (): void => {
        for (let i = 0; i < texts.length; i++) insertChunk.run(firstRow + i, seq, texts[i]!);
      };
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      commits.write(insert, settled, urgency, length);
      return firstRow;
    },
    dropChunks(seq, firstRow, lastRow, settled) {
      commits.write(() => deleteChunks.run(firstRow, lastRow, seq), settled);
    },
    remove(seq, chunkRows, settled) {
      commits.write(() => {
        deleteJob.run(seq);
        deleteBody.run(seq);
        deleteOutput.run(seq);
        if (chunkRows) deleteChunks.run(chunkRows.firstRow, chunkRows.lastRow, seq);
      }, settled);
    },
    body(seq) {
      const row = selectBody.get(seq) as { content: string | Uint8Array } | undefined;
      if (!row) throw new AppError('NOT_FOUND', 'The input of this job is gone.');
      if (typeof row.content === 'string') return row.content;
      const text = sealing.open(row.content);
      if (text === null) {
        throw new AppError(
          'FORBIDDEN',
          "The job's s3Config was kept encrypted for an earlier run of Hangar, and that key is gone. Submit the job again.",
        );
      }
      return text;
    },
    output: (seq) => (selectOutput.get(seq) as { text: string } | undefined)?.text ?? null,
    chunks: (seq, fromRow, toRow, limit) =>
      selectChunks.all(fromRow, toRow, seq, limit) as { row: number; text: string }[],
  };
}
