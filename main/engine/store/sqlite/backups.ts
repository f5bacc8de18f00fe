/**
 * Backups of the database, for a recovery from damage: made during a run, at a clean stop, before a migration and
 * before a new version.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { messageOf } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { makeFolder, moveIntoPlace } from './fsync.ts';
import { query } from './statements.ts';
import { sqlite } from './writeHealth.ts';

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 60 * 60_000;
/** The reason of a copy: a regular backup, a migration of the schema, or the first start of another version. */
type BackupKind = 'regular' | 'migration' | 'version';
/** The number of copies that are kept of each kind. */
const KEPT: Record<BackupKind, number> = { regular: 2, migration: 1, version: 1 };
/**
 * A larger file is neither copied nor checked completely: both would keep the disk busy for long, and a copy needs as
 * much space again.
 */
const LARGEST_BYTES = 1024 * 1024 * 1024;
/** A stop does not copy a larger file. The last regular backup remains the newest then. */
const LARGEST_AT_STOP_BYTES = 64 * 1024 * 1024;
/** The space that must stay free beside the copy. */
const MARGIN_BYTES = 64 * 1024 * 1024;
const PART_BYTES = 1024 * 1024;
/** The default of SQLite: the number of pages in the log before a checkpoint. */
const CHECKPOINT_PAGES = 1000;

const readPart = promisify(read);

const NO_ROOM = 'there is not enough room on the disk';
const tooLarge = (largestBytes: number): string => `the file is larger than ${largestBytes / 1024 / 1024} MB`;
const folderOf = (dataDir: string): string => join(dataDir, 'backups');

/** A time as a part of a file name. Names sort by time. */
export const timeStamp = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '-');

const NAME = /^engine-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z(?:-(schema\d+|before-[\w.+-]+))?\.db$/;

interface Backup {
  file: string;
  at: Date;
  kind: BackupKind;
}

/** All complete backups, newest first. */
export function listBackups(dataDir: string): Backup[] {
  const folder = folderOf(dataDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => {
      const [, day, hour, minute, second, ms, reason] = NAME.exec(name) ?? [];
      if (day === undefined) return [];
      const at = new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`);
      const kind: BackupKind = reason === undefined ? 'regular' : reason.startsWith('schema') ? 'migration' : 'version';
      return [{ file: join(folder, name), at, kind }];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());
}

function prune(dataDir: string): void {
  const backups = listBackups(dataDir);
  const kinds = ['regular', 'migration', 'version'] as const;
  const old = kinds.flatMap((kind) => backups.filter((backup) => backup.kind === kind).slice(KEPT[kind]));
  for (const { file } of old) rmSync(file, { force: true });
}

/** Copies the database to `backups/engine-TIME-REASON.db`. Throws where that fails, without leaving a partial copy. */
function copyBefore(database: DatabaseSync, dataDir: string, reason: string): void {
  const folder = folderOf(dataDir);
  makeFolder(folder);
  const file = join(folder, `engine-${timeStamp(Date.now())}-${reason}.db`);
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    database.prepare('VACUUM INTO ?').run(part);
    moveIntoPlace(part, file);
  } finally {
    rmSync(part, { force: true });
  }
  prune(dataDir);
}

/** Copies the database before a migration of its schema. Throws where that fails. */
export const copyBeforeMigration = (database: DatabaseSync, dataDir: string, schema: number): void =>
  copyBefore(database, dataDir, `schema${schema}`);

/**
 * Copies the database before the first start of `version`. Throws where that fails, and for a file above 1 GB, because
 * its copy would delay the start.
 */
export function copyBeforeVersion(database: DatabaseSync, dataDir: string, version: string): void {
  const { size } = statSync(join(dataDir, 'engine.db'));
  if (size > LARGEST_BYTES) throw new Error(tooLarge(LARGEST_BYTES));
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize < size + MARGIN_BYTES) throw new Error(NO_ROOM);
  copyBefore(database, dataDir, `before-${version.replaceAll(/[^\w.+-]/g, '_')}`);
}

/**
 * The check runs in a thread from this text, because a built program is one file and has no second file for a thread.
 */
const CHECK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const faults = [];
  try {
    const database = new DatabaseSync(workerData);
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    for (const row of database.prepare('PRAGMA quick_check(3)').all()) faults.push(row.quick_check);
    database.close();
  } catch (error) {
    faults.push(error.message);
  }
  parentPort.postMessage(faults.join('; '));
`;

/** The damage of a database file; null when it is intact. Runs in its own thread. */
function faultOf(file: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(CHECK, { eval: true, workerData: file });
    let report: string | null = null;
    thread.on('message', (message: string) => {
      report = message;
    });
    thread.on('error', reject);
    thread.on('exit', () => {
      if (report === null) reject(new Error('the check ended without a word'));
      else resolve(report === 'ok' ? null : report);
    });
  });
}

/** The same check in this thread: for a small file, while the engine serves no requests. */
function faultOfNow(file: string): string | null {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    const report = database
      .prepare('PRAGMA quick_check(3)')
      .all()
      .map((row) => String(row.quick_check));
    return report.join() === 'ok' ? null : report.join('; ');
  } catch (error) {
    return messageOf(error);
  } finally {
    database.close();
  }
}

