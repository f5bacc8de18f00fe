/** Stores jobs with their bodies, outputs and chunks in SQLite, through the group commit. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '#contract/core/errors.ts';
import type { JobRecord } from '../../domain/jobs/jobFields.ts';
import { sharedSender } from '../../domain/jobs/feed/sender.ts';
import type { JobStore } from '../../domain/jobs/ports.ts';
import { lengthInMemory, isStored } from '../../domain/jobs/payload/payloadRef.ts';
import type { GroupCommit } from '../sqlite/groupCommit.ts';
import { query, queryArrays } from '../sqlite/statements.ts';
import { openText, type SealedText } from '../encryption/sealedText.ts';
import type { Sealing } from '../encryption/encryption.ts';
import { createStoredTextRows, textPart, type StoredTextRows } from '../payloads/payloadIndex.ts';
import type { TextFiles } from '../payloads/payloadFiles.ts';
import type { Unreadable } from '../encryption/unreadable.ts';
import { createChunkRows, rangeOf } from './jobChunks.ts';
import {
  createJobRowCodec,
  insertSql,
  placeOf,
  selectColumns,
  updateSql,
  type Column,
  type JobRow,
  type JobRowCodec,
} from './jobRow.ts';

/** The keys that encrypt the secrets of a job. */
export interface JobSealing {
  /** For storage credentials. The person may keep this key for this run only. */
  sealing: Sealing;
  /** For addresses of webhooks, which later runs call too. */
  lasting: Sealing;
  unreadable: Pick<Unreadable, 'noteJob'>;
}

const SEQ = placeOf('seq');
const ENDPOINT = placeOf('endpointId');
const SENDER = placeOf('sender');
const CHUNKS_READ = placeOf('chunksRead');
/** The number of rows in one read during the start. */
const PAGE = 2048;

function createCodec(lasting: Sealing, unreadable: JobSealing['unreadable']): JobRowCodec {
  return createJobRowCodec({
    seal: (text) => lasting.seal(text),
    open(sealed, seq) {
      // oxlint-disable-next-line typescript/consistent-type-assertions -- the row has what `seal` made
      const text = openText(lasting, sealed as SealedText);
      if (text === null) unreadable.noteJob(seq);
      return text;
    },
  });
}

/** Reads all jobs in the order of their submission, one page at a time. */
function* readAll(database: DatabaseSync, codec: JobRowCodec): Generator<JobRecord, void, void> {
  const selectPage = queryArrays<JobRow>(
    database,
    `SELECT ${selectColumns} FROM job WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`,
  );
  // Consecutive rows often belong to one endpoint: they share one string for its id.
  let endpoint: Column = null;
  for (let after = 0, rows; (rows = selectPage.all(after)).length > 0;) {
    for (const row of rows) {
      if (row[ENDPOINT] === endpoint) row[ENDPOINT] = endpoint;
      else endpoint = row[ENDPOINT] ?? null;
      const sender = row[SENDER];
      if (typeof sender === 'string') row[SENDER] = sharedSender(sender);
      yield codec.decode(row);
    }
    after = Number(rows.at(-1)?.[SEQ]);
  }
}

function createBodyReader(database: DatabaseSync, texts: StoredTextRows, sealing: Sealing): JobStore['body'] {
  const selectBody = query<{ content: string | Uint8Array }>(database, 'SELECT content FROM body WHERE seq = ?');
  return (seq) => {
    const stored = texts.get(seq, textPart.body);
    if (stored) return stored;
    const row = selectBody.get(seq);
    if (!row) throw new AppError('NOT_FOUND', 'The input of this job is gone.');
    if (typeof row.content === 'string') return row.content;
    const text = sealing.open(row.content);
    if (text !== null) return text;
    throw new AppError(
      'FORBIDDEN',
      'The request of this job was kept encrypted for an earlier run of Hangar, and that key is gone. Submit the job again.',
    );
  };
}

function createOutputReader(database: DatabaseSync, texts: StoredTextRows): JobStore['output'] {
  const selectOutput = query<{ text: string }>(database, 'SELECT text FROM output WHERE seq = ?');
  return (seq) => texts.get(seq, textPart.output) ?? selectOutput.get(seq)?.text ?? null;
}

