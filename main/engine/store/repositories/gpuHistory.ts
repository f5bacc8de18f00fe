/**
 * Stores the history of GPUs in a small SQLite file of its own. It can be lost without harm, so it is in no backup and no commit
 * waits for the disk; and a damaged one is replaced by a new one, with a notice.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { gpuUserSchema } from '#contract/local/gpuHistory.ts';
import { messageOf } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { GpuHistoryStore, GpuPiece } from '../../domain/gpus/history/ports.ts';
import { steps } from '../../domain/gpus/history/steps.ts';
import { addSums, type GpuSums } from '../../domain/gpus/history/sums.ts';
import { removeDatabaseFiles } from '../sqlite/fsync.ts';
import { query, type Query } from '../sqlite/statements.ts';
import { isDamage } from '../sqlite/writeHealth.ts';
import { parseText } from './damagedRecords.ts';

/** Stored in the file. A file with another number is replaced: 24 hours of history are not worth a migration. */
const SCHEMA = 1;
const TABLE = `CREATE TABLE gpu_span (
  step INTEGER NOT NULL, at INTEGER NOT NULL, gpu TEXT NOT NULL, sums TEXT NOT NULL, PRIMARY KEY (step, at, gpu)
) STRICT, WITHOUT ROWID`;

const BEGINS_ANEW =
  'The file with the history of the GPUs was damaged, or of another version. The history begins anew; nothing else is affected.';

const quantitySchema = z.object({ count: z.number(), sum: z.number(), most: z.number() });
const sumsSchema = z.object({
  quantities: z.object({
    utilPercent: quantitySchema,
    memoryBytes: quantitySchema,
    powerW: quantitySchema,
    temperatureC: quantitySchema,
    ownMemoryBytes: quantitySchema,
  }),
  users: z.array(gpuUserSchema),
});

/** The file is damaged, or has another schema. */
class UnusableFileError extends Error {}

export const gpuHistoryFile = (dataDir: string): string => join(dataDir, 'gpu-history.db');

/** Opens the file, and makes it if there is none. Throws UnusableFileError, or an error of SQLite. */
export function openGpuHistoryFile(file: string): DatabaseSync {
  const isFresh = !existsSync(file) || statSync(file).size === 0;
  const database = new DatabaseSync(file);
  try {
    // Before WAL: SQLite then makes no file of shared memory.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    if (isFresh) database.exec(`BEGIN IMMEDIATE; ${TABLE}; PRAGMA user_version = ${SCHEMA}; COMMIT`);
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

interface OpenFile {
  readonly database: DatabaseSync;
  readonly one: Query<Row>;
  readonly since: Query<Row>;
  add(pieces: readonly GpuPiece[], now: number): void;
}

/** Null for a text that is no longer readable: the span counts as empty. */
function sumsOf(row: Row | undefined): GpuSums | null {
  const parsed = row && parseText(sumsSchema, row.sums);
  return parsed && 'value' in parsed ? parsed.value : null;
}

function prepare(database: DatabaseSync): OpenFile {
  const one = query<Row>(database, 'SELECT at, sums FROM gpu_span WHERE step = ? AND at = ? AND gpu = ?');
  const since = query<Row>(
    database,
    'SELECT at, sums FROM gpu_span WHERE step = ? AND at >= ? AND gpu = ? ORDER BY at',
  );
  const put = database.prepare('INSERT OR REPLACE INTO gpu_span (step, at, gpu, sums) VALUES (?, ?, ?, ?)');
  // Spans of the future are of a clock that was wrong.
  const thin = database.prepare('DELETE FROM gpu_span WHERE step = ? AND (at < ? OR at > ?)');
  return {
    database,
    one,
    since,
    add(pieces, now) {
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const { uuid, stepMs, at, sums } of pieces) {
          const before = sumsOf(one.get(stepMs, at, uuid));
          if (before) addSums(before, sums);
          put.run(stepMs, at, uuid, JSON.stringify(before ?? sums));
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

export function createGpuHistoryStore(dataDir: string, logger: Logger): GpuHistoryStore {
  const file = gpuHistoryFile(dataDir);
  let open: OpenFile | null = null;
  let beganAnew = false;
  let problem: string | null = null;

  function close(): void {
    const closing = open;
    open = null;
    try {
      closing?.database.close();
    } catch (error) {
      // Its commits are in its log, which the next start reads.
      logger.debug({ err: error }, 'the file with the history of the GPUs could not be closed');
    }
  }

  /** Closes a damaged file and replaces it. */
  function replace(error: unknown): OpenFile {
    logger.warn({ err: error, file }, 'the history of the GPUs is damaged, and begins anew');
    close();
    removeDatabaseFiles(file);
    beganAnew = true;
    return prepare(openGpuHistoryFile(file));
  }

  /** Runs `use` with the open file; once more with a new one if the file is damaged. `otherwise`: the answer if that fails, too. */
  function attempt<T>(use: (opened: OpenFile) => T, otherwise: T): T {
    try {
      let answer: T;
      try {
        open ??= prepare(openGpuHistoryFile(file));
        answer = use(open);
      } catch (error) {
        if (!isDamage(error) && !(error instanceof UnusableFileError)) throw error;
        open = replace(error);
        answer = use(open);
      }
      problem = null;
      return answer;
    } catch (error) {
      if (problem === null) logger.warn({ err: error }, 'the history of the GPUs cannot be stored; it is tried again');
      problem = messageOf(error);
      return otherwise;
    }
  }

  // Damage is told at the start. A machine without GPUs never has the file.
  if (existsSync(file)) attempt(() => undefined, undefined);

  return {
    add: (pieces, now) =>
      attempt((opened) => {
        opened.add(pieces, now);
        return true;
      }, false),
    read(uuid, stepMs, from) {
      if (open === null && !existsSync(file)) return [];
      const rows = attempt((opened) => opened.since.all(stepMs, from, uuid), []);
      return rows.flatMap((row) => {
        const sums = sumsOf(row);
        return sums ? [{ at: row.at, sums }] : [];
      });
    },
    notices: () => [
      ...(beganAnew ? [BEGINS_ANEW] : []),
      ...(problem === null ? [] : [`The history of the GPUs cannot be stored: ${problem}. It is tried again.`]),
    ],
    close,
  };
}
