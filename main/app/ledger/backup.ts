/**
 * Verified copies of the ledger: one before each migration, for a return to the older version, and one of the last
 * stop.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expectCode } from '#contract/core/systemCode.ts';

/** How many copies are kept: those before the last two migrations. */
const KEPT = 2;

const stateOf = (db: DatabaseSync): unknown[] => [
  db.prepare('PRAGMA user_version').get(),
  db.prepare('SELECT count(*) AS jobs FROM entries').get(),
  db.prepare('SELECT count(*) AS chunks FROM chunks').get(),
];

/** A stop makes no copy of a larger file, because it would wait too long. */
const LARGEST_AT_STOP_BYTES = 64 * 1024 * 1024;

/** Throws if the copy differs from the original. */
function check(original: DatabaseSync, copy: string): void {
  const db = new DatabaseSync(copy, { readOnly: true });
  try {
    const result = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (result !== 'ok') throw new Error(`the copy is damaged (${String(result)})`);
    if (JSON.stringify(stateOf(db)) !== JSON.stringify(stateOf(original))) throw new Error('the copy is not complete');
  } finally {
    db.close();
  }
}

const namesOf = (path: string): { folder: string; start: string } => ({
  folder: join(dirname(path), 'backups'),
  start: `${basename(path, '.db')}-version`,
});

/** The existing copies, newest version first. */
function copiesOf(path: string): string[] {
  const { folder, start } = namesOf(path);
  const versionOf = (name: string): number => Number(name.slice(start.length, -'.db'.length));
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && Number.isInteger(versionOf(name)))
    .toSorted((one, other) => versionOf(other) - versionOf(one))
    .map((name) => join(folder, name));
}

/** Throws if no valid copy could be made. An incomplete copy is removed. */
function copyTo(db: DatabaseSync, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    db.prepare('VACUUM INTO ?').run(part);
    check(db, part);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

/** Throws if no valid copy could be made. `version` is the version of the tables, a whole number. */
export function copyBeforeMigration(db: DatabaseSync, path: string, version: number): void {
  const { folder, start } = namesOf(path);
  copyTo(db, join(folder, `${start}${version}.db`));
  for (const old of copiesOf(path).slice(KEPT)) rmSync(old, { force: true });
}

/** A larger file is not copied before the first start of another version, because the start would wait too long. */
const LARGEST_BEFORE_VERSION_BYTES = 1024 * 1024 * 1024;

const beforeStart = (path: string): string => `${basename(path, '.db')}-before-`;

/**
 * Copies the ledger before the first start of `version`. The copy replaces the one of another version. Throws if that
 * fails.
 */
export function copyBeforeVersion(db: DatabaseSync, path: string, version: string): void {
  const { size } = statSync(path);
  if (size > LARGEST_BEFORE_VERSION_BYTES) {
    throw new Error(`the file is larger than ${LARGEST_BEFORE_VERSION_BYTES / 1024 / 1024} MB`);
  }
  const { folder } = namesOf(path);
  const name = `${beforeStart(path)}${version.replaceAll(/[^\w.+-]/g, '_')}.db`;
  copyTo(db, join(folder, name));
  for (const other of readdirSync(folder)) {
    if (other.startsWith(beforeStart(path)) && other !== name) rmSync(join(folder, other), { force: true });
  }
}

const latestOf = (path: string): string => join(namesOf(path).folder, `${basename(path, '.db')}-latest.db`);

function isSound(file: string): boolean {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    return db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';
  } catch (error) {
    expectCode(error, 'ERR_SQLITE_ERROR');
    // The file is not even a database.
    return false;
  } finally {
    db?.close();
  }
}

/** Removes an incomplete copy. Nothing is left to remove where a file is in the place of the folder. */
function removePart(part: string): void {
  for (const end of ['', '-wal', '-shm']) {
    try {
      rmSync(part + end, { force: true });
    } catch {
      // The reason of the failed copy says so.
    }
  }
}

/**
 * Copies a closed ledger if it has changed since the last copy and is valid. Returns why that failed, such as a full
 * disk; null otherwise. Never throws: it must not fail a stop.
 */
export function copyAtStop(path: string): unknown {
  const latest = latestOf(path);
  const part = `${latest}.part`;
  try {
    const { size, mtimeMs } = statSync(path);
    if (size > LARGEST_AT_STOP_BYTES) return null;
    if ((statSync(latest, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= mtimeMs) return null;
    mkdirSync(dirname(latest), { recursive: true });
    copyFileSync(path, part);
    const file = openSync(part, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // The next start finds damage, and continues with the earlier copy.
    if (isSound(part)) renameSync(part, latest);
    return null;
  } catch (reason) {
    return reason;
  } finally {
    removePart(part);
  }
}

/** The newest valid copy, for the recovery of a damaged ledger; null if there is none. */
export function newestSoundCopy(path: string): { file: string; at: Date } | null {
  if (!statSync(namesOf(path).folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  const file = [latestOf(path), ...copiesOf(path)].find((one) => existsSync(one) && isSound(one));
  return file === undefined ? null : { file, at: statSync(file).mtime };
}
