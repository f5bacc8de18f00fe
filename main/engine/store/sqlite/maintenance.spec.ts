/** The disk space of finished jobs. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/support/core/until.ts';
import { databaseFile, openDatabase } from './database.ts';
import { createUpkeep } from './maintenance.ts';

const ROWS = 3000;
let dir: string;
let database: DatabaseSync;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-upkeep-'));
  database = openDatabase(dir);
});
afterEach(() => {
  database.close();
  rmSync(dir, { recursive: true });
});

function fill(): void {
  const insert = database.prepare('INSERT INTO body (content) VALUES (?)');
  database.exec('BEGIN');
  for (let row = 0; row < ROWS; row++) insert.run('x'.repeat(6000));
  database.exec('COMMIT');
}
const pages = (): number => Number(database.prepare('PRAGMA page_count').get()!.page_count);
const bytes = (end = ''): number => statSync(databaseFile(dir) + end).size;

test('room that jobs have left is used again before the file grows', () => {
  fill();
  const before = pages();
  for (let round = 0; round < 3; round++) {
    database.exec('DELETE FROM body');
    fill();
  }
  expect(pages()).toBeLessThan(before * 1.05);
});

test('when nobody writes, most of it goes back to the disk, and the log is emptied', async () => {
  fill();
  database.exec('DELETE FROM body');
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  const before = bytes();
  let busy = true;
  const upkeep = createUpkeep({ database, mustWait: () => busy, idleMs: 10 });
  upkeep.noteWrite();
  expect(bytes('-wal')).toBeGreaterThan(0);
  busy = false;
  await until('the log to be emptied', () => bytes('-wal'), 0);
  expect(bytes()).toBeLessThan(before / 3);
  upkeep.stop();
});

test('a log that grew while the file was copied is short again once it is used anew', () => {
  database.exec('PRAGMA wal_autocheckpoint = 0');
  fill();
  const grown = bytes('-wal');
  database.exec('PRAGMA wal_autocheckpoint = 1000');
  database.exec('INSERT INTO body (content) VALUES (1)');
  database.exec('INSERT INTO body (content) VALUES (2)');
  expect(bytes('-wal')).toBeLessThan(grown / 2);
});