export interface BackupFacts {
  /** The time of the newest backup (RFC 3339); null without one. */
  lastAt: string | null;
  /** Why there is no recent backup; null without a problem. */
  problem: string | null;
}

export interface Backups {
  facts(): BackupFacts;
  /** Makes a backup now if something has changed since the last one. Never rejects. */
  make(): Promise<void>;
  /** Whether the file is being copied: a checkpoint must not change it then. */
  readonly copying: boolean;
  /** Waits for a running copy and makes the last backup. Call `close` after closing the database. */
  stop(): Promise<void>;
  /** Waits for a running copy, and makes no last backup. */
  abandon(): Promise<void>;
  close(): void;
}

export interface BackupsOptions {
  database: DatabaseSync;
  dataDir: string;
  file: string;
  logger: Logger;
  now: () => number;
  /** Called when the copy, and therefore the file, is damaged. */
  onDamage: (error: Error) => void;
}

/** Makes a backup a minute after the start and then every hour, when something has changed. */
export function createBackups({ database, dataDir, file, logger, now, onDamage }: BackupsOptions): Backups {
  const folder = folderOf(dataDir);
  // Stays open as long as the database: closing any handle of a file releases the locks of this process on it.
  const handle = openSync(file, 'r');
  const changesNow = query<{ count: number }>(database, 'SELECT total_changes() AS count');
  const changes = (): number => changesNow.one().count;
  const newest = listBackups(dataDir)[0] ?? null;
  let lastAt = newest?.at ?? null;
  const isCurrent = newest !== null && statSync(newest.file).mtimeMs >= fstatSync(handle).mtimeMs;
  let savedChanges = isCurrent && changes() === 0 ? 0 : -1;
  let problem: string | null = null;
  let copying = false;
  let underWay: Promise<void> | null = null;
  let stopped = false;
  let timer: NodeJS.Timeout | null = setTimeout(() => void tick(), FIRST_AFTER_MS);

  async function tick(): Promise<void> {
    await make();
    if (!stopped) timer = setTimeout(() => void tick(), EVERY_MS);
  }

  /** Copies the file without a pause of writes: they go to the log. */
  async function copyTo(target: string): Promise<void> {
    database.exec('PRAGMA wal_autocheckpoint = 0');
    copying = true;
    try {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)');
      const copy = await open(target, 'w');
      try {
        const part = Buffer.allocUnsafe(PART_BYTES);
        for (let at = 0; ;) {
          const { bytesRead } = await readPart(handle, part, 0, part.length, at);
          if (bytesRead === 0) break;
          await copy.write(part, 0, bytesRead, at);
          at += bytesRead;
        }
        await copy.sync();
      } finally {
        await copy.close();
      }
    } finally {
      copying = false;
      if (database.isOpen) database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    }
  }

  async function reasonNotTo(largestBytes: number): Promise<string | null> {
    const { size } = fstatSync(handle);
    if (size > largestBytes) return tooLarge(largestBytes);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < size + MARGIN_BYTES ? NO_ROOM : null;
  }

  async function makeOne(largestBytes: number): Promise<void> {
    const current = changes();
    if (current === savedChanges) return;
    makeFolder(folder);
    problem = await reasonNotTo(largestBytes);
    if (problem !== null) {
      logger.warn({ problem }, 'no backup of the database is made');
      return;
    }
    const at = now();
    const target = join(folder, `engine-${timeStamp(at)}.db`);
    const part = join(folder, 'engine.part');
    rmSync(part, { force: true });
    try {
      await copyTo(part);
      const fault = stopped ? faultOfNow(part) : await faultOf(part);
      if (fault !== null) {
        onDamage(Object.assign(new Error(`a check found: ${fault}`), { errcode: sqlite.CORRUPT }));
        return;
      }
      moveIntoPlace(part, target);
      savedChanges = current;
      lastAt = new Date(at);
      prune(dataDir);
    } finally {
      rmSync(part, { force: true });
    }
  }

  function make(largestBytes = LARGEST_BYTES): Promise<void> {
    underWay ??= makeOne(largestBytes)
      .catch((error: unknown) => {
        problem = error instanceof Error ? error.message : String(error);
        logger.warn({ err: error }, 'a backup of the database could not be made');
      })
      .finally(() => {
        underWay = null;
      });
    return underWay;
  }

  async function abandon(): Promise<void> {
    stopped = true;
    if (timer) clearTimeout(timer);
    timer = null;
    await underWay;
  }

  return {
    facts: () => ({ lastAt: lastAt?.toISOString() ?? null, problem }),
    make: () => make(),
    get copying() {
      return copying;
    },
    async stop() {
      await abandon();
      await make(LARGEST_AT_STOP_BYTES);
    },
    abandon,
    close: () => closeSync(handle),
  };
}
