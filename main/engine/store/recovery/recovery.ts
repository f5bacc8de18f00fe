/**
 * Opens the database. A damaged one is set aside: it restores a backup and adds the readable rows of the damaged file.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from '../../domain/core/ports.ts';
import { listBackups, timeStamp } from '../sqlite/backups.ts';
import {
  DataDamagedError,
  DataUnreadableError,
  databaseFile,
  openDatabase,
  type OpenOptions,
} from '../sqlite/database.ts';
import {
  copyFile,
  makeFolder,
  moveDatabaseFiles,
  moveIntoPlace,
  removeDatabaseFiles,
  syncFolder,
} from '../sqlite/fsync.ts';
import { textPart } from '../payloads/payloadIndex.ts';
import { salvage, type SalvagedTable } from './salvage.ts';

const NOTICE = 'recovery-notice';
const RECOVERED = 'engine.db.recovered-';

const suspectFile = (dataDir: string): string => join(dataDir, 'engine.db.suspect');

/** Makes the next start check the whole file. The engine ends in any case, so a failure here is ignored. */
export function noteSuspect(dataDir: string, reason: string): void {
  try {
    writeFileSync(suspectFile(dataDir), reason);
  } catch {
    // The disk is full or failing: the next start makes only the usual checks.
  }
}

/** Throws where an emptied or missing file would look like a first start. */
function requireContent(dataDir: string): void {
  const file = databaseFile(dataDir);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (log === 0 && listBackups(dataDir).length === 0) return;
  throw new DataDamagedError(`${file} is ${size === null ? 'missing' : 'empty'}, though it was not before.`);
}

export interface Opened {
  database: DatabaseSync;
  /** Notices for a person. */
  notices: string[];
  /** Call this once a person has seen the notices. */
  noticesShown(): void;
}

export interface OpenStoreOptions extends OpenOptions {
  logger: Logger;
  now: () => number;
  open?: typeof openDatabase;
  /** Called when a recovery begins. It may take a while. */
  onRecovery?: (reason: string) => void;
}

/** Throws what `openDatabase` throws for the file or a backup, except DataDamagedError: this starts a recovery. */
export function openOrRecover(dataDir: string, options: OpenStoreOptions): Opened {
  const { open = openDatabase } = options;
  finishRecovery(dataDir);
  const suspect = existsSync(suspectFile(dataDir));
  let database: DatabaseSync;
  try {
    requireContent(dataDir);
    database = open(dataDir, { ...options, thorough: suspect });
  } catch (error) {
    if (!(error instanceof DataDamagedError)) throw error;
    options.logger.error({ err: error }, 'the database is damaged; recovering its readable rows');
    options.onRecovery?.(error.message);
    recover(dataDir, error, options);
    database = open(dataDir, options);
  }
  rmSync(suspectFile(dataDir), { force: true });
  const notices = database
    .prepare('SELECT value FROM meta WHERE name = ?')
    .all(NOTICE)
    .map(({ value }) => String(value));
  return {
    database,
    notices,
    noticesShown() {
      if (notices.length > 0) database.prepare('DELETE FROM meta WHERE name = ?').run(NOTICE);
    },
  };
}

/**
 * Builds the new file beside the damaged one and renames it into the data folder. From then on, this start or the next
 * one completes the recovery, even after a power failure.
 */
function recover(dataDir: string, damage: DataDamagedError, { now, steps }: OpenStoreOptions): void {
  const stamp = timeStamp(now());
  const work = join(dataDir, 'recovering');
  const damaged = join(work, 'damaged.db');
  rmSync(work, { recursive: true, force: true });
  makeFolder(work);
  const file = databaseFile(dataDir);
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFile(file + end, damaged + end);

  const open = (): DatabaseSync => openDatabase(work, steps ? { steps } : {});
  const restored = restoreNewest(dataDir, databaseFile(work), open);
  const database = restored?.database ?? open();
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const like = join(work, 'like.db');
  copyFile(databaseFile(work), like);
  const tables = existsSync(damaged) ? salvage(damaged, database, like) : null;
  const lost = makeConsistent(database, now());
  const notice = noticeOf({
    damage,
    missing: !existsSync(file),
    aside: asideSentence(file, `${basename(file)}.damaged-${stamp}`),
    backupAt: restored?.at ?? null,
    tables,
    lost,
  });
  database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(NOTICE, notice);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  moveIntoPlace(databaseFile(work), join(dataDir, RECOVERED + stamp));
  finishRecovery(dataDir);
}

