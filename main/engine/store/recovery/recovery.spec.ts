/** Recovery from a damaged database: nothing is overwritten, readable data is restored, and a person is informed. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import {
  createDataFolder,
  fillJobs,
  noise,
  PAGE_BYTES,
  range,
  setMeta,
  waitingSeqs,
  type DataFolder,
} from '../../../../test/support/disk/dataFolder.ts';
import { createBackups, listBackups } from '../sqlite/backups.ts';
import { DataUnreadableError, openDatabase } from '../sqlite/database.ts';
import { migrations } from '../sqlite/migrations/index.ts';

let folder: DataFolder;
let dir: string;
let file: string;

beforeEach(() => {
  folder = createDataFolder();
  ({ dir, file } = folder);
});
afterEach(() => folder[Symbol.dispose]());

const start = () => folder.start();

const metaOf = (database: DatabaseSync): Record<string, unknown> =>
  Object.fromEntries(
    database
      .prepare("SELECT name, value FROM meta WHERE name <> 'recovery-notice'")
      .all()
      .map(({ name, value }) => [String(name), value]),
  );

describe('fault 11: a damaged database', () => {
  test('with its header overwritten: everything is read out of it, and the damaged file is kept', () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    setMeta(first.database, 'settings', '{}');
    first.database.close();
    folder.damage(0, noise);
    const before = readFileSync(file);
    const { database, notices } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 400));
    expect(metaOf(database)).toEqual({ settings: '{}' });
    expect(notices).toEqual([expect.stringMatching(/damaged.*set aside as engine\.db\.damaged-/)]);
    const [aside] = folder.asides();
    expect(readFileSync(join(dir, aside!)).equals(before)).toBe(true);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  test('with pages in the middle overwritten: only the rows of those pages come from the backup', async () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    first.database.prepare("UPDATE job SET id = 'as it was at the backup'").run();
    await folder.backUp(first.database);
    const second = start();
    second.database.prepare("UPDATE job SET id = 'newer'").run();
    fillJobs(second.database, 401, 600);
    second.database.close();
    const pages = folder.leafPages('job');
    expect(pages.length).toBeGreaterThan(5);
    folder.damageTables({ job: [2] });
    const { database, notices } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 600));
    const old = database.prepare("SELECT count(*) AS count FROM job WHERE id = 'as it was at the backup'").get();
    expect(Number(old!.count)).toBeGreaterThan(0);
    expect(Number(old!.count)).toBeLessThan(150);
    expect(notices[0]).toMatch(/backup of 2030-01-01T.*was restored.*Not everything could be read of: job/);
  });

  test('with a page that ends early, which reads without an error: its rows come from the backup', async () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    await folder.backUp(first.database);
    const [page = 0] = folder.leafPages('job').slice(2);
    // The number of rows of the page.
    folder.damage((page - 1) * PAGE_BYTES + 3, Buffer.of(0, 1));
    const { database, notices } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 400));
    expect(notices[0]).toContain('Not everything could be read of: job');
  });

  test('brings jobs back that were deleted since the backup with their input, where it cannot be read which were', async () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    await folder.backUp(first.database);
    const second = start();
    for (const table of ['body', 'job']) second.database.prepare(`DELETE FROM ${table} WHERE seq > 300`).run();
    second.database.close();
    folder.damageTables({ job: 'all' });
    const { database } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 400));
  });

  test('truncated: what is left is read, the rest comes from the backup', async () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    await folder.backUp(first.database);
    truncateSync(file, Math.floor(statSync(file).size / 2 / PAGE_BYTES) * PAGE_BYTES);
    const { database } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 400));
  });

  test.each([
    ['empty', () => writeFileSync(file, '')],
    ['missing', () => rmSync(file)],
    ['noise from end to end', () => writeFileSync(file, Buffer.concat(Array.from({ length: 20 }, () => noise)))],
  ])('%s: the backup is restored', async (_what, destroy) => {
    const first = start();
    fillJobs(first.database, 1, 50);
    await folder.backUp(first.database);
    destroy();
    const { database, notices } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 50));
    expect(notices[0]).toMatch(/The backup of .* was restored\./);
  });

  test('beyond reading and without a backup: it is kept, and the empty start is told', () => {
    start().database.close();
    writeFileSync(file, Buffer.concat(Array.from({ length: 20 }, () => noise)));
    const { database, notices } = start();
    expect(waitingSeqs(database)).toEqual([]);
    expect(folder.asides()).toHaveLength(1);
    expect(notices[0]).toMatch(/no backup.*Nothing could be read.*starts empty/);
  });

  test('a record that was deleted since the backup does not come back where its table can be read', async () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    setMeta(first.database, 'revoked', 'yes');
    await folder.backUp(first.database);
    const second = start();
    second.database.exec("DELETE FROM meta WHERE name = 'revoked'");
    second.database.close();
    folder.damageTables({ body: [3] });
    const { database } = start();
    expect(metaOf(database)).toEqual({});
    expect(waitingSeqs(database)).toEqual(range(1, 400));
  });

  test('a waiting job whose input is lost fails with the reason, and no row is left half', () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    first.database.close();
    folder.damageTables({ body: [3] });
    const { database, notices } = start();
    const failed = database.prepare('SELECT seq, error FROM job WHERE status = 3').all();
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length + waitingSeqs(database).length).toBe(400);
    expect(failed[0]!.error).toMatch(/input was lost/);
    expect(notices[0]).toContain(`${failed.length} waiting jobs have lost their input`);
    expect(database.prepare('SELECT count(*) AS n FROM body WHERE seq NOT IN (SELECT seq FROM job)').get()).toEqual({
      n: 0,
    });
  });

  test('garbage in the log is ignored, and every committed row is there', () => {
    const first = start();
    fillJobs(first.database, 1, 50);
    first.database.close();
    writeFileSync(`${file}-wal`, noise);
    const { database, notices } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 50));
    expect(notices).toEqual([]);
  });

  test('a damaged backup is passed over for an older one', async () => {
    const first = start();
    fillJobs(first.database, 1, 50);
    await folder.backUp(first.database);
    const second = start();
    fillJobs(second.database, 51, 60);
    await folder.backUp(second.database);
    const [newest, older] = listBackups(dir);
    expect(older).toBeDefined();
    writeFileSync(newest!.file, noise);
    rmSync(file);
    expect(waitingSeqs(start().database)).toEqual(range(1, 50));
  });

  test('a recovery that was cut off after its last step but one is finished by the next start', () => {
    const first = start();
    fillJobs(first.database, 1, 50);
    first.database.close();
    writeFileSync(join(dir, 'engine.db.recovered-X'), readFileSync(file));
    writeFileSync(file, noise);
    writeFileSync(`${file}-wal`, 'the log of the damaged one');
    const { database } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 50));
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
    second.noticesShown();
    second.database.close();
    expect(start().notices).toEqual([]);
  });
});

describe('backups', () => {
  test('two are kept, none is made when nothing has changed, and writes go on meanwhile', async () => {
    for (let round = 0; round < 3; round++) {
      const { database } = start();
      fillJobs(database, round * 10 + 1, round * 10 + 10);
      await folder.backUp(database);
    }
    const made = listBackups(dir).map(({ file: name }) => name);
    expect(made).toHaveLength(2);
    await folder.backUp(start().database);
    expect(listBackups(dir).map(({ file: name }) => name)).toEqual(made);

    const { database } = start();
    const backups = createBackups({
      database,
      dataDir: dir,
      file,
      logger: silentLogger,
      now: folder.now,
      onDamage: () => undefined,
    });
    fillJobs(database, 31, 40);
    let over = false;
    const making = backups.make().then(() => (over = true));
    // The copy takes several turns of the event loop, and may take less than a millisecond.
    while (!backups.copying && !over) await new Promise(setImmediate);
    expect(backups.copying).toBe(true);
    fillJobs(database, 41, 2000);
    await making;
    await backups.abandon();
    database.close();
    backups.close();
    writeFileSync(file, '');
    // The log contains the writes during the copy, and stays with the damaged file.
    rmSync(`${file}-wal`, { force: true });
    expect(waitingSeqs(start().database)).toEqual(range(1, 40));
  });

  test('damage that is met while copying spoils no backup and is told', async () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    await folder.backUp(first.database);
    const made = listBackups(dir);
    const pages = folder.leafPages('job');
    const { database } = start();
    setMeta(database, 'a', 'change');
    folder.damage((pages[2]! - 1) * PAGE_BYTES, noise);
    expect(await folder.tryToBackUp(database)).toHaveLength(1);
    expect(listBackups(dir)).toEqual(made);
    expect(existsSync(join(dir, 'backups', 'engine.part'))).toBe(false);
  });
});

describe('fault 33: the schema', () => {
  test('a migration that fails half-way changes nothing, and the file from before is kept', () => {
    const first = start();
    fillJobs(first.database, 1, 50);
    first.database.close();
    const good = 'ALTER TABLE job ADD COLUMN colour TEXT';
    const bad = 'CREATE TABLE other (a); INSERT INTO nowhere VALUES (1)';
    expect(() => openDatabase(dir, { steps: [...migrations, `${good}; ${bad}`] })).toThrow(/nowhere/);
    const { database } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 50));
    expect(database.prepare('PRAGMA table_info(job)').all()).not.toContainEqual(
      expect.objectContaining({ name: 'colour' }),
    );
    database.close();
    openDatabase(dir, { steps: [...migrations, good] }).close();
    const copies = listBackups(dir).filter(({ kind }) => kind === 'migration');
    expect(copies).toHaveLength(1);
    expect(() => start()).toThrow(DataUnreadableError);
    expect(() => start()).toThrow(/newer Hangar.*Nothing was changed/);
    writeFileSync(file, readFileSync(copies[0]!.file));
    expect(waitingSeqs(start().database)).toEqual(range(1, 50));
  });
});
