/** Checked copies of the ledger: from before its tables are changed, the way back to the version that wrote it, and from the last stop. */
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

/** Copies that are kept: from before the last two changes. */
const KEPT = 2;

const stateOf = (db: DatabaseSync): unknown[] => [
  db.prepare('PRAGMA user_version').get(),
  db.prepare('SELECT count(*) AS jobs FROM entries').get(),
  db.prepare('SELECT count(*) AS chunks FROM chunks').get(),
];

/** A stop waits for no larger copy than this. */
const LARGEST_AT_STOP_BYTES = 64 * 1024 * 1024;

/** Throws where what was written is not what the original holds. */
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

/** The copies there are, those of the newest version first. */
function copiesOf(path: string): string[] {
  const { folder, start } = namesOf(path);
  const versionOf = (name: string): number => Number(name.slice(start.length, -'.db'.length));
  return readdirSync(folder)
    .filter((name) => name.startsWith(start) && Number.isInteger(versionOf(name)))
    .toSorted((one, other) => versionOf(other) - versionOf(one))
    .map((name) => join(folder, name));
}

/** Throws where no sound copy could be made; a half one is not left behind. */
export function copyBeforeMigration(db: DatabaseSync, path: string, version: number): void {
  const { folder, start } = namesOf(path);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${start}${version}.db`);
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    db.prepare('VACUUM INTO ?').run(part);
    check(db, part);
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  for (const old of copiesOf(path).slice(KEPT)) rmSync(old, { force: true });
}

const latestOf = (path: string): string => join(namesOf(path).folder, `${basename(path, '.db')}-latest.db`);

function isSound(file: string): boolean {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    return db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok';
  } catch {
    // Not even a database.
    return false;
  } finally {
    db?.close();
  }
}

/** Copies a ledger that was closed, where it has changed since the last copy and is sound. Never throws: a stop does not fail by it. */
export function copyAtStop(path: string): void {
  const latest = latestOf(path);
  const part = `${latest}.part`;
  try {
    const { size, mtimeMs } = statSync(path);
    if (size > LARGEST_AT_STOP_BYTES) return;
    if ((statSync(latest, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= mtimeMs) return;
    mkdirSync(dirname(latest), { recursive: true });
    copyFileSync(path, part);
    const file = openSync(part, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (isSound(part)) renameSync(part, latest);
  } catch {
    // A full disk, or damage that the next start finds: the copy from before stays.
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(part + end, { force: true });
  }
}

/** The copy that a damaged ledger is restored from; null where there is none. */
export function newestSoundCopy(path: string): { file: string; at: Date } | null {
  if (!existsSync(namesOf(path).folder)) return null;
  const file = [latestOf(path), ...copiesOf(path)].find((one) => existsSync(one) && isSound(one));
  return file === undefined ? null : { file, at: statSync(file).mtime };
}
