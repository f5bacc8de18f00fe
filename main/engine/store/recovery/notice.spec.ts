/** The exact notices of a recovery for a person, and the cases without one. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDataFolder, fillJobs, noise, range, waitingSeqs } from '../../../../test/support/disk/dataFolder.ts';
import type { DataFolder } from '../../../../test/support/disk/dataFolder.ts';
import { listBackups } from '../sqlite/backups.ts';

let folder: DataFolder;
let file: string;
beforeEach(() => {
  folder = createDataFolder();
  ({ file } = folder);
});
afterEach(() => folder[Symbol.dispose]());

const start = (): { database: DatabaseSync; notice: string | null } => {
  const { database, notices } = folder.start();
  expect(notices.length).toBeLessThanOrEqual(1);
  return { database, notice: notices[0] ?? null };
};
const DAMAGED = 'engine.db is damaged: file is not a database.';
const aside = (): string => `It was set aside as ${folder.asides()[0]}, in the same folder.`;
const NO_BACKUP = 'There was no backup to restore.';
const backupAt = (): string => `The backup of ${listBackups(folder.dir)[0]!.at.toISOString()} was restored.`;
const AS_THEN = 'Jobs, endpoints and keys may be as they were then: a job that has ended since may run again.';
const NOTHING_READ = 'Nothing could be read from the damaged file.';
const rowsRead = (rows: number): string => `${rows} rows could be read from the damaged file and were kept.`;
const EMPTY = 'Hangar starts empty.';
/** Expects these sentences in the notice, after the path in its first words. */
const expectNotice = (notice: string | null, ...sentences: string[]): void =>
  expect(notice?.replace(`${folder.dir}/`, '')).toBe(sentences.join(' '));
const count = (database: DatabaseSync, from: string): number =>
  Number(database.prepare(`SELECT count(*) AS n FROM ${from}`).get()!.n);

describe('the notice of a recovery', () => {
  test('says of a file that was read whole what was set aside, and of nothing that it was lost', () => {
    const first = start();
    fillJobs(first.database, 1, 40);
    first.database.close();
    folder.damage(0, noise);
    expectNotice(start().notice, DAMAGED, aside(), NO_BACKUP, rowsRead(80));
  });

  test('of a file that was read whole beside a backup does not say that jobs may be as they were then', async () => {
    const first = start();
    fillJobs(first.database, 1, 40);
    await folder.backUp(first.database);
    folder.damage(0, noise);
    expectNotice(start().notice, DAMAGED, aside(), backupAt(), rowsRead(80));
  });

  test('names the tables that were not read whole, and says that jobs may be as they were at the backup', async () => {
    const first = start();
    fillJobs(first.database, 1, 400);
    await folder.backUp(first.database);
    folder.damageTables({ job: [2], body: [3, 4] });
    const { notice, database } = start();
    expect(waitingSeqs(database)).toEqual(range(1, 400));
    const [damage, ...others] = notice!.split(/(?<=\.) (?=[A-Z0-9])/);
    expect(damage).toMatch(/engine\.db is damaged: .+\.$/);
    expect(others).toEqual([
      aside(),
      backupAt(),
      expect.stringMatching(/^\d+ rows could be read/),
      'Not everything could be read of: job, body.',
      AS_THEN,
    ]);
  });

  test('says of how many waiting jobs the input is lost, and of how many others the output', () => {
    const { database: first } = start();
    fillJobs(first, 1, 60);
    first.exec(`
      INSERT INTO output (seq, text) SELECT seq, '${'y'.repeat(500)}' FROM job WHERE seq <= 30;
      UPDATE job SET status = 2, has_output = 1 WHERE seq <= 30;
      UPDATE job SET status = 1 WHERE seq = 60;
      -- Files of their own: those are not damaged.
      INSERT INTO stored_text (seq, part, file, bytes, sealed) VALUES (1, 1, 'an-output', 9, 0), (2, 0, 'a-body', 9, 0);
      INSERT INTO stored_text (seq, part, file, bytes, sealed) VALUES (31, 0, 'a-body', 9, 0), (32, 1, 'an-output', 9, 0);
    `);
    first.close();
    folder.damageTables({ body: 'all', output: 'all' });
    const { database, notice } = start();
    expect(notice).toContain('29 waiting jobs have lost their input and are failed. 29 finished jobs have lost their');
    expect(notice).toMatch(/ 29 finished jobs have lost their output\.$/);
    expect(waitingSeqs(database)).toEqual([31]);
    expect(count(database, 'job WHERE status = 2')).toBe(30);
    expect(database.prepare('SELECT seq FROM job WHERE has_output = 1').all()).toEqual([{ seq: 1 }]);
    const failed = database.prepare('SELECT DISTINCT error, finished_at FROM job WHERE status = 3').all();
    expect(failed).toEqual([
      {
        error: 'Its input was lost when the database was damaged. Submit the job again.',
        finished_at: expect.any(Number) as number,
      },
    ]);
    expect(count(database, `job WHERE status = 3 AND finished_at > ${Date.UTC(2030, 0, 1)}`)).toBe(29);
  });

  test('of a file that cannot be read at all says that Hangar starts empty, or what was restored', async () => {
    const destroy = (): void => writeFileSync(file, Buffer.concat(Array.from({ length: 20 }, () => noise)));
    start().database.close();
    destroy();
    const first = start();
    expectNotice(first.notice, DAMAGED, aside(), NO_BACKUP, NOTHING_READ, EMPTY);
    fillJobs(first.database, 1, 5);
    await folder.backUp(first.database);
    for (const name of folder.asides()) rmSync(join(folder.dir, name));
    destroy();
    expectNotice(start().notice, DAMAGED, aside(), backupAt(), NOTHING_READ, AS_THEN);
  });
});

