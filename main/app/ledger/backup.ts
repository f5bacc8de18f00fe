/** A checked copy of the ledger from before its tables are changed: the way back to the version that wrote it. */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Copies that are kept: from before the last two changes. */
const KEPT = 2;

const stateOf = (db: DatabaseSync): unknown[] => [
  db.prepare('PRAGMA user_version').get(),
  db.prepare('SELECT count(*) AS jobs FROM entries').get(),
  db.prepare('SELECT count(*) AS chunks FROM chunks').get(),
];

/** Throws where what was written is not what the original holds. */
function check(original: DatabaseSync, copy: string): void {
  const db = new DatabaseSync(copy, { readOnly: true });
  try {
    const found = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (found !== 'ok') throw new Error(`the copy is damaged (${String(found)})`);
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