function finishRecovery(dataDir: string): void {
  const name = existsSync(dataDir) ? readdirSync(dataDir).find((one) => one.startsWith(RECOVERED)) : undefined;
  if (name === undefined) return;
  const file = databaseFile(dataDir);
  moveDatabaseFiles(file, `${file}.damaged-${name.slice(RECOVERED.length)}`);
  renameSync(join(dataDir, name), file);
  syncFolder(dataDir);
  rmSync(join(dataDir, 'recovering'), { recursive: true, force: true });
}

/**
 * Copies the newest intact backup to `target`. Throws where that fails for another reason than damage. Null without an
 * intact backup.
 */
function restoreNewest(
  dataDir: string,
  target: string,
  open: () => DatabaseSync,
): { database: DatabaseSync; at: Date } | null {
  for (const { file, at } of listBackups(dataDir)) {
    try {
      copyFile(file, target);
      return { database: open(), at };
    } catch (error) {
      if (error instanceof DataUnreadableError) {
        // A newer Hangar wrote this backup. Restoring an older one would make it look like the newest, and this one
        // would be deleted later.
        throw new DataUnreadableError(`The backup ${file} cannot be restored. ${error.message}`, { cause: error });
      }
      // Other failures, such as a full disk, would also affect older backups.
      if (!(error instanceof DataDamagedError)) throw error;
      removeDatabaseFiles(target);
    }
  }
  return null;
}

/** Deletes rows without a job, and marks jobs that cannot run. Returns how many jobs lost their input or output. */
function makeConsistent(database: DatabaseSync, now: number): { inputs: number; outputs: number } {
  const run = (sql: string, ...values: number[]): number => Number(database.prepare(sql).run(...values).changes);
  database.exec('BEGIN');
  for (const table of ['body', 'output', 'chunk', 'stored_text'])
    run(`DELETE FROM ${table} WHERE seq NOT IN (SELECT seq FROM job)`);
  // These jobs run again, so the output in the backup is of an earlier run.
  run('DELETE FROM output WHERE seq IN (SELECT seq FROM job WHERE has_output = 0)');
  for (const table of ['usage_hour', 'usage_worker_day', 'usage_day'])
    run(`DELETE FROM ${table} WHERE series NOT IN (SELECT id FROM usage_series)`);
  const inputs = run(
    `UPDATE job SET status = 3, finished_at = ?, error = 'Its input was lost when the database was damaged. Submit the job again.'
       WHERE status IN (0, 1) AND seq NOT IN (SELECT seq FROM body)
       AND seq NOT IN (SELECT seq FROM stored_text WHERE part = ${textPart.body})`,
    now,
  );
  const outputs = run(
    `UPDATE job SET has_output = 0 WHERE has_output = 1 AND seq NOT IN (SELECT seq FROM output)
       AND seq NOT IN (SELECT seq FROM stored_text WHERE part = ${textPart.output})`,
  );
  database.exec('COMMIT');
  return { inputs, outputs };
}

function asideSentence(file: string, name: string): string | null {
  if (existsSync(file)) return `It was set aside as ${name}, in the same folder.`;
  return existsSync(`${file}-wal`) ? `Its log was set aside as ${name}-wal, in the same folder.` : null;
}

function noticeOf(facts: {
  damage: Error;
  /** The sentence about the file that was set aside; null where there was none. */
  aside: string | null;
  /** The file was missing. Its log may have existed. */
  missing: boolean;
  backupAt: Date | null;
  tables: SalvagedTable[] | null;
  lost: { inputs: number; outputs: number };
}): string {
  const { damage, aside, missing, backupAt, tables, lost } = facts;
  const rows = tables?.reduce((sum, table) => sum + table.rows, 0) ?? 0;
  const whole = tables !== null && tables.every(({ complete }) => complete);
  const partial = rows === 0 ? undefined : tables?.filter(({ complete }) => !complete).map(({ name }) => name);
  const sentences = [damage.message];
  if (aside !== null) sentences.push(aside);
  if (backupAt !== null) sentences.push(`The backup of ${backupAt.toISOString()} was restored.`);
  else sentences.push('There was no backup to restore.');
  if (rows > 0) sentences.push(`${rows} rows could be read from the damaged file and were kept.`);
  else if (!missing) sentences.push('Nothing could be read from the damaged file.');
  if (partial && partial.length > 0) sentences.push(`Not everything could be read of: ${partial.join(', ')}.`);
  if (rows === 0 && backupAt === null) sentences.push('Hangar starts empty.');
  if (!whole && backupAt !== null) {
    sentences.push('Jobs, endpoints and keys may be as they were then: a job that has ended since may run again.');
  }
  if (lost.inputs > 0) sentences.push(`${lost.inputs} waiting jobs have lost their input and are failed.`);
  if (lost.outputs > 0) sentences.push(`${lost.outputs} finished jobs have lost their output.`);
  return sentences.join(' ');
}
