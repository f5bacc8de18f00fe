/** Damages a database in many random places: the recovery keeps all data of the backup. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createDataFolder, fillJobs, noise, PAGE_BYTES, setMeta } from '../../../../test/support/disk/dataFolder.ts';
import { isFullTier, type Random } from '../../../../test/support/core/random.ts';
import { randomOfTest } from '../../../../test/support/core/randomOfTest.ts';

const CASES = isFullTier ? 300 : 24;
const SECTOR_BYTES = 512;
/** The position of the number of rows in a page. */
const ROW_COUNT = 3;

/** The filled tables, each with the columns that identify its rows. */
const keys = {
  job: 'seq, endpoint',
  body: 'seq',
  output: 'seq',
  chunk: 'row, seq',
  template: 'id',
  endpoint: 'id',
  api_key: 'id',
  meta: 'name',
  usage_series: 'id, resource',
  usage_hour: 'series, hour, worker',
} as const;

/** The rows of each table, by their keys. */
function rowsOf(database: DatabaseSync): string[] {
  return Object.entries(keys).flatMap(([table, columns]) =>
    database
      .prepare(`SELECT ${columns} FROM ${table}`)
      .all()
      .map((row) => `${table} ${JSON.stringify(Object.values(row))}`),
  );
}

function fill(database: DatabaseSync): void {
  fillJobs(database, 1, 300);
  setMeta(database, 'settings', '{}');
  database.exec(`
    UPDATE job SET status = 2, has_output = 1 WHERE seq % 3 = 0;
    INSERT INTO output (seq, text) SELECT seq, '"${'o'.repeat(200)}"' FROM job WHERE seq % 3 = 0;
    INSERT INTO chunk (row, seq, text) SELECT seq, seq, '"${'c'.repeat(300)}"' FROM job WHERE seq % 2 = 0;
    INSERT INTO usage_series (kind, resource, template, image, gpu_type) SELECT 0, id, '', '', 'CPU' FROM job LIMIT 40;
    INSERT INTO usage_hour (series, hour, worker, ms, gb, amount) SELECT s.id, j.seq, 'w', 1, 0, 1
      FROM usage_series s, job j WHERE j.seq <= 20;
  `);
  for (const table of ['template', 'endpoint']) {
    const insert = database.prepare(`INSERT INTO ${table} (id, record) VALUES (?, ?)`);
    for (let n = 0; n < 60; n++)
      insert.run(`${table}-${n}`, JSON.stringify({ id: `${table}-${n}`, text: 'r'.repeat(150) }));
  }
  const key = database.prepare('INSERT INTO api_key (id, digest, record) VALUES (?, ?, ?)');
  for (let n = 0; n < 60; n++) key.run(`key-${n}`, 'd'.repeat(64), JSON.stringify({ id: `key-${n}` }));
}

/** The kinds of damage: overwritten, emptied or misplaced pages and sectors, single bytes, a lost end. */
const damages: readonly ((content: Buffer, random: Random) => Buffer)[] = [
  (content, random) => written(content, pageAt(content, random), noise),
  (content, random) => written(content, pageAt(content, random), Buffer.alloc(PAGE_BYTES)),
  (content, random) => {
    const sector = random.below(content.length / SECTOR_BYTES) * SECTOR_BYTES;
    return written(content, sector, Buffer.alloc(SECTOR_BYTES));
  },
  (content, random) => {
    const from = pageAt(content, random);
    // An empty page in place of a table's root page looks like a table without rows.
    if (content.readUInt16BE(from + ROW_COUNT) === 0) return content;
    return written(content, pageAt(content, random), Buffer.from(content.subarray(from, from + PAGE_BYTES)));
  },
  // The header of a page: its type and the number of its rows.
  (content, random) => written(content, pageAt(content, random) + random.below(12), Buffer.of(random.below(256))),
  // The positions of the rows in the page. A wrong byte inside a row is invisible: SQLite has no checksums.
  (content, random) => written(content, pageAt(content, random) + random.below(32), Buffer.of(random.below(256))),
  (content, random) => content.subarray(0, content.length - random.below(content.length / PAGE_BYTES / 4) * PAGE_BYTES),
];

/** The start of a random page. */
const pageAt = (content: Buffer, random: Random): number => random.below(content.length / PAGE_BYTES) * PAGE_BYTES;

function written(content: Buffer, at: number, bytes: Buffer): Buffer {
  bytes.copy(content, at);
  return content;
}

test('No row of the backup is missing after a recovery, wherever the database was damaged', async () => {
  const random = randomOfTest();
  using folder = createDataFolder();
  const { file } = folder;
  const { database: first } = folder.start();
  fill(first);
  await folder.backUp(first);
  const { database: second } = folder.start();
  const backedUp = rowsOf(second);
  // Changes after the backup: more jobs, and progress of the others.
  fillJobs(second, 301, 340);
  second.exec("UPDATE job SET status = 3, error = 'x' WHERE seq % 5 = 0");
  second.close();
  const sound = readFileSync(file);
  let recoveries = 0;
  for (let n = 0; n < CASES; n++) {
    let content = Buffer.from(sound);
    const done: number[] = [];
    for (let left = 1 + random.below(8); left > 0; left--) {
      const kind = random.below(damages.length);
      done.push(kind);
      content = damages[kind]!(content, random) as Buffer<ArrayBuffer>;
    }
    writeFileSync(file, content);
    rmSync(`${file}-wal`, { force: true });
    const { database, notices } = folder.start();
    const now = new Set(rowsOf(database));
    database.close();
    for (const name of folder.asides()) rmSync(join(folder.dir, name));
    if (notices.length === 0) continue;
    recoveries++;
    const missing = backedUp.filter((row) => !now.has(row));
    expect
      .soft(
        missing.length > 4 ? [...missing.slice(0, 4), missing.length] : missing,
        `case ${n}, damages ${done.join()}: ${notices[0]}`,
      )
      .toEqual([]);
  }
  expect(recoveries).toBeGreaterThan(CASES / 2);
});
