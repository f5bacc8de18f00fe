/** Opens the ledger's SQLite file: its lock (which is the data folder's instance lock), its settings and its migrations. */
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '#contract/errors.ts';

/** The file is open in another process. */
export class LedgerInUseError extends Error {
  override readonly name = 'LedgerInUseError';
}

/** The file cannot be used by this version; the message says why and what to do. */
export class LedgerUnreadableError extends Error {
  override readonly name = 'LedgerUnreadableError';
}

/** Index + 1 is the version a step leads to. A step that has been released is never changed. */
const MIGRATIONS = [
  `
  CREATE TABLE entries (
    seq INTEGER PRIMARY KEY,
    entry_id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    endpoint_name TEXT NOT NULL,
    job_id TEXT,
    mode TEXT NOT NULL,
    status TEXT NOT NULL,
    sent_at REAL NOT NULL,
    worker_started_at REAL,
    started_at REAL,
    finished_at REAL,
    delay_time INTEGER,
    execution_time INTEGER,
    worker_id TEXT,
    retries INTEGER NOT NULL DEFAULT 0,
    chunk_count INTEGER NOT NULL DEFAULT 0,
    input_bytes INTEGER NOT NULL,
    output_bytes INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    waiting TEXT
  ) STRICT;
  CREATE INDEX entries_status ON entries (status);
  CREATE INDEX entries_endpoint ON entries (account_id, endpoint_id);
  CREATE INDEX entries_sent_at ON entries (sent_at);

  -- Payloads live apart, so that a list never reads past them.
  CREATE TABLE bodies (seq INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE, text TEXT NOT NULL) STRICT;
  CREATE TABLE outputs (seq INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE, text TEXT NOT NULL) STRICT;
  CREATE TABLE chunks (
    seq INTEGER NOT NULL REFERENCES entries ON DELETE CASCADE,
    idx INTEGER NOT NULL,
    at REAL NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (seq, idx)
  ) STRICT;

  -- Lower case, because SQLite itself folds ASCII only.
  CREATE TABLE search (
    seq INTEGER PRIMARY KEY REFERENCES entries ON DELETE CASCADE,
    head TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
];

const isSqlite = (thrown: unknown): thrown is Error & { errcode: number } =>
  thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number';

/** Primary result codes; extended codes carry them in their low byte. */
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;
const resultCode = (thrown: unknown): number | null => (isSqlite(thrown) ? thrown.errcode & 0xff : null);

/** Rejects a database made by a newer Hangar instead of guessing at it. */
function migrate(db: DatabaseSync, path: string): void {
  const row = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (row.user_version > MIGRATIONS.length) {
    throw new LedgerUnreadableError(
      `${path} was written by a newer version of Hangar (ledger version ${row.user_version}, this one knows ${MIGRATIONS.length}). ` +
        'Nothing was changed. Update Hangar, or start it with another --data-dir.',
    );
  }
  for (const [index, step] of MIGRATIONS.entries()) {
    if (index < row.user_version) continue;
    db.exec(`BEGIN; ${step}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

/** Throws LedgerInUseError or LedgerUnreadableError; anything else is unexpected. */
export function openLedgerFile(path: string): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
    // Exclusive mode keeps the lock from the first write on until the process ends, however it ends.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
    db.exec('BEGIN IMMEDIATE; COMMIT');
    // NORMAL: safe against every crash of the program. A power cut may cost the last moments of what
    // was noted here; the jobs themselves are kept by the service.
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000');
    migrate(db, path);
    return db;
  } catch (thrown) {
    db?.close();
    const code = resultCode(thrown);
    if (code === SQLITE_BUSY) throw new LedgerInUseError(`${path} is in use.`, { cause: thrown });
    if (code === SQLITE_NOTADB || code === SQLITE_CORRUPT) {
      throw new LedgerUnreadableError(
        `${path} is damaged or not a ledger. Move it away to start with an empty one; nothing was changed.`,
        { cause: thrown },
      );
    }
    throw thrown;
  }
}

/** A failed write, for a person: a full disk is told as such. */
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
