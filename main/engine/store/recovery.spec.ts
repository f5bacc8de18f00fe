/** What becomes of a damaged database: nothing is overwritten, what can be is restored, and a person is told. */
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../test/support/core/fakes.ts';
import { until } from '../../../test/support/core/until.ts';
import { createBackups, listBackups } from './backups.ts';
import { DataUnreadableError, databaseFile, openDatabase } from './database.ts';
import { migrations } from './migrations/index.ts';
import { openOrRecover } from './recovery.ts';

let dir: string;
let file: string;
let open: DatabaseSync[];
let now: number;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-recovery-'));
  file = databaseFile(dir);
  open = [];
  now = Date.UTC(2030, 0, 1);
});
afterEach(() => {
  for (const database of open) if (database.isOpen) database.close();
  rmSync(dir, { recursive: true });
});

const options = { logger: silentLogger, now: () => (now += 1000) };
function start() {
  const opened = openOrRecover(dir, options);
  open.push(opened.database);
  return opened;
}

/** As many jobs as fill many pages, each with its body, and some of the small records. */
function fill(database: DatabaseSync, fromSeq: number, toSeq: number): void {
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
const setMeta = (database: DatabaseSync, name: string, value: string): void =>
  void database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value);
const seqs = (database: DatabaseSync): number[] =>
  database
    .prepare('SELECT seq FROM job WHERE status = 0 ORDER BY seq')
    .all()
    .map(({ seq }) => Number(seq));
const metaOf = (database: DatabaseSync): Record<string, unknown> =>
  Object.fromEntries(
    database
      .prepare("SELECT name, value FROM meta WHERE name <> 'recovery-notice'")
      .all()
      .map(({ name, value }) => [String(name), value]),
  );
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Backs up at a stop, as an engine does; answers the damage that was met. */
async function tryToBackUp(database: DatabaseSync): Promise<Error[]> {
  const faults: Error[] = [];
  const backups = createBackups({
    ...{ database, dataDir: dir, file, logger: silentLogger, now: options.now },
    onDamage: (error) => faults.push(error),
  });
  await backups.stop();
  database.close();
  backups.close();
  return faults;
}

const backUp = async (database: DatabaseSync): Promise<void> => expect(await tryToBackUp(database)).toEqual([]);

/** Writes over a piece of the file. */
function damage(at: number, content: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, content, 0, content.length, at);
  closeSync(handle);
}
/** The pages that hold the rows of a table. */
function leafPages(table: string): number[] {
  const database = openDatabase(dir);
  const pages = database
    .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .all(table)
    .map(({ pageno }) => Number(pageno));
  database.close();
  return pages;
}
const PAGE = 4096;
const noise = Buffer.alloc(PAGE, 'not what was written here. ');
const asides = (): string[] => readdirSync(dir).filter((name) => name.startsWith('engine.db.damaged-'));