test('the notice of a file in which no table has a row names no table', () => {
  start().database.close();
  folder.damageTables({ chunk: 'all' });
  expect(start().notice).toContain(` ${aside()} ${NO_BACKUP} ${NOTHING_READ} ${EMPTY}`);
});

describe('a file that is missing', () => {
  const MISSING = 'engine.db is missing, though it was not before.';

  test.each([
    ['missing', () => undefined],
    ['empty', () => writeFileSync(file, '')],
    ['empty, with an empty log', () => [file, `${file}-wal`].forEach((name) => writeFileSync(name, ''))],
  ])('or empty, with nothing beside it, is a first start without a notice: %s', (_what, prepare) => {
    prepare();
    expect(start().notice).toBeNull();
    expect(folder.asides()).toEqual([]);
  });

  test('while its log is there is not taken for a first start, and the log is kept', () => {
    const first = start();
    fillJobs(first.database, 1, 5);
    copyFileSync(`${file}-wal`, join(folder.dir, 'copy'));
    first.database.close();
    rmSync(file);
    copyFileSync(join(folder.dir, 'copy'), `${file}-wal`);
    const log = readFileSync(`${file}-wal`);
    expect(log.length).toBeGreaterThan(0);
    const { notice, database } = start();
    const [name] = folder.asides();
    expectNotice(notice, MISSING, `Its log was set aside as ${name}, in the same folder.`, NO_BACKUP, EMPTY);
    expect(readFileSync(join(folder.dir, name!)).equals(log)).toBe(true);
    expect(waitingSeqs(database)).toEqual([]);
  });

  test('is not said to be set aside, nor to be damaged', async () => {
    const first = start();
    fillJobs(first.database, 1, 5);
    await folder.backUp(first.database);
    rmSync(file);
    expectNotice(start().notice, MISSING, backupAt(), AS_THEN);
    expect(folder.asides()).toEqual([]);
  });

  test('but empty, beside a backup, is called empty and set aside', async () => {
    await folder.backUp(start().database);
    writeFileSync(file, '');
    const { notice } = start();
    expectNotice(notice, 'engine.db is empty, though it was not before.', aside(), backupAt(), NOTHING_READ, AS_THEN);
  });
});
