/** Copies of the database that a damaged one is restored from: made while running, at a clean stop, and before a migration. */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../domain/core/ports.ts';
import { makeFolder, moveIntoPlace } from './fsync.ts';
import { sqlite } from './writeHealth.ts';

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 60 * 60_000;
/** Generations kept, and apart from them copies from before a migration. */
const KEPT = 2;
const KEPT_BEFORE_MIGRATION = 1;
/** A larger file is neither copied nor checked as a whole: that would keep the disk busy for long, and needs as much room again. */
const LARGEST_BYTES = 1024 * 1024 * 1024;
/** A stop waits for no larger copy than this; the last one made while running then has to do. */
const LARGEST_AT_STOP_BYTES = 64 * 1024 * 1024;
/** Room that must be left beside the copy. */
const MARGIN_BYTES = 64 * 1024 * 1024;
const PART_BYTES = 1024 * 1024;
/** SQLite's own setting: pages in the log before they go to the file. */
const CHECKPOINT_PAGES = 1000;

const readPart = promisify(read);

const folderOf = (dataDir: string): string => join(dataDir, 'backups');

/** A moment as part of a file name, in an order that names can be sorted by. */
export const timeStamp = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '-');

const NAME = /^engine-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z(-schema\d+)?\.db$/;

interface Backup {
  file: string;
  at: Date;
  beforeMigration: boolean;
}

/** Every whole backup, newest first. */
export function listBackups(dataDir: string): Backup[] {
  const folder = folderOf(dataDir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => {
      const [, day, hour, minute, second, ms, schema] = NAME.exec(name) ?? [];
      if (day === undefined) return [];
      const at = new Date(`${day}T${hour}:${minute}:${second}.${ms}Z`);
      return [{ file: join(folder, name), at, beforeMigration: schema !== undefined }];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime());
}

function prune(dataDir: string): void {
  const backups = listBackups(dataDir);
  const old = [
    ...backups.filter(({ beforeMigration }) => !beforeMigration).slice(KEPT),
    ...backups.filter(({ beforeMigration }) => beforeMigration).slice(KEPT_BEFORE_MIGRATION),
  ];
  for (const { file } of old) rmSync(file, { force: true });
}

/** Keeps a copy of the file as it is, before the schema's next steps are taken. Throws when that cannot be done. */
export function copyBeforeMigration(database: DatabaseSync, dataDir: string, version: number): void {
  const folder = folderOf(dataDir);
  makeFolder(folder);
  const file = join(folder, `engine-${timeStamp(Date.now())}-schema${version}.db`);
  const part = `${file}.part`;
  rmSync(part, { force: true });
  database.prepare('VACUUM INTO ?').run(part);
  moveIntoPlace(part, file);
  prune(dataDir);
}

/** In a thread, as text: the program is one file when it is built, and has no second one to start a thread from. */
const CHECK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const told = [];
  try {
    const database = new DatabaseSync(workerData);
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    for (const row of database.prepare('PRAGMA quick_check(3)').all()) told.push(row.quick_check);
    database.close();
  } catch (error) {
    told.push(error.message);
  }
  parentPort.postMessage(told.join('; '));
`;

/** The damage that a check finds in a database file; null when it is sound. Runs in a thread of its own. */
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

/** The same check in this thread: for a small file, while no request is served. */
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
    return (error as Error).message;
  } finally {
    database.close();
  }
}

export interface BackupFacts {
  /** When the newest backup was made (RFC 3339); null when there is none. */
  lastAt: string | null;
  /** Why there is none from lately; null when all is as it should be. */
  problem: string | null;
}

export interface Backups {
  facts(): BackupFacts;
  /** Makes one now if something has changed since the last. Never rejects. */
  make(): Promise<void>;
  /** Whether the file is being copied: then no page may move from the log to it. */
  readonly copying: boolean;
  /** Waits for a copy under way, and makes the last one. Call `close` after the database was closed. */
  stop(): Promise<void>;
  /** As `stop`, without a last one. */
  abandon(): Promise<void>;
  close(): void;
}

export interface BackupsOptions {
  database: DatabaseSync;
  dataDir: string;
  file: string;
  logger: Logger;
  now: () => number;
  /** The copy, and so the file, is damaged. */
  onDamage: (error: Error) => void;
}

/** Backs the file up a minute after the start and then every hour, when something has changed. */
export function createBackups({ database, dataDir, file, logger, now, onDamage }: BackupsOptions): Backups {
  const folder = folderOf(dataDir);
  // Held as long as the database is open: closing any handle of a file gives up this process's locks on it.
  const handle = openSync(file, 'r');
  const changesNow = database.prepare('SELECT total_changes() AS count');
  const changes = (): number => (changesNow.get() as { count: number }).count;
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

  /** The file as it is now, while writes go on into the log. */
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
    if (size > largestBytes) return `the file is larger than ${largestBytes / 1024 / 1024} MB`;
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize < size + MARGIN_BYTES ? 'there is not enough room on the disk' : null;
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
