/**
 * Opens the ledger's SQLite file with its lock, its settings and its migrations. The lock is also the instance lock of
 * the data folder.
 */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { copyBeforeMigration, copyBeforeVersion } from './backup.ts';
import { MIGRATIONS } from './migrations.ts';
import { naturalKey } from './naturalKey.ts';

/** Another process has the file open. */
export class LedgerInUseError extends Error {
  override readonly name = 'LedgerInUseError';
}

/** This version cannot use the file; the message says why and what to do. */
export class LedgerUnreadableError extends Error {
  override readonly name = 'LedgerUnreadableError';
}

/** The file is damaged, or is no database. Nothing was changed. */
export class LedgerDamagedError extends Error {
  override readonly name = 'LedgerDamagedError';
}

const isSqlite = (thrown: unknown): thrown is Error & { errcode: number } =>
  thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number';

/** Primary result codes; extended codes carry them in their low byte. */
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
/** `PRAGMA auto_vacuum`: free pages return to the disk on request. */
const INCREMENTAL = 2;
/**
 * Up to this size the whole file is checked before use, which takes a quarter of a second. A larger file is checked
 * only after damage was found.
 */
const CHECKED_AT_ONCE_BYTES = 256 * 1024 * 1024;
const resultCode = (thrown: unknown): number | null => (isSqlite(thrown) ? thrown.errcode & 0xff : null);
const isDamage = (thrown: unknown): boolean => {
  const code = resultCode(thrown);
  return code === SQLITE_NOTADB || code === SQLITE_CORRUPT;
};

const suspectFile = (path: string): string => `${path}.suspect`;

/** Throws LedgerDamagedError if the file is inconsistent. */
function check(db: DatabaseSync, path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > CHECKED_AT_ONCE_BYTES && !existsSync(suspectFile(path))) return;
  const result = String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);
  // The first line contains only the name of the database.
  if (result !== 'ok') throw new LedgerDamagedError(`${path} is damaged: ${result.split('\n').at(-1)}.`);
  rmSync(suspectFile(path), { force: true });
}

type StatementValues = Parameters<StatementSync['run']>;

/**
 * Wraps the statements of a database. A statement that finds damage marks the file, so that the next start checks all
 * of it.
 */
function noteDamage(db: DatabaseSync, path: string): void {
  const noting =
    <Result>(call: (...values: StatementValues) => Result) =>
    (...values: StatementValues): Result => {
      try {
        return call(...values);
      } catch (thrown) {
        if (isDamage(thrown)) writeFileSync(suspectFile(path), String(thrown));
        throw thrown;
      }
    };
  const prepare = db.prepare.bind(db);
  db.prepare = (...parameters) => {
    const statement = prepare(...parameters);
    const { prototype } = StatementSync;
    return Object.assign(statement, {
      run: noting((...values) => prototype.run.apply(statement, values)),
      get: noting((...values) => prototype.get.apply(statement, values)),
      all: noting((...values) => prototype.all.apply(statement, values)),
    });
  };
}

const WRITTEN_BY = 'writtenBy';

/** The version of Hangar that wrote the file last; null if it is not noted. */
function writtenBy(db: DatabaseSync): string | null {
  try {
    const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(WRITTEN_BY);
    return row === undefined ? null : String(JSON.parse(String(row['value'])));
  } catch {
    // A version with another table of facts: its number is enough.
    return null;
  }
}

/** Rejects a file of a newer Hangar. Copies an older file before its migration. */
function migrate(db: DatabaseSync, path: string, version: string, onUncopied: (error: unknown) => void): void {
  const from = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  if (from > MIGRATIONS.length) {
    const writer = writtenBy(db);
    throw new LedgerUnreadableError(
      `${path} was written by a newer version of Hangar` +
        ` (${writer === null ? '' : `Hangar ${writer}, `}ledger version ${from}; this one is Hangar ${version} and knows ${MIGRATIONS.length}). ` +
        'Nothing was changed. Update Hangar, or start it with another --data-dir.',
    );
  }
  if (from > 0 && from < MIGRATIONS.length) {
    try {
      copyBeforeMigration(db, path, from);
    } catch (cause) {
      const reason = messageOf(cause);
      throw new LedgerUnreadableError(
        `${path} was written by an older version of Hangar and could not be copied before it is brought up to date: ${reason}. Nothing was changed.`,
        { cause },
      );
    }
  }
  const isOfAnother = from > 0 && writtenBy(db) !== version;
  if (isOfAnother && from === MIGRATIONS.length) {
    try {
      copyBeforeVersion(db, path, version);
    } catch (error) {
      onUncopied(error);
    }
  }
  // Removed rows return their space to the disk only in this mode. An older file without it is rewritten once.
  const mode = db.prepare('PRAGMA auto_vacuum').get()?.['auto_vacuum'];
  if (mode !== INCREMENTAL) db.exec(`PRAGMA auto_vacuum = ${INCREMENTAL}; VACUUM`);
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < from) continue;
    db.exec(`BEGIN; ${step}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
  if (writtenBy(db) !== version) {
    db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(WRITTEN_BY, JSON.stringify(version));
  }
}

/**
 * `version` is the version of this Hangar. `onUncopied` is called if the copy before its first start could not be made;
 * the start continues, because the tables stay as they are. Throws LedgerInUseError, LedgerUnreadableError or
 * LedgerDamagedError; any other error is unexpected.
 */
export function openLedgerFile(
  path: string,
  version: string,
  onUncopied: (error: unknown) => void = () => undefined,
): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
    db.function('natural_key', { deterministic: true }, (text) => (text === null ? null : naturalKey(String(text))));
    // Exclusive mode keeps the lock from the first write until the end of the process.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    db.exec('BEGIN IMMEDIATE; COMMIT');
    // NORMAL is safe against every crash of the program. A power cut may lose the last moments of these notes; the
    // service keeps the jobs themselves.
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000');
    check(db, path);
    migrate(db, path, version, onUncopied);
    noteDamage(db, path);
    return db;
  } catch (thrown) {
    db?.close();
    const code = resultCode(thrown);
    if (code === SQLITE_BUSY) throw new LedgerInUseError(`${path} is in use.`, { cause: thrown });
    if (isDamage(thrown)) {
      throw new LedgerDamagedError(`${path} is damaged: ${messageOf(thrown)}.`, { cause: thrown });
    }
    throw thrown;
  }
}

/** The error of a failed write, for a person: it names a full disk as the cause. */
export function writeError(thrown: unknown): unknown {
  if (resultCode(thrown) !== SQLITE_FULL) return thrown;
  return new AppError(
    'STORAGE_FULL',
    'The disk is full: the ledger cannot be written. Free some space and try again.',
    {
      cause: thrown,
    },
  );
}
