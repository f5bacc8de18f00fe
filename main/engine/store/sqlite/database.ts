/** Opens the engine's SQLite file: one owner, every commit on disk before it is told, and a schema that is brought up to date. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copyBeforeMigration } from './backups.ts';
import { makeFolder } from './fsync.ts';
import { migrations, type Migration } from './migrations/index.ts';
import { isDamage, resultCode, sqlite } from './writeHealth.ts';

/** Another engine has the file open. */
export class DataInUseError extends Error {}
/** The file cannot be used as it is: a newer Hangar wrote it, or nothing may be written where it lies. */
export class DataUnreadableError extends Error {}
/** The file is damaged. Nothing was changed. */
export class DataDamagedError extends Error {}

/** Up to this size the whole file is checked before it is used: 64 MB take about 60 ms. Larger ones are checked while running. */
const CHECKED_AT_ONCE_BYTES = 32 * 1024 * 1024;

/** The log is used again and again; longer than this it is cut. */
const LOG_KEPT_BYTES = 8 * 1024 * 1024;

export const databaseFile = (dataDir: string): string => join(dataDir, 'engine.db');

export interface OpenOptions {
  /** The schema's steps, oldest first. */
  steps?: readonly Migration[];
  /** Checks the whole file, however large it is. */
  thorough?: boolean;
}

function explained(error: unknown, file: string): unknown {
  const { message } = error as Error;
  const options = { cause: error };
  if (isDamage(error)) return new DataDamagedError(`${file} is damaged: ${message}.`, options);
  switch (resultCode(error)) {
    case sqlite.BUSY:
      return new DataInUseError(`${file} is in use by another engine.`, options);
    case sqlite.READONLY:
    case sqlite.CANTOPEN:
      return new DataUnreadableError(
        `${file} cannot be opened for writing: ${message}. Make its folder writable, or start with another data folder.`,
        options,
      );
    default:
      return error;
  }
}

/** Throws DataDamagedError when something in the file contradicts itself. */
function check(database: DatabaseSync, file: string, thorough: boolean): void {
  if (!thorough && statSync(file).size > CHECKED_AT_ONCE_BYTES) return;
  const result = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string } | undefined;
  if (result?.quick_check === 'ok') return;
  // The first line only names the database.
  const fault = (result?.quick_check ?? 'it cannot be checked').split('\n').at(-1);
  throw new DataDamagedError(`${file} is damaged: ${fault}.`);
}

/** `dataDir` is made when it is missing. Throws DataInUseError, DataUnreadableError or DataDamagedError where that is the reason. */
export function openDatabase(
  dataDir: string,
  { steps = migrations, thorough = false }: OpenOptions = {},
): DatabaseSync {
  const file = databaseFile(dataDir);
  makeDataFolder(dataDir);
  const fresh = !existsSync(file);
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(file);
  } catch (error) {
    throw explained(error, file);
  }
  try {
    // Before WAL: then no shared-memory file is made, and a second owner is refused at its first statement.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (fresh) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    if (process.platform === 'darwin') database.exec('PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1');
    // Twice what it holds between checkpoints: what it grew to while a backup was made goes back to the disk.
    database.exec(`PRAGMA journal_size_limit = ${LOG_KEPT_BYTES}`);
    // Rows are reached by their number, and bodies are read once, soon after they were written.
    database.exec('PRAGMA cache_size = -8192');
    check(database, file, thorough);
    settleLog(database);
    migrate(database, file, dataDir, steps);
  } catch (error) {
    database.close();
    throw explained(error, file);
  }
  return database;
}

function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    const { message } = error as Error;
    throw new DataUnreadableError(
      `The data folder ${dataDir} cannot be made: ${message}. Name another one, or remove what is in the way.`,
      { cause: error },
    );
  }
}

/**
 * What an earlier engine left in the log goes to the file itself. After a sync that failed, the log may be whole in memory
 * and not on disk; only writing it once more makes sure.
 */
function settleLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // The log stays as it is, and serves.
    if (resultCode(error) !== sqlite.FULL) throw error;
  }
}

function migrate(database: DatabaseSync, file: string, dataDir: string, steps: readonly Migration[]): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > steps.length) {
    throw new DataUnreadableError(
      `${file} was written by a newer Hangar (schema ${version}; this one knows ${steps.length}). Nothing was changed. ` +
        'Use that version, or start with another data folder.',
    );
  }
  if (version === steps.length) return;
  if (version > 0) copyBeforeMigration(database, dataDir, version);
  steps.slice(version).forEach((step, index) => {
    database.exec('BEGIN IMMEDIATE');
    if (typeof step === 'string') database.exec(step);
    else step(database);
    database.exec(`PRAGMA user_version = ${version + index + 1}; COMMIT`);
  });
}
