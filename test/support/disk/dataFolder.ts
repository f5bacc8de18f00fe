/** A data folder whose database can be filled, damaged and opened again, for specs of the recovery. */
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createBackups } from '../../../main/engine/store/sqlite/backups.ts';
import { databaseFile, openDatabase } from '../../../main/engine/store/sqlite/database.ts';
import { openOrRecover, type Opened, type OpenStoreOptions } from '../../../main/engine/store/recovery/recovery.ts';
import { silentLogger } from '../core/fakes.ts';

export const PAGE_BYTES = 4096;
/** A page that SQLite cannot read. */
export const noise = Buffer.alloc(PAGE_BYTES, 'not what was written here. ');

export interface DataFolder extends Disposable {
  readonly dir: string;
  /** The database's path. */
  readonly file: string;
  /** A second later each time, from the beginning of 2030 on. */
  now(): number;
  /** Opens the database as an engine does; it is closed at the end of the test, where it is not before. */
  start(over?: Partial<OpenStoreOptions>): Opened;
  /** Backs up at a stop, as an engine does; returns the damage that was met. */
  tryToBackUp(database: DatabaseSync): Promise<Error[]>;
  /** The same; throws when damage was met. */
  backUp(database: DatabaseSync): Promise<void>;
  /** Writes over a piece of the closed file. */
  damage(at: number, content: Buffer): void;
  /** Numbers of the pages that hold the rows of a table, the first page being 1. The database must be closed. */
  leafPages(table: string): number[];
  /** Writes over such pages of each table: those at the given places, or all of them. */
  damageTables(tables: Readonly<Record<string, readonly number[] | 'all'>>): void;
  /** Names of the files that recoveries set aside. */
  asides(): string[];
}

export function createDataFolder(): DataFolder {
  const dir = mkdtempSync(join(tmpdir(), 'hangar-recovery-'));
  const file = databaseFile(dir);
  const open: DatabaseSync[] = [];
  let time = Date.UTC(2030, 0, 1);
  const now = (): number => (time += 1000);

  async function tryToBackUp(database: DatabaseSync): Promise<Error[]> {
    const faults: Error[] = [];
    const backups = createBackups({
      database,
      dataDir: dir,
      file,
      logger: silentLogger,
      now,
      onDamage: (error) => faults.push(error),
    });
    await backups.stop();
    database.close();
    backups.close();
    return faults;
  }

  function damage(at: number, content: Buffer): void {
    const handle = openSync(file, 'r+');
    writeSync(handle, content, 0, content.length, at);
    closeSync(handle);
  }

  function leafPages(table: string): number[] {
    const database = openDatabase(dir);
    const pages = database
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
      .all(table)
      .map(({ pageno }) => Number(pageno));
    database.close();
    return pages;
  }

  return {
    dir,
    file,
    now,
    tryToBackUp,
    damage,
    leafPages,
    start(over) {
      const opened = openOrRecover(dir, { logger: silentLogger, now, ...over });
      open.push(opened.database);
      return opened;
    },
    async backUp(database) {
      const [fault] = await tryToBackUp(database);
      if (fault) throw fault;
    },
    damageTables(tables) {
      const damaged = Object.entries(tables).flatMap(([table, places]) => {
        const pages = leafPages(table);
        return places === 'all' ? pages : places.map((place) => pages[place]!);
      });
      for (const page of damaged) damage((page - 1) * PAGE_BYTES, noise);
    },
    asides: () => readdirSync(dir).filter((name) => name.startsWith('engine.db.damaged-')),
    [Symbol.dispose]() {
      for (const database of open) if (database.isOpen) database.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** As many jobs as fill many pages, each with its body. */
export function fillJobs(database: DatabaseSync, fromSeq: number, toSeq: number): void {
  const job = database.prepare(
    `INSERT INTO job (seq, id, endpoint, submitted_at, retention, timeout, low_priority, ttl, status, queued_at, own_worker,
       has_output, retries, lost, chunks_read) VALUES (?, ?, 'ep', 1, 2, 3, 0, 4, 0, 5, 0, 0, 0, 0, 0)`,
  );
  const body = database.prepare('INSERT INTO body (seq, content) VALUES (?, ?)');
  database.exec('BEGIN');
  for (let seq = fromSeq; seq <= toSeq; seq++) {
    job.run(seq, `job-${seq}`);
    body.run(seq, `{"input":{"n":${seq},"text":"${'x'.repeat(500)}"}}`);
  }
  database.exec('COMMIT');
}

export const setMeta = (database: DatabaseSync, name: string, value: string): void =>
  void database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value);

/** The numbers of the jobs that wait. */
export const waitingSeqs = (database: DatabaseSync): number[] =>
  database
    .prepare('SELECT seq FROM job WHERE status = 0 ORDER BY seq')
    .all()
    .map(({ seq }) => Number(seq));

export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
