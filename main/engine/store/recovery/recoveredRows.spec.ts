/** The backup that a recovery uses, the rows that it keeps, and when a start checks for damage. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDataFolder, fillJobs, noise, range, waitingSeqs } from '../../../../test/support/disk/dataFolder.ts';
import type { DataFolder } from '../../../../test/support/disk/dataFolder.ts';
import { listBackups } from '../sqlite/backups.ts';
import { DataUnreadableError, openDatabase } from '../sqlite/database.ts';
import { migrations, type Migration } from '../sqlite/migrations/index.ts';
import { noteSuspect } from './recovery.ts';
import { sqlite } from '../sqlite/writeHealth.ts';

let folder: DataFolder;
let dir: string;
let file: string;
beforeEach(() => {
  folder = createDataFolder();
  ({ dir, file } = folder);
});
afterEach(() => folder[Symbol.dispose]());

describe('a backup that cannot be restored', () => {
  /** An older backup with 10 jobs, and a newer one with 20. */
  async function backUpTwice(steps: readonly Migration[] = migrations): Promise<void> {
    const first = folder.start().database;
    fillJobs(first, 1, 10);
    await folder.backUp(first);
    const second = folder.start({ steps }).database;
    fillJobs(second, 11, 20);
    await folder.backUp(second);
  }

  test('because a newer Hangar has written it is not passed over for an older one', async () => {
    await backUpTwice([...migrations, 'CREATE TABLE later (a)']);
    rmSync(file);
    const backups = listBackups(dir);
    const newest = backups[0]!;
    const starting = (): unknown => folder.start();
    expect(starting).toThrow(DataUnreadableError);
    expect(starting).toThrow(`The backup ${newest.file} cannot be restored.`);
    expect(starting).toThrow(/newer Hangar.*Use that version/);
    expect(listBackups(dir)).toEqual(backups);
    expect(existsSync(file)).toBe(false);
    // The newer version restores it.
    const { database } = folder.start({ steps: [...migrations, 'CREATE TABLE later (a)'] });
    expect(waitingSeqs(database)).toEqual(range(1, 20));
  });

  test('because the disk is full stays the one to restore', async () => {
    await backUpTwice();
    writeFileSync(file, noise);
    let opened = 0;
    const failing = (): never => {
      opened++;
      throw Object.assign(new Error('database or disk is full'), { errcode: sqlite.FULL });
    };
    expect(() => folder.start({ steps: [...migrations, failing] })).toThrow('database or disk is full');
    expect(opened).toBe(1);
    expect(readFileSync(file).equals(noise)).toBe(true);
    expect(folder.asides()).toEqual([]);
    expect(waitingSeqs(folder.start().database)).toEqual(range(1, 20));
    expect(existsSync(join(dir, 'recovering'))).toBe(false);
  });

  test('because each is damaged leaves what can be read of the file', async () => {
    await backUpTwice();
    for (const backup of listBackups(dir)) writeFileSync(backup.file, noise);
    folder.damage(0, noise);
    const { database, notices } = folder.start();
    expect(waitingSeqs(database)).toEqual(range(1, 20));
    expect(notices[0]).toContain('There was no backup to restore.');
  });
});

