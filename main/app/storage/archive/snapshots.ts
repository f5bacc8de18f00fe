/** Consistent copies of databases for an export. They contain no deleted rows and no sessions of browsers. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';

/** Copies the databases of one data folder to a file; resolves to false if there is no such database. */
export interface DatabaseSource {
  engine(file: string): Promise<boolean>;
  ledger(file: string): Promise<boolean>;
}

/** Pages in one step of a copy: between the steps other work goes on. */
export const SNAPSHOT_RATE = 500;

async function copyIdle(file: string, to: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    await backup(database, to, { rate: SNAPSHOT_RATE });
    return true;
  } finally {
    database.close();
  }
}

/** The databases of a folder that no Hangar uses. */
export const idleDatabases = (dataDir: string): DatabaseSource => ({
  engine: (file) => copyIdle(join(dataDir, 'engine.db'), file),
  ledger: (file) => copyIdle(join(dataDir, 'ledger.db'), file),
});

/** Runs in a thread from this text, because a built program is one file, and because a large file takes seconds. */
const CLEAN = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData.file);
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(({ name }) => name);
  const columns = tables.includes('meta') ? database.prepare('PRAGMA table_info(meta)').all().map(({ name }) => name) : [];
  if (columns.includes('key')) database.exec("DELETE FROM meta WHERE key = 'sessions'");
  database.exec('PRAGMA journal_mode = DELETE; VACUUM');
  const result = database.prepare('PRAGMA quick_check(1)').get().quick_check;
  database.close();
  parentPort.postMessage(result);
`;

/** Removes what an export must not contain, and checks the copy. Rejects if it is damaged. */
export function cleanSnapshot(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(CLEAN, { eval: true, workerData: { file } });
    let result = 'the check ended without a word';
    thread.on('message', (message: unknown) => (result = String(message)));
    thread.on('error', reject);
    thread.on('exit', () => {
      if (result === 'ok') resolve();
      else reject(new Error(`A database is damaged (${result}). Start Hangar once: it recovers what can be read.`));
    });
  });
}

/**
 * The folders of handlers that the templates of a snapshot of the engine name, each once, sorted. Those below `dataDir`
 * are not among them: an export contains them.
 */
export function handlerFoldersOutside(dataDir: string, file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare("SELECT record ->> '$.imageName' AS image FROM template").all();
    const folders = rows
      .map(({ image }) => String(image))
      .filter((image) => image.startsWith(FILE_IMAGE_PREFIX))
      .map((image) => fileURLToPath(image))
      .filter((folder) => {
        const way = relative(dataDir, folder);
        return way.startsWith('..') || isAbsolute(way);
      });
    return [...new Set(folders)].toSorted();
  } finally {
    database.close();
  }
}
