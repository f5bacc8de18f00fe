/** Opens the engine's SQLite file: one owner, every commit on disk before it is told, and a schema that is brought up to date. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations/index.ts';

/** Another engine has the file open. */
export class DataInUseError extends Error {}
/** The file cannot be read, or a newer Hangar wrote it. */
export class DataUnreadableError extends Error {}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function explained(error: unknown, file: string): unknown {
  const code = (error as { errcode?: number }).errcode;
  if (code === SQLITE_BUSY) return new DataInUseError(`${file} is in use by another engine.`, { cause: error });
  if (code === SQLITE_CORRUPT || code === SQLITE_NOTADB) {
    return new DataUnreadableError(
      `${file} is damaged: ${(error as Error).message}. Nothing was changed. Move it away to start with an empty one.`,
      { cause: error },
    );
  }
  return error;
}

/** `dataDir` is made when it is missing. Throws DataInUseError or DataUnreadableError where that is the reason. */
export function openDatabase(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'engine.db');
  const fresh = !existsSync(file);
  const database = new DatabaseSync(file);
  try {
    // Before WAL: then no shared-memory file is made, and a second owner is refused at its first statement.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (fresh) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    if (process.platform === 'darwin') database.exec('PRAGMA fullfsync = 1; PRAGMA checkpoint_fullfsync = 1');
    database.exec('PRAGMA journal_size_limit = 67108864');
    database.exec('PRAGMA cache_size = -32768');
    migrate(database, file);
  } catch (error) {
    database.close();
    throw explained(error, file);
  }
  return database;
}

function migrate(database: DatabaseSync, file: string): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > migrations.length) {
    throw new DataUnreadableError(
      `${file} was written by a newer Hangar (schema ${version}; this one knows ${migrations.length}). Use that version.`,
    );
  }
  migrations.slice(version).forEach((sql, index) => {
    database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${version + index + 1}; COMMIT`);
  });
}
