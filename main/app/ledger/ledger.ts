/** The ledger: every job sent from here with its input, chunks and output, kept in SQLite and watched by whoever shows it. */
import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { AppError } from '#contract/errors.ts';
import { isTerminal } from '#contract/job.ts';
import type { LedgerChunk, LedgerDetail, LedgerEntry, LedgerFilter, LedgerPage } from '#contract/ledger.ts';
import type { Logger } from 'pino';
import type * as z from 'zod';
import { createBatch } from './batch.ts';
import { openLedgerFile } from './database.ts';
import { maskSecrets } from './masking.ts';
import { toQuery } from './query.ts';
import { assignments, columns, entryColumns, toEntry } from './rows.ts';

export { LedgerInUseError, LedgerUnreadableError } from './database.ts';

/** What is known when a job is about to be sent. */
export type NewEntry = Pick<
  LedgerEntry,
  'entryId' | 'accountId' | 'accountName' | 'endpointId' | 'endpointName' | 'mode' | 'sentAt'
>;
/** What an answer may change; chunk counts and sizes follow from the payloads. */
export type EntryPatch = Partial<
  Pick<
    LedgerEntry,
    | 'jobId'
    | 'status'
    | 'workerStartedAt'
    | 'startedAt'
    | 'finishedAt'
    | 'delayTime'
    | 'executionTime'
    | 'workerId'
    | 'error'
    | 'waiting'
  >
>;

/** Whether nothing more comes back for an entry. */
export const hasEnded = ({ status }: LedgerEntry): boolean =>
  isTerminal(status) || status === 'REFUSED' || status === 'GONE';

export interface Ledger {
  /** Durable when it returns: called before the job is sent. Storage secrets in `body` are masked. */
  add(entry: NewEntry, body: string): LedgerEntry;
  update(entryId: string, patch: EntryPatch): LedgerEntry;
  /** `texts` are raw JSON, in order; they are numbered on from the last one. Settles once they are committed. */
  appendChunks(entryId: string, at: number, texts: readonly string[]): Promise<void>;
  /** Drops its chunks: its worker was lost, and the next attempt streams from the start. */
  restart(entryId: string, retries: number): LedgerEntry;
  /** The last write of an entry: its final state together with its raw output. Settles once it is committed. */
  finish(entryId: string, patch: EntryPatch, output: string | null): Promise<void>;

  find(entryId: string): LedgerEntry | undefined;
  /** Throws NOT_FOUND. */
  entry(entryId: string): LedgerEntry;
  detail(entryId: string): LedgerDetail;
  output(entryId: string): string | null;
  chunks(entryId: string, from: number, limit: number): LedgerChunk[];
  list(filter: LedgerFilter, offset: number, limit: number): LedgerPage;
  /** Entries whose end is not known yet, oldest first. */
  unfinished(): LedgerEntry[];
  /** Removes ended entries; answers how many went. */
  forget(entryIds: readonly string[]): number;

  /** Called with the id of each entry that is new or has changed. Answers how to stop that. */
  onChange(listener: (entryId: string) => void): () => void;

  /** A small fact kept beside the entries; undefined when there is none, or none that fits the schema. */
  meta<S extends z.ZodType>(key: string, schema: S): z.output<S> | undefined;
  setMeta(key: string, value: unknown): void;

  stop(): void;
}

/** Of a longer body only the beginning is searched. */
const SEARCHED_LENGTH = 64 * 1024;
/** Most characters of chunks in one read, whatever their number. */
const CHUNK_READ_LENGTH = 4_000_000;

const head = ({ jobId, endpointName, error }: Pick<LedgerEntry, 'jobId' | 'endpointName' | 'error'>): string =>
  [jobId, endpointName, error].filter(Boolean).join('\n').toLowerCase();