describe('fault 11: a damaged database', () => {
  test('with its header overwritten: everything is read out of it, and the damaged file is kept', () => {
    const first = start();
    fill(first.database, 1, 400);
    setMeta(first.database, 'settings', '{}');
    first.database.close();
    damage(0, noise);
    const before = readFileSync(file);
    const { database, notices } = start();
    expect(seqs(database)).toEqual(range(1, 400));
    expect(metaOf(database)).toEqual({ settings: '{}' });
    expect(notices).toEqual([expect.stringMatching(/damaged.*set aside as engine\.db\.damaged-/)]);
    const [aside] = asides();
    expect(readFileSync(join(dir, aside!)).equals(before)).toBe(true);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  test('with pages in the middle overwritten: only the rows of those pages come from the backup', async () => {
    const first = start();
    fill(first.database, 1, 400);
    first.database.prepare("UPDATE job SET id = 'as it was at the backup'").run();
    await backUp(first.database);
    const second = start();
    second.database.prepare("UPDATE job SET id = 'newer'").run();
    fill(second.database, 401, 600);
    second.database.close();
    const pages = leafPages('job');
    expect(pages.length).toBeGreaterThan(5);
    damage((pages[2]! - 1) * PAGE, noise);
    const { database, notices } = start();
    expect(seqs(database)).toEqual(range(1, 600));
    const old = database.prepare("SELECT count(*) AS count FROM job WHERE id = 'as it was at the backup'").get();
    expect(Number(old!.count)).toBeGreaterThan(0);
    expect(Number(old!.count)).toBeLessThan(150);
    expect(notices[0]).toMatch(/backup of 2030-01-01T.*was restored.*Not everything could be read of: job/);
  });

  test('truncated: what is left is read, the rest comes from the backup', async () => {
    const first = start();
    fill(first.database, 1, 400);
    await backUp(first.database);
    truncateSync(file, Math.floor(statSync(file).size / 2 / PAGE) * PAGE);
    const { database } = start();
    expect(seqs(database)).toEqual(range(1, 400));
  });

  test.each([
    ['empty', () => writeFileSync(file, '')],
    ['missing', () => rmSync(file)],
    ['noise from end to end', () => writeFileSync(file, Buffer.concat(Array.from({ length: 20 }, () => noise)))],
  ])('%s: the backup is restored', async (_what, destroy) => {
    const first = start();
    fill(first.database, 1, 50);
    await backUp(first.database);
    destroy();
    const { database, notices } = start();
    expect(seqs(database)).toEqual(range(1, 50));
    expect(notices[0]).toMatch(/The backup of .* was restored\. Nothing could be read/);
  });

  test('beyond reading and without a backup: it is kept, and the empty start is told', () => {
    start().database.close();
    writeFileSync(file, Buffer.concat(Array.from({ length: 20 }, () => noise)));
    const { database, notices } = start();
    expect(seqs(database)).toEqual([]);
    expect(asides()).toHaveLength(1);
    expect(notices[0]).toMatch(/no backup.*Nothing could be read.*starts empty/);
  });

  test('a record that was deleted since the backup does not come back where its table can be read', async () => {
    const first = start();
    fill(first.database, 1, 400);
    setMeta(first.database, 'revoked', 'yes');
    await backUp(first.database);
    const second = start();
    second.database.exec("DELETE FROM meta WHERE name = 'revoked'");
    second.database.close();
    damage((leafPages('body')[3]! - 1) * PAGE, noise);
    const { database } = start();
    expect(metaOf(database)).toEqual({});
    expect(seqs(database)).toEqual(range(1, 400));
  });

  test('a waiting job whose input is lost fails with the reason, and no row is left half', () => {
    const first = start();
    fill(first.database, 1, 400);
    first.database.close();
    damage((leafPages('body')[3]! - 1) * PAGE, noise);
    const { database, notices } = start();
    const failed = database.prepare('SELECT seq, error FROM job WHERE status = 3').all();
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length + seqs(database).length).toBe(400);
    expect(failed[0]!.error).toMatch(/input was lost/);
    expect(notices[0]).toContain(`${failed.length} waiting jobs have lost their input`);
    expect(database.prepare('SELECT count(*) AS n FROM body WHERE seq NOT IN (SELECT seq FROM job)').get()).toEqual({
      n: 0,
    });
  });

  test('garbage in the log is ignored, and every committed row is there', () => {
    const first = start();
    fill(first.database, 1, 50);
    first.database.close();
    writeFileSync(`${file}-wal`, noise);
    const { database, notices } = start();
    expect(seqs(database)).toEqual(range(1, 50));
    expect(notices).toEqual([]);
  });

  test('a damaged backup is passed over for an older one', async () => {
    const first = start();
    fill(first.database, 1, 50);
    await backUp(first.database);
    const second = start();
    fill(second.database, 51, 60);
    await backUp(second.database);
    const [newest, older] = listBackups(dir);
    expect(older).toBeDefined();
    writeFileSync(newest!.file, noise);
    rmSync(file);
    expect(seqs(start().database)).toEqual(range(1, 50));
  });

  test('a recovery that was cut off after its last step but one is finished by the next start', () => {
    const first = start();
    fill(first.database, 1, 50);
    first.database.close();
    writeFileSync(join(dir, 'engine.db.recovered-X'), readFileSync(file));
    writeFileSync(file, noise);
    writeFileSync(`${file}-wal`, 'the log of the damaged one');
    const { database } = start();
    expect(seqs(database)).toEqual(range(1, 50));
    expect(readFileSync(`${file}.damaged-X-wal`, 'utf8')).toBe('the log of the damaged one');
    expect(readdirSync(dir).sort()).not.toContain('recovering');
  });

  test('the notice is told until somebody was told', () => {
    start().database.close();
    writeFileSync(file, noise);
    const first = start();
    expect(first.notices).toHaveLength(1);
    first.database.close();
    const second = start();
    expect(second.notices).toEqual(first.notices);
    second.told();
    second.database.close();
    expect(start().notices).toEqual([]);
  });
});

describe('backups', () => {
  test('two are kept, none is made when nothing has changed, and writes go on meanwhile', async () => {
    for (let round = 0; round < 3; round++) {
      const { database } = start();
      fill(database, round * 10 + 1, round * 10 + 10);
      await backUp(database);
    }
    const made = listBackups(dir).map(({ file: name }) => name);
    expect(made).toHaveLength(2);
    await backUp(start().database);
    expect(listBackups(dir).map(({ file: name }) => name)).toEqual(made);

    const { database } = start();
    const backups = createBackups({
      ...{ database, dataDir: dir, file, logger: silentLogger, now: options.now },
      onDamage: () => undefined,
    });
    fill(database, 31, 40);
    const making = backups.make();
    await until('the copy to begin', () => backups.copying, { everyMs: 0 });
    fill(database, 41, 2000);
    await making;
    await backups.abandon();
    database.close();
    backups.close();
    writeFileSync(file, '');
    // What was written while it was copied is in the log, which stays with the damaged file.
    rmSync(`${file}-wal`, { force: true });
    expect(seqs(start().database)).toEqual(range(1, 40));
  });

  test('damage that is met while copying spoils no backup and is told', async () => {
    const first = start();
    fill(first.database, 1, 400);
    await backUp(first.database);
    const made = listBackups(dir);
    const pages = leafPages('job');
    const { database } = start();
    setMeta(database, 'a', 'change');
    damage((pages[2]! - 1) * PAGE, noise);
    expect(await tryToBackUp(database)).toHaveLength(1);
    expect(listBackups(dir)).toEqual(made);
    expect(existsSync(join(dir, 'backups', 'engine.part'))).toBe(false);
  });
});

describe('fault 33: the schema', () => {
  test('a migration that fails half-way changes nothing, and the file from before is kept', () => {
    const first = start();
    fill(first.database, 1, 50);
    first.database.close();
    const good = 'ALTER TABLE job ADD COLUMN colour TEXT';
    const bad = 'CREATE TABLE other (a); INSERT INTO nowhere VALUES (1)';
    expect(() => openDatabase(dir, { steps: [...migrations, `${good}; ${bad}`] })).toThrow(/nowhere/);
    const { database } = start();
    expect(seqs(database)).toEqual(range(1, 50));
    expect(database.prepare('PRAGMA table_info(job)').all()).not.toContainEqual(
      expect.objectContaining({ name: 'colour' }),
    );
    database.close();
    openDatabase(dir, { steps: [...migrations, good] }).close();
    const kept = listBackups(dir).filter(({ beforeMigration }) => beforeMigration);
    expect(kept).toHaveLength(1);
    expect(() => start()).toThrow(DataUnreadableError);
    expect(() => start()).toThrow(/newer Hangar.*Nothing was changed/);
    writeFileSync(file, readFileSync(kept[0]!.file));
    expect(seqs(start().database)).toEqual(range(1, 50));
  });
});