const count = (database: DatabaseSync, from: string): number =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${from}`).get()!.n);

describe('of a damaged file', () => {
  test('what only its log holds is kept', () => {
    const { database: first } = folder.start();
    fillJobs(first, 1, 5);
    first.close();
    const { database: second } = folder.start();
    second.exec("UPDATE job SET id = 'newer' WHERE seq = 1");
    const [log, main] = [readFileSync(`${file}-wal`), readFileSync(file)];
    second.close();
    // The files are as after a crash.
    writeFileSync(file, main);
    writeFileSync(`${file}-wal`, log);
    folder.damage(0, noise);
    const { database } = folder.start();
    expect(database.prepare('SELECT id FROM job ORDER BY seq LIMIT 2').all()).toEqual([
      { id: 'newer' },
      { id: 'job-2' },
    ]);
  });

  test('nothing is kept that belongs to a job or a series that is lost', () => {
    const { database: first } = folder.start();
    fillJobs(first, 1, 5);
    first.exec(`
      INSERT INTO output (seq, text) SELECT seq, 'o' FROM job;
      INSERT INTO chunk (seq, text) SELECT seq, 'c' FROM job;
      INSERT INTO stored_text (seq, part, file, bytes, sealed) SELECT seq, 1, 'f', 1, 0 FROM job;
      INSERT INTO usage_series (kind, resource, template, image, gpu_type) VALUES (0, 'r', '', '', 'CPU');
      INSERT INTO usage_hour (series, hour, worker, ms, gb, amount) SELECT id, 1, 'w', 1, 0, 1 FROM usage_series;
      INSERT INTO usage_worker_day (series, day, worker, ms, amount) SELECT id, 1, 'w', 1, 1 FROM usage_series;
      INSERT INTO usage_day (series, day, ms, gb, amount) SELECT id, 1, 1, 0, 1 FROM usage_series;
    `);
    first.close();
    folder.damageTables({ job: 'all', usage_series: 'all' });
    const { database, notices } = folder.start();
    const tables = ['job', 'body', 'output', 'chunk', 'stored_text'];
    const usage = ['usage_series', 'usage_hour', 'usage_worker_day', 'usage_day'];
    expect([...tables, ...usage].filter((table) => count(database, table) > 0)).toEqual([]);
    // The rows were readable but not needed.
    expect(notices[0]).toContain('23 rows could be read');
  });

  test('what belongs to a job or a series that could be read is kept', () => {
    const { database: first } = folder.start();
    fillJobs(first, 1, 5);
    first.exec(`
      UPDATE job SET has_output = 1;
      INSERT INTO output (seq, text) SELECT seq, 'o' FROM job;
      INSERT INTO chunk (seq, text) SELECT seq, 'c' FROM job;
      INSERT INTO usage_series (kind, resource, template, image, gpu_type) VALUES (0, 'r', '', '', 'CPU');
      INSERT INTO usage_day (series, day, ms, gb, amount) SELECT id, 1, 1, 0, 1 FROM usage_series;
    `);
    first.close();
    folder.damage(0, noise);
    const { database } = folder.start();
    expect(['job', 'body', 'output', 'chunk', 'usage_day'].map((table) => count(database, table))).toEqual([
      5, 5, 5, 5, 1,
    ]);
  });

  test.each([
    "id = x'00'",
    "endpoint = x'00'",
    "submitted_at = 'x'",
    "ttl = 'x'",
    "queued_at = 'x'",
    'status = 6',
    'status = -1',
  ])('a job whose row no engine has written is not kept: %s', (change) => {
    const { database: first } = folder.start();
    fillJobs(first, 1, 3);
    first.exec(`UPDATE job SET ${change} WHERE seq = 2`);
    first.close();
    folder.damage(0, noise);
    const { database } = folder.start();
    expect(database.prepare('SELECT seq FROM job ORDER BY seq').all()).toEqual([{ seq: 1 }, { seq: 3 }]);
    expect(count(database, 'body')).toBe(2);
  });

  test('a job of each status is kept', () => {
    const { database: first } = folder.start();
    fillJobs(first, 1, 6);
    first.exec('UPDATE job SET status = seq - 1');
    first.close();
    folder.damage(0, noise);
    expect(count(folder.start().database, 'job')).toBe(6);
  });
});

describe('a start', () => {
  test('after a failure of the file checks all of it, once', () => {
    folder.start().database.close();
    const checks: unknown[] = [];
    const open: typeof openDatabase = (dataDir, options) => {
      checks.push(options?.thorough);
      return openDatabase(dataDir, options);
    };
    folder.start({ open }).database.close();
    noteSuspect(dir, 'the disk failed');
    folder.start({ open }).database.close();
    folder.start({ open });
    expect(checks).toEqual([false, true, false]);
  });

  test('is not stopped by a folder in which no failure can be noted', () => {
    expect(() => noteSuspect(join(dir, 'missing'), 'the disk failed')).not.toThrow();
  });

  test('says that a recovery begins, and why, only where there is one', () => {
    const reasons: string[] = [];
    const onRecovery = (reason: string): void => void reasons.push(reason);
    folder.start({ onRecovery }).database.close();
    expect(reasons).toEqual([]);
    folder.damage(0, noise);
    folder.start({ onRecovery }).database.close();
    expect(reasons).toEqual([`${file} is damaged: file is not a database.`]);
    folder.start({ onRecovery });
    expect(reasons).toHaveLength(1);
  });

  test('makes its folder where there is none', () => {
    rmSync(dir, { recursive: true });
    expect(waitingSeqs(folder.start().database)).toEqual([]);
  });
});