export function createLedger(path: string, logger: Logger): Ledger {
  const db = openLedgerFile(path);
  const batch = createBatch(db, logger);
  const listeners = new Set<(entryId: string) => void>();
  const prepared = new Map<string, StatementSync>();

  function sql(text: string): StatementSync {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = db.prepare(text)));
    return statement;
  }
  const count = (text: string, ...values: SQLInputValue[]): number => Number(sql(text).get(...values)?.['n']);

  const changed = (entryId: string): void => {
    for (const listener of listeners) listener(entryId);
  };

  function find(entryId: string): LedgerEntry | undefined {
    const row = sql(`SELECT ${entryColumns} FROM entries e WHERE e.entry_id = ?`).get(entryId);
    return row && toEntry(row);
  }

  function entry(entryId: string): LedgerEntry {
    const found = find(entryId);
    if (found) return found;
    throw new AppError('NOT_FOUND', 'This job is not in the ledger. It may have been removed in another window.');
  }

  const seqOf = (entryId: string): number => {
    const row = sql('SELECT seq FROM entries WHERE entry_id = ?').get(entryId);
    return row ? Number(row['seq']) : -1;
  };

  const output = (entryId: string): string | null => {
    const row = sql('SELECT text FROM outputs WHERE seq = ?').get(seqOf(entryId));
    return row ? String(row['text']) : null;
  };

  function write(entryId: string, patch: EntryPatch): LedgerEntry {
    const { set, values } = assignments(patch);
    if (set !== '') db.prepare(`UPDATE entries SET ${set} WHERE entry_id = ?`).run(...values, entryId);
    const now = entry(entryId);
    if (patch.jobId !== undefined || patch.error !== undefined) {
      sql('UPDATE search SET head = ? WHERE seq = ?').run(head(now), seqOf(entryId));
    }
    return now;
  }

  return {
    add(added, body) {
      const masked = maskSecrets(body);
      batch.write(() => {
        const fresh = { ...added, status: 'SENDING' as const, inputBytes: Buffer.byteLength(body) };
        const keys = Object.keys(fresh) as (keyof typeof fresh)[];
        const { lastInsertRowid: seq } = db
          .prepare(
            `INSERT INTO entries (${keys.map((key) => columns[key]).join(', ')}) VALUES (${keys.map(() => '?').join(', ')})`,
          )
          .run(...keys.map((key) => fresh[key]));
        sql('INSERT INTO bodies (seq, text) VALUES (?, ?)').run(seq, masked);
        sql('INSERT INTO search (seq, head, body) VALUES (?, ?, ?)').run(
          seq,
          head({ ...added, jobId: null, error: null }),
          masked.slice(0, SEARCHED_LENGTH).toLowerCase(),
        );
      });
      batch.flush();
      changed(added.entryId);
      return entry(added.entryId);
    },
    update(entryId, patch) {
      const now = batch.write(() => write(entryId, patch));
      changed(entryId);
      return now;
    },
    appendChunks(entryId, at, texts) {
      if (texts.length === 0) return Promise.resolve();
      batch.write(() => {
        const { chunkCount } = entry(entryId);
        const seq = seqOf(entryId);
        const insert = sql('INSERT INTO chunks (seq, idx, at, text) VALUES (?, ?, ?, ?)');
        let bytes = 0;
        for (const [i, text] of texts.entries()) {
          insert.run(seq, chunkCount + i, at, text);
          bytes += Buffer.byteLength(text);
        }
        const grow = sql(
          'UPDATE entries SET chunk_count = chunk_count + ?, output_bytes = output_bytes + ? WHERE seq = ?',
        );
        grow.run(texts.length, bytes, seq);
      });
      changed(entryId);
      return batch.committed();
    },
    restart(entryId, retries) {
      const now = batch.write(() => {
        sql('DELETE FROM chunks WHERE seq = ?').run(seqOf(entryId));
        sql('UPDATE entries SET retries = ?, chunk_count = 0, output_bytes = 0 WHERE entry_id = ?').run(
          retries,
          entryId,
        );
        return entry(entryId);
      });
      changed(entryId);
      return now;
    },
    finish(entryId, patch, text) {
      batch.write(() => {
        if (text !== null) {
          const seq = seqOf(entryId);
          sql('INSERT OR REPLACE INTO outputs (seq, text) VALUES (?, ?)').run(seq, text);
          sql('UPDATE entries SET output_bytes = output_bytes + ? WHERE seq = ?').run(Buffer.byteLength(text), seq);
        }
        write(entryId, patch);
      });
      changed(entryId);
      return batch.committed();
    },

    find,
    entry,
    detail(entryId) {
      const row = sql('SELECT text FROM bodies WHERE seq = ?').get(seqOf(entryId));
      return { entry: entry(entryId), body: row ? String(row['text']) : '', output: output(entryId) };
    },
    output,
    chunks(entryId, from, limit) {
      const chunks: LedgerChunk[] = [];
      let length = 0;
      const rows = sql('SELECT idx, at, text FROM chunks WHERE seq = ? AND idx >= ? ORDER BY idx LIMIT ?');
      for (const row of rows.iterate(seqOf(entryId), from, limit)) {
        const chunk = { index: Number(row['idx']), at: Number(row['at']), text: String(row['text']) };
        chunks.push(chunk);
        length += chunk.text.length;
        if (length >= CHUNK_READ_LENGTH) break;
      }
      return chunks;
    },
    list(filter, offset, limit) {
      const { from, values, isAll } = toQuery(filter);
      const rows = sql(`SELECT ${entryColumns} FROM ${from} ORDER BY e.seq DESC LIMIT ? OFFSET ?`);
      const total = count('SELECT count(*) AS n FROM entries');
      return {
        entries: rows.all(...values, limit, offset).map(toEntry),
        matching: isAll ? total : count(`SELECT count(*) AS n FROM ${from}`, ...values),
        total,
      };
    },
    unfinished() {
      const { from, values } = toQuery({ statuses: ['SENDING', 'IN_QUEUE', 'IN_PROGRESS'] });
      return sql(`SELECT ${entryColumns} FROM ${from} ORDER BY e.seq`)
        .all(...values)
        .map(toEntry);
    },
    forget(entryIds) {
      let removed = 0;
      batch.write(() => {
        for (const entryId of new Set(entryIds)) {
          const found = find(entryId);
          if (!found || !hasEnded(found)) continue;
          sql('DELETE FROM entries WHERE entry_id = ?').run(entryId);
          removed += 1;
        }
      });
      for (const entryId of entryIds) changed(entryId);
      return removed;
    },

    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    meta(key, schema) {
      const row = sql('SELECT value FROM meta WHERE key = ?').get(key);
      return row && schema.safeParse(JSON.parse(String(row['value']))).data;
    },
    setMeta(key, value) {
      batch.write(() => sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, JSON.stringify(value)));
      batch.flush();
    },

    stop() {
      batch.flush();
      db.close();
    },
  };
}
