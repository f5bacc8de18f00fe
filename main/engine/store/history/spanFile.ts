/**
 * Sums of measurements in spans of time, in a small SQLite file of their own. It can be lost without harm, so it is in
 * no backup and no commit waits for the disk; and a damaged one is replaced by a new one, with a notice.
 */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { messageOf } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { SpanPiece, SpanStore } from '../../domain/gpus/history/ports.ts';
import { steps } from '../../domain/gpus/history/steps.ts';
import { parseText } from '../repositories/damagedRecords.ts';
import { removeDatabaseFiles } from '../sqlite/fsync.ts';
import { query, type Query } from '../sqlite/statements.ts';
import { isDamage } from '../sqlite/writeHealth.ts';

/** What a file holds. `key`: the name of the column with the id; the table has the name `{key}_span`. */
export interface SpanFileKind<Sums> {
  readonly key: 'gpu' | 'pod' | 'processor';
  /** In sentences: "the history of the GPUs". */
  readonly name: string;
  readonly schema: z.ZodType<Sums>;
  /** Adds the sums of a later time. */
  addSums(to: Sums, later: Sums): void;
}

/** Stored in the file. A file with another number is replaced: 24 hours of history are not worth a migration. */
const SCHEMA = 1;

export const quantitySchema = z.object({ count: z.number(), sum: z.number(), most: z.number() });

/** The file is damaged, or has another schema. */
class UnusableFileError extends Error {}

/** Opens the file, and makes it if there is none. Throws UnusableFileError, or an error of SQLite. */
export function openSpanFile(file: string, key: SpanFileKind<unknown>['key']): DatabaseSync {
  const isFresh = !existsSync(file) || statSync(file).size === 0;
  const table = `CREATE TABLE ${key}_span (
    step INTEGER NOT NULL, at INTEGER NOT NULL, ${key} TEXT NOT NULL, sums TEXT NOT NULL, PRIMARY KEY (step, at, ${key})
  ) STRICT, WITHOUT ROWID`;
  const database = new DatabaseSync(file);
  try {
    // Before WAL: SQLite then makes no file of shared memory.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    if (isFresh) database.exec(`BEGIN IMMEDIATE; ${table}; PRAGMA user_version = ${SCHEMA}; COMMIT`);
    const check = query<{ quick_check: string }>(database, 'PRAGMA quick_check(1)').one().quick_check;
    if (check !== 'ok') throw new UnusableFileError(check);
    const { user_version: schema } = query<{ user_version: number }>(database, 'PRAGMA user_version').one();
    if (schema !== SCHEMA) throw new UnusableFileError(`it has the schema ${schema}, not ${SCHEMA}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

interface Row {
  at: number;
  sums: string;
}

interface OpenFile<Sums> {
  readonly database: DatabaseSync;
  readonly since: Query<Row>;
  add(pieces: readonly SpanPiece<Sums>[], now: number): void;
  retain(keys: readonly string[]): void;
}

/** Null for a text that is no longer readable: the span counts as empty. */
function sumsOf<Sums>(schema: z.ZodType<Sums>, row: Row | undefined): Sums | null {
  const parsed = row && parseText(schema, row.sums);
  return parsed && 'value' in parsed ? parsed.value : null;
}

function prepare<Sums>(database: DatabaseSync, { key: column, schema, addSums }: SpanFileKind<Sums>): OpenFile<Sums> {
  const table = `${column}_span`;
  const one = query<Row>(database, `SELECT at, sums FROM ${table} WHERE step = ? AND at = ? AND ${column} = ?`);
  const since = query<Row>(
    database,
    `SELECT at, sums FROM ${table} WHERE step = ? AND at >= ? AND ${column} = ? ORDER BY at`,
  );
  const put = database.prepare(`INSERT OR REPLACE INTO ${table} (step, at, ${column}, sums) VALUES (?, ?, ?, ?)`);
  // Spans of the future are of a clock that was wrong.
  const thin = database.prepare(`DELETE FROM ${table} WHERE step = ? AND (at < ? OR at > ?)`);
  const removeOthers = database.prepare(`DELETE FROM ${table} WHERE ${column} NOT IN (SELECT value FROM json_each(?))`);
  return {
    database,
    since,
    retain: (keys) => void removeOthers.run(JSON.stringify(keys)),
    add(pieces, now) {
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const { key, stepMs, at, sums } of pieces) {
          const before = sumsOf(schema, one.get(stepMs, at, key));
          if (before) addSums(before, sums);
          put.run(stepMs, at, key, JSON.stringify(before ?? sums));
        }
        for (const { ms, keptMs } of steps) thin.run(ms, now - keptMs - ms, now);
        database.exec('COMMIT');
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
  };
}

/** The store of one kind of history in this file. */
export function createSpanStore<Sums>(file: string, kind: SpanFileKind<Sums>, logger: Logger): SpanStore<Sums> {
  const { name, key: column, schema } = kind;
  let open: OpenFile<Sums> | null = null;
  let beganAnew = false;
  let problem: string | null = null;

  function close(): void {
    const closing = open;
    open = null;
    try {
      closing?.database.close();
    } catch (error) {
      // Its commits are in its log, which the next start reads.
      logger.debug({ err: error }, `the file with ${name} could not be closed`);
    }
  }

  /** Closes a damaged file and replaces it. */
  function replace(error: unknown): OpenFile<Sums> {
    logger.warn({ err: error, file }, `${name} is damaged, and begins anew`);
    close();
    removeDatabaseFiles(file);
    beganAnew = true;
    return prepare(openSpanFile(file, column), kind);
  }

  /**
   * Runs `use` with the open file; once more with a new one if the file is damaged. `otherwise`: the answer if that
   * fails, too.
   */
  function attempt<T>(use: (opened: OpenFile<Sums>) => T, otherwise: T): T {
    try {
      let answer: T;
      try {
        open ??= prepare(openSpanFile(file, column), kind);
        answer = use(open);
      } catch (error) {
        if (!isDamage(error) && !(error instanceof UnusableFileError)) throw error;
        open = replace(error);
        answer = use(open);
      }
      problem = null;
      return answer;
    } catch (error) {
      if (problem === null) logger.warn({ err: error }, `${name} cannot be stored; it is tried again`);
      problem = messageOf(error);
      return otherwise;
    }
  }

  // Damage is told at the start. A machine without measurements never has the file.
  if (existsSync(file)) attempt(() => undefined, undefined);

  return {
    add: (pieces, now) =>
      attempt((opened) => {
        opened.add(pieces, now);
        return true;
      }, false),
    read(key, stepMs, from) {
      if (open === null && !existsSync(file)) return [];
      const rows = attempt((opened) => opened.since.all(stepMs, from, key), []);
      return rows.flatMap((row) => {
        const sums = sumsOf(schema, row);
        return sums ? [{ at: row.at, sums }] : [];
      });
    },
    retain(keys) {
      if (open === null && !existsSync(file)) return;
      attempt((opened) => opened.retain(keys), undefined);
    },
    notices: () => [
      ...(beganAnew
        ? [
            `The file with ${name} was damaged, or of another version. The history begins anew; nothing else is affected.`,
          ]
        : []),
      ...(problem === null ? [] : [`${name.replace(/^t/, 'T')} cannot be stored: ${problem}. It is tried again.`]),
    ],
    close,
  };
}
