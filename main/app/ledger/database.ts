/** Opens the ledger's SQLite file: its lock (which is the data folder's instance lock), its settings and its migrations. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { AppError } from '#contract/core/errors.ts';
import { copyBeforeMigration } from './backup.ts';
import { MIGRATIONS } from './migrations.ts';

/** The file is open in another process. */
export class LedgerInUseError extends Error {
  override readonly name = 'LedgerInUseError';
}

/** The file cannot be used by this version; the message says why and what to do. */
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
/** `PRAGMA auto_vacuum`: free pages are given back when it is asked for. */
const INCREMENTAL = 2;
/** Up to this size the whole file is checked before it is used, which takes a quarter of a second; a larger one after damage was met. */
const CHECKED_AT_ONCE_BYTES = 256 * 1024 * 1024;
const resultCode = (thrown: unknown): number | null => (isSqlite(thrown) ? thrown.errcode & 0xff : null);
const isDamage = (thrown: unknown): boolean => {
  const code = resultCode(thrown);
  return code === SQLITE_NOTADB || code === SQLITE_CORRUPT;
};

const suspectFile = (path: string): string => `${path}.suspect`;

/** Throws LedgerDamagedError when something in the file contradicts itself. */
function check(db: DatabaseSync, path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > CHECKED_AT_ONCE_BYTES && !existsSync(suspectFile(path))) return;
  const result = String(db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']);
  // The first line only names the database.
  if (result !== 'ok') throw new LedgerDamagedError(`${path} is damaged: ${result.split('\n').at(-1)}.`);
  rmSync(suspectFile(path), { force: true });
}

/** Where a statement meets damage, the next start checks all of the file. */
function noteDamage(db: DatabaseSync, path: string): void {
  const prepare = db.prepare.bind(db);
  db.prepare = (...parameters: Parameters<typeof prepare>): StatementSync => {
    const statement = prepare(...parameters);
    for (const name of ['run', 'get', 'all'] as const) {
      statement[name] = ((...values: unknown[]) => {
        try {
          return (StatementSync.prototype[name] as (...all: unknown[]) => unknown).apply(statement, values);
        } catch (thrown) {
          if (isDamage(thrown)) writeFileSync(suspectFile(path), String(thrown));
          throw thrown;
        }
      }) as never;
    }
    return statement;
  };
}

const WRITTEN_BY = 'writtenBy';

/** Which version of Hangar has written the file last; null where that was not noted. */
function writtenBy(db: DatabaseSync): string | null {
  try {
    const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(WRITTEN_BY);
    return row === undefined ? null : String(JSON.parse(String(row['value'])));
  } catch {
    // A version that keeps its facts elsewhere: its number alone has to do.
    return null;
  }
}

/** Rejects a database made by a newer Hangar instead of guessing at it; copies an older one before it is changed. */
function migrate(db: DatabaseSync, path: string, version: string): void {
  const { user_version: from } = db.prepare('PRAGMA user_version').get() as { user_version: number };
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
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new LedgerUnreadableError(
        `${path} was written by an older version of Hangar and could not be copied before it is brought up to date: ${reason}. Nothing was changed.`,
        { cause },
      );
    }
  }
  // So that what is removed gives its room back to the disk; for a file that was made without, it is written anew once.
  const { auto_vacuum: mode } = db.prepare('PRAGMA auto_vacuum').get() as { auto_vacuum: number };
  if (mode !== INCREMENTAL) db.exec(`PRAGMA auto_vacuum = ${INCREMENTAL}; VACUUM`);
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < from) continue;
    db.exec(`BEGIN; ${step}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
  if (writtenBy(db) !== version) {
    db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(WRITTEN_BY, JSON.stringify(version));
  }
}

/** `version` is this Hangar's own. Throws LedgerInUseError, LedgerUnreadableError or LedgerDamagedError; anything else is unexpected. */
export function openLedgerFile(path: string, version: string): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
    // Exclusive mode keeps the lock from the first write on until the process ends, however it ends.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    db.exec('BEGIN IMMEDIATE; COMMIT');
    // NORMAL: safe against every crash of the program. A power cut may cost the last moments of what
    // was noted here; the jobs themselves are kept by the service.
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000');
    check(db, path);
    migrate(db, path, version);
    noteDamage(db, path);
    return db;
  } catch (thrown) {
    db?.close();
    const code = resultCode(thrown);
    if (code === SQLITE_BUSY) throw new LedgerInUseError(`${path} is in use.`, { cause: thrown });
    if (isDamage(thrown)) {
      throw new LedgerDamagedError(`${path} is damaged: ${(thrown as Error).message}.`, { cause: thrown });
    }
    throw thrown;
  }
}

/** The error of a failed write, for a person: it names a full disk. */
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