export function createJobStore(
  database: DatabaseSync,
  commits: GroupCommit,
  { sealing, lasting, unreadable }: JobSealing,
  files: TextFiles,
): JobStore {
  const texts = createStoredTextRows(database, files);
  const chunks = createChunkRows(database, commits);
  const insertJob = database.prepare(insertSql);
  const insertBody = database.prepare('INSERT INTO body (seq, content) VALUES (?, ?)');
  const updateJob = database.prepare(updateSql);
  const putOutput = database.prepare('INSERT OR REPLACE INTO output (seq, text) VALUES (?, ?)');
  const deleteJob = database.prepare('DELETE FROM job WHERE seq = ?');
  const deleteBody = database.prepare('DELETE FROM body WHERE seq = ?');
  const deleteOutput = database.prepare('DELETE FROM output WHERE seq = ?');
  const selectJob = queryArrays<JobRow>(database, `SELECT ${selectColumns} FROM job WHERE seq = ?`);

  const codec = createCodec(lasting, unreadable);
  let lastSeq = query<{ highest: number }>(database, 'SELECT coalesce(max(seq), 0) AS highest FROM job').one().highest;

  // The values are read now and not at the commit: a later change of the record belongs to a later write.
  function updating(record: JobRecord): () => number {
    const values = codec.encodeChanges(record);
    return () => Number(updateJob.run(...values).changes);
  }

  return {
    *load() {
      for (const record of readAll(database, codec)) {
        // A rank at the end of a queue is a sequence number: later jobs need a greater one.
        if (record.rank !== null) lastSeq = Math.max(lastSeq, Math.ceil(record.rank));
        yield record;
      }
    },
    loadChunkRows: () =>
      chunks.load((seq) => {
        const row = selectJob.get(seq);
        return row ? Number(row[CHUNKS_READ]) : null;
      }),
    reload(seq) {
      const row = selectJob.get(seq);
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
      commits.write(write, stored ? stored.trackWrite(settled) : settled, urgency, lengthInMemory(body), 'new');
    },
    update: (record, settled, urgency) => commits.write(updating(record), settled, urgency),
    updateLater(record, settled) {
      const { status, retries } = record;
      const isCurrent = (): boolean => record.status === status && record.retries === retries;
      commits.writeLater(() => (isCurrent() ? updating(record) : null), settled);
    },
    finish(record, output, settled, alongside) {
      const update = updating(record);
      const { seq } = record;
      const stored = isStored(output) ? texts.put(seq, textPart.output, output) : null;
      const release = texts.release(seq, settled);
      commits.write(
        () => {
          // The insert of this job failed in the same commit, so it gets no output.
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
      commits.write(() => updates.forEach((update) => update()), settled);
    },
    restart(record, chunkRows, settled) {
      const update = updating(record);
      const { seq } = record;
      const range = chunkRows && rangeOf(chunkRows);
      const dropped = texts.drop(seq, [textPart.output]);
      const release = texts.release(seq, settled);
      commits.write(
        () => {
          update();
          deleteOutput.run(seq);
          dropped?.write();
          if (range) chunks.delete(seq, range);
        },
        dropped ? dropped.trackWrite(release) : release,
      );
    },
    appendChunks: chunks.append,
    remove(seq, chunkRows, settled) {
      const dropped = texts.drop(seq, [textPart.body, textPart.output]);
      const release = texts.release(seq, settled);
      const range = chunkRows && rangeOf(chunkRows);
      const run = (): void => {
        deleteJob.run(seq);
        deleteBody.run(seq);
        deleteOutput.run(seq);
        dropped?.write();
        if (range) chunks.delete(seq, range);
      };
      commits.write(run, dropped ? dropped.trackWrite(release) : release, 'now', 0, 'removal');
    },
    body: createBodyReader(database, texts, sealing),
    output: createOutputReader(database, texts),
    hold: texts.hold,
    discard: ({ file }) => files.remove(file),
    chunks: chunks.read,
  };
}
