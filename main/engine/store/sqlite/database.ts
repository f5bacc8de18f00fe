/** Opens the engine's SQLite file with one owner and durable commits, and migrates its schema. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copyBeforeMigration, copyBeforeVersion } from './backups.ts';
import { makeFolder } from './fsync.ts';
import { migrations, type Migration } from './migrations/index.ts';
import { query } from './statements.ts';
import { isDamage, resultCode, sqlite } from './writeHealth.ts';

/** Another engine has the file open. */
export class DataInUseError extends Error {}
/** The file is unusable: a newer Hangar wrote it, or its folder is not writable. */
export class DataUnreadableError extends Error {}
/** The file is damaged. Nothing was changed. */
export class DataDamagedError extends Error {}

/**
 * A file up to this size is checked completely before its use: 64 MB take about 60 ms. Larger files are checked during
 * the run.
 */
const CHECKED_AT_ONCE_BYTES = 32 * 1024 * 1024;

/** The log is reused. Beyond this size it is truncated. */
const LOG_KEPT_BYTES = 8 * 1024 * 1024;

export const databaseFile = (dataDir: string): string => join(dataDir, 'engine.db');

export interface OpenOptions {
  /** The migrations of the schema, oldest first. */
  steps?: readonly Migration[];
  /** Checks the whole file, whatever its size. */
  thorough?: boolean;
  /** The version of this Hangar. It is stored in the file, and a file of another version is copied first. */
  version?: string;
  /**
   * Called when the copy before the first start of `version` fails. The start continues, because the schema does not
   * change.
   */
  onUncopied?: (error: unknown) => void;
}

/** The key in the table `meta` for the version of Hangar that last wrote the file. */
const WRITTEN_BY = 'writtenBy';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function explained(error: unknown, file: string): unknown {
  const message = messageOf(error);
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

/** Throws DataDamagedError when the file is inconsistent. */
function check(database: DatabaseSync, file: string, thorough: boolean): void {
  if (!thorough && statSync(file).size > CHECKED_AT_ONCE_BYTES) return;
  const result = query<{ quick_check: string }>(database, 'PRAGMA quick_check(1)').get();
  if (result?.quick_check === 'ok') return;
  // The first line contains only the name of the database.
  const fault = (result?.quick_check ?? 'it cannot be checked').split('\n').at(-1);
  throw new DataDamagedError(`${file} is damaged: ${fault}.`);
}

/**
 * Opens the database. Creates `dataDir` when it is missing. Throws DataInUseError, DataUnreadableError or
 * DataDamagedError.
 */
export function openDatabase(
  dataDir: string,
  { steps = migrations, thorough = false, version, onUncopied }: OpenOptions = {},
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
    // Must precede WAL: SQLite then creates no shared-memory file, and refuses a second owner at its first statement.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (fresh) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    if (process.platform === 'darwin') database.exec('PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1');
    // This is twice the size between checkpoints. The growth during a backup goes back to the disk.
    database.exec(`PRAGMA journal_size_limit = ${LOG_KEPT_BYTES}`);
    // Statements access rows by number, and read bodies only once, soon after the write.
    database.exec('PRAGMA cache_size = -8192');
    check(database, file, thorough);
    settleLog(database);
    const schema = migrate(database, file, dataDir, steps);
    if (version !== undefined) noteVersion(database, dataDir, version, schema, onUncopied);
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
    throw new DataUnreadableError(
      `The data folder ${dataDir} cannot be made: ${messageOf(error)}. Name another one, or remove what is in the way.`,
      { cause: error },
    );
  }
}

/**
 * Writes the log of an earlier engine to the file itself. After a failed sync, the log may be complete in memory but
 * not on the disk; only another write makes it durable.
 */
function settleLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // The log stays valid.
    if (resultCode(error) !== sqlite.FULL) throw error;
  }
}

/** The version of Hangar that last wrote the file; null where it is unknown. */
function writtenBy(database: DatabaseSync): string | null {
  try {
    const row = query<{ value: string }>(database, 'SELECT value FROM meta WHERE name = ?').get(WRITTEN_BY);
    return row === undefined ? null : String(JSON.parse(row.value));
  } catch {
    // The schema lacks this table, or the value is unreadable.
    return null;
  }
}

/**
 * The result of the migration: `made` created a new schema, `changed` migrated an older one after a copy, `current` did
 * nothing.
 */
type SchemaStep = 'made' | 'changed' | 'current';

function migrate(database: DatabaseSync, file: string, dataDir: string, steps: readonly Migration[]): SchemaStep {
  const { user_version: schema } = query<{ user_version: number }>(database, 'PRAGMA user_version').one();
  if (schema > steps.length) {
    const writer = writtenBy(database);
    throw new DataUnreadableError(
      `${file} was written by a newer Hangar (${writer === null ? '' : `Hangar ${writer}, `}schema ${schema}; ` +
        `this one knows ${steps.length}). Nothing was changed. Use that version, or start with another data folder.`,
    );
  }
  if (schema === steps.length) return 'current';
  if (schema > 0) copyBeforeMigration(database, dataDir, schema);
  // Each commit waits for the disk. A new file has nothing to lose between two steps.
  const commits = schema === 0 ? [steps] : steps.slice(schema).map((step) => [step]);
  let version = schema;
  for (const together of commits) {
    database.exec('BEGIN IMMEDIATE');
    for (const step of together) {
      if (typeof step === 'string') database.exec(step);
      else step(database);
    }
    version += together.length;
    database.exec(`PRAGMA user_version = ${version}; COMMIT`);
  }
  return schema > 0 ? 'changed' : 'made';
}

/** Stores the version, after a copy of the file of another version. A migration has already made its own copy. */
function noteVersion(
  database: DatabaseSync,
  dataDir: string,
  version: string,
  step: SchemaStep,
  onUncopied: OpenOptions['onUncopied'],
): void {
  if (writtenBy(database) === version) return;
  if (step === 'current') {
    try {
      copyBeforeVersion(database, dataDir, version);
    } catch (error) {
      onUncopied?.(error);
    }
  }
  try {
    const put = database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
    put.run(WRITTEN_BY, JSON.stringify(version));
  } catch (error) {
    // A full disk must not fail a start: the next start stores the version.
    if (resultCode(error) !== sqlite.FULL) throw error;
  }
}
