/** Rules of the ledger, on real files. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { LedgerFilter } from '#contract/app/ledger.ts';
import { makeLedgerFile, type LedgerFile } from '../../../test/support/ledger/ledgerFile.ts';
import { matchingIds } from '../../../test/support/ledger/specLedger.ts';
import { MIGRATIONS } from './migrations.ts';
import { createLedger, LedgerInUseError, LedgerUnreadableError, type Ledger, type NewEntry } from './ledger.ts';

const logger = pino({ level: 'silent' });
let disk: LedgerFile;
let ledger: Ledger;

beforeEach(() => {
  disk = makeLedgerFile();
  ledger = disk.open();
});
afterEach(() => disk.remove());

/** As after a restart of the program. */
function reopen(): void {
  ledger = disk.open();
}

const fresh = (entryId: string, changes: Partial<NewEntry> = {}): NewEntry => ({
  entryId,
  accountId: 'this-machine',
  accountName: 'This computer',
  endpointId: 'e1',
  endpointName: 'words',
  mode: 'run',
  sentAt: 1000,
  ...changes,
});
const add = (entryId: string, changes?: Partial<NewEntry>, body = '{"input":{}}') =>
  ledger.add(fresh(entryId, changes), body);
const ids = (filter: LedgerFilter): string[] => matchingIds(ledger, filter);

describe('the ledger', () => {
  it('drops the chunks of a lost attempt, and numbers those of the next one from 0', async () => {
    add('a');
    await ledger.appendChunks('a', 5, ['"lost"', '"too"']);
    expect(ledger.restart('a', 1)).toMatchObject({ retries: 1, chunkCount: 0, outputBytes: 0 });
    await ledger.appendChunks('a', 6, ['"again"']);
    reopen();
    expect(ledger.chunks('a', 0, 10)).toEqual([{ index: 0, at: 6, text: '"again"' }]);
    expect(ledger.entry('a')).toMatchObject({ retries: 1, chunkCount: 1 });
  });

  it('has no times and no worker of a lost attempt, which the list of attempts keeps', () => {
    add('a');
    const moments = { workerStartedAt: 1010, pricePerHour: 0.5, startedAt: 1020, delayTime: 20, workerId: 'w-old' };
    ledger.update('a', { jobId: 'j1', status: 'IN_PROGRESS', ...moments });
    expect(ledger.restart('a', 1)).toMatchObject({
      workerStartedAt: null,
      pricePerHour: null,
      startedAt: null,
      delayTime: null,
      workerId: null,
    });
    expect(ledger.attempts('a')).toMatchObject([{ endedBy: 'lost', startedAt: 1020, workerId: 'w-old' }]);
  });

  it('keeps a job, its chunks and its output over a restart', async () => {
    add('a', {}, '{"input": {"n": 12345678901234567890}}');
    ledger.update('a', { jobId: 'j1', status: 'IN_PROGRESS' });
    await ledger.appendChunks('a', 5, ['{"x": 1}', '"two"']);
    await ledger.appendChunks('a', 6, ['3'], ['{"gpu":0.5}']);
    await ledger.finish('a', { status: 'COMPLETED', finishedAt: 7, executionTime: 2 }, '12345678901234567890');
    reopen();
    expect(ledger.detail('a')).toEqual({
      entry: {
        ...fresh('a'),
        jobId: 'j1',
        status: 'COMPLETED',
        workerStartedAt: null,
        pricePerHour: null,
        startedAt: null,
        finishedAt: 7,
        delayTime: null,
        executionTime: 2,
        workerId: null,
        retries: 0,
        chunkCount: 3,
        inputBytes: 38,
        outputBytes: 14 + 20,
        error: null,
        waiting: null,
        trouble: null,
        retryOf: null,
        webhookProblem: null,
        chunkGap: null,
        source: 'window',
        client: null,
        keyName: null,
        preview: 'n 12345678901234567000',
        tags: [],
        queuedAt: null,
      },
      body: '{"input": {"n": 12345678901234567890}}',
      output: '12345678901234567890',
    });
    expect(ledger.chunks('a', 1, 10)).toEqual([
      { index: 1, at: 5, text: '"two"' },
      { index: 2, at: 6, text: '3', metrics: '{"gpu":0.5}' },
    ]);
  });

  it('finds the newest entry of a job by the id of its service, without a search', () => {
    add('a');
    add('b');
    ledger.update('a', { jobId: 'j1' });
    ledger.update('b', { jobId: 'j1' });
    expect(ledger.findJob('j1')).toMatchObject({ entryId: 'b' });
    expect(ledger.findJob('j')).toBeUndefined();
    const plan = new DatabaseSync(join(disk.folder, 'plan.db'));
    for (const step of MIGRATIONS) plan.exec(step);
    const [row] = plan.prepare("EXPLAIN QUERY PLAN SELECT * FROM entries e WHERE e.job_id = 'j1'").all();
    expect(row?.['detail']).toContain('entries_job');
    plan.close();
  });

  it('stops although a file is in the place of its copies, and says so', () => {
    writeFileSync(join(disk.folder, 'backups'), '');
    const warnings: string[] = [];
    disk.stop();
    ledger = createLedger(
      disk.path,
      pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) }),
      '1.2.3',
    );
    add('a');
    expect(() => ledger.stop()).not.toThrow();
    expect(warnings.join('')).toContain('could not be copied');
    rmSync(join(disk.folder, 'backups'));
    ledger = disk.open();
  });

  it('has committed a job before it is sent', () => {
    add('a');
    // What a crash in this moment would leave behind.
    const left = mkdtempSync(join(tmpdir(), 'hangar-ledger-'));
    cpSync(disk.folder, left, { recursive: true });
    const reopened = createLedger(join(left, 'ledger.db'), logger, '1.2.3');
    const entry = reopened.find('a');
    reopened.stop();
    rmSync(left, { recursive: true });
    expect(entry).toMatchObject({ status: 'SENDING', inputBytes: 12 });
  });

  it('writes no storage secret down', () => {
    add('a', {}, '{"input":{},"s3Config":{"accessId":"ID","accessSecret":"TOPVALUE","bucketName":"b"}}');
    expect(ledger.detail('a').body).toBe(
      '{"input":{},"s3Config":{"accessId":"•••","accessSecret":"•••","bucketName":"b"}}',
    );
    expect(ids({ text: 'topvalue' })).toEqual([]);
  });

  it('lists the newest first and counts what matches and what there is', () => {
    for (const id of ['a', 'b', 'c']) add(id);
    ledger.update('b', { status: 'FAILED' });
    expect(ledger.list({}, 0, 2)).toMatchObject({
      entries: [{ entryId: 'c' }, { entryId: 'b' }],
      matching: 3,
      total: 3,
    });
    expect(ledger.list({ statuses: ['FAILED'] }, 0, 2)).toMatchObject({
      entries: [{ entryId: 'b' }],
      matching: 1,
      total: 3,
    });
    expect(ledger.list({ statuses: [] }, 0, 2)).toMatchObject({ entries: [], matching: 0, total: 3 });
    expect(ledger.list({}, 2, 2).entries).toMatchObject([{ entryId: 'a' }]);
  });

  it('filters by account, endpoint and time', () => {
    add('a', { accountId: 'other' });
    add('b', { endpointId: 'e2' });
    add('c', { sentAt: 2000 });
    expect(ids({ accountId: 'other' })).toEqual(['a']);
    expect(ids({ endpointId: 'e2' })).toEqual(['b']);
    expect(ids({ sentAfter: 2000 })).toEqual(['c']);
  });

  it('finds text in job id, endpoint name, error and body, whatever its case, and takes % and _ as they are', () => {
    add('a', { endpointName: 'Übersetzung' });
    add('b', {}, '{"input":{"text":"100% GRÖßE_x"}}');
    ledger.update('a', { jobId: 'JOB-77' });
    add('c');
    ledger.update('c', { error: 'No space LEFT' });
    expect(ids({ text: 'übersetzung' })).toEqual(['a']);
    expect(ids({ text: 'job-77' })).toEqual(['a']);
    expect(ids({ text: 'GRÖßE' })).toEqual(['b']);
    expect(ids({ text: '0% g' })).toEqual(['b']);
    expect(ids({ text: '%' })).toEqual(['b']);
    expect(ids({ text: 'space left' })).toEqual(['c']);
  });

  it('finds jobs that have each word of a text, in any order and in different places, also in tags', () => {
    add('a', { endpointName: 'painter' }, '{"input":{"label":"j","n":10}}');
    add('b', { endpointName: 'painter' }, '{"input":{"label":"k"}}');
    ledger.tag(['b'], ['Night shift'], 'add');
    expect(ids({ text: 'j  label' })).toEqual(['a']);
    expect(ids({ text: '10 Painter' })).toEqual(['a']);
    expect(ids({ text: 'painter' })).toEqual(['b', 'a']);
    expect(ids({ text: 'night painter' })).toEqual(['b']);
    expect(ids({ text: '[]' })).toEqual([]);
  });

  it('finds the jobs of an API key, and knows the names of all keys that jobs were sent with', () => {
    add('a', { source: 'api', keyName: 'scripts' });
    add('b', { source: 'api', keyName: 'Scripts' });
    add('c');
    add('d', { source: 'api', keyName: 'scripts' });
    expect(ids({ keyName: 'scripts' })).toEqual(['d', 'a']);
    expect(ids({ keyName: 'scripts', accountId: 'elsewhere' })).toEqual([]);
    expect(ledger.keyNames()).toEqual(['Scripts', 'scripts']);
  });

  it('removes ended entries with everything that belongs to them, and leaves running ones', async () => {
    add('a');
    add('b');
    await ledger.appendChunks('a', 1, ['1']);
    await ledger.finish('a', { status: 'COMPLETED' }, '1');
    expect(ledger.forget(['a', 'b', 'unknown'])).toBe(1);
    expect(ids({})).toEqual(['b']);
    expect(ledger.chunks('a', 0, 10)).toEqual([]);
    expect(() => ledger.entry('a')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('puts removed entries back with everything that belongs to them, also after a restart', async () => {
    for (const id of ['a', 'b', 'c']) add(id, { endpointId: id }, `{"input":{"prompt":"${id}"}}`);
    for (const id of ['a', 'c']) {
      await ledger.appendChunks(id, 1, ['1', '2']);
      await ledger.finish(id, { status: 'FAILED', error: 'no memory', finishedAt: 5 }, '"whole"');
    }
    ledger.tag(['c'], ['kept'], 'add');
    ledger.noteRequest('c', {
      method: 'POST',
      path: '/run',
      at: 1,
      tookMs: 1,
      status: 200,
      error: null,
      allowance: null,
    });
    const before = { detail: ledger.detail('c'), requests: ledger.requests('c') };
    expect(ledger.forget(['a', 'c'])).toBe(2);
    expect([ids({}), ids({ statuses: ['FAILED'] }), ids({ text: 'no memory' })]).toEqual([['b'], [], []]);
    // It is the newest number that is free, if the removed ones are forgotten.
    add('d');
    reopen();
    expect(ledger.removed()).toEqual(['a', 'c']);
    expect(ledger.restore(['c', 'unknown'])).toBe(1);
    expect({ detail: ledger.detail('c'), requests: ledger.requests('c') }).toEqual(before);
    expect(ledger.chunks('c', 0, 10)).toHaveLength(2);
    expect(ids({})).toEqual(['d', 'c', 'b']);
    expect([ids({ statuses: ['FAILED'] }), ids({ text: 'no memory' })]).toEqual([['c'], ['c']]);
    expect(ledger.list({}, 0, 1).total).toBe(3);
    expect(ledger.restore(['c'])).toBe(0);
  });

  it('deletes discarded entries for good, with everything that belongs to them', async () => {
    add('a');
    await ledger.appendChunks('a', 1, ['1']);
    await ledger.finish('a', { status: 'COMPLETED' }, '1');
    ledger.forget(['a']);
    ledger.discard(['a', 'unknown']);
    expect([ledger.removed(), ledger.restore(['a'])]).toEqual([[], 0]);
    disk.stop();
    const file = new DatabaseSync(disk.path, { readOnly: true });
    const tables = ['entries', 'removed_entries', 'bodies', 'outputs', 'chunks', 'search', 'blocks', 'tallies'];
    expect(tables.filter((table) => file.prepare(`SELECT 1 FROM ${table}`).all().length > 0)).toEqual([]);
    file.close();
    reopen();
  });

  it('tells which entries have no end yet, oldest first', async () => {
    for (const id of ['a', 'b', 'c', 'd']) add(id);
    ledger.update('b', { status: 'IN_QUEUE' });
    await ledger.finish('c', { status: 'GONE' }, null);
    ledger.update('d', { status: 'REFUSED' });
    expect(ledger.unfinished().map(({ entryId }) => entryId)).toEqual(['a', 'b']);
  });

  it('tells its watchers about each change until they leave', () => {
    const seen: string[] = [];
    const leave = ledger.onChange((entryId) => seen.push(entryId));
    add('a');
    ledger.update('a', { jobId: 'j' });
    leave();
    add('b');
    expect(seen).toEqual(['a', 'a']);
  });

  it('keeps small facts, and takes one that no longer fits for none', () => {
    ledger.setMeta('samples', ['a']);
    reopen();
    expect(ledger.meta('samples', z.array(z.string()))).toEqual(['a']);
    expect(ledger.meta('samples', z.number())).toBeUndefined();
    expect(ledger.meta('unknown', z.number())).toBeUndefined();
  });

  it('refuses a file that a newer version wrote, and changes nothing in it', () => {
    disk.stop();
    const file = new DatabaseSync(disk.path);
    file.exec('PRAGMA user_version = 99');
    file.close();
    expect(() => createLedger(disk.path, logger, '1.2.3')).toThrow(LedgerUnreadableError);
    expect(() => createLedger(disk.path, logger, '1.1.0')).toThrow(
      'newer version of Hangar (Hangar 1.2.3, ledger version 99; this one is Hangar 1.1.0',
    );
    const again = new DatabaseSync(disk.path);
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    again.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    again.close();
    ledger = disk.open();
  });

  it('is open in one place only', () => {
    expect(() => createLedger(disk.path, logger, '1.2.3')).toThrow(LedgerInUseError);
    add('still-works');
  });

  it('answers a page and the count of a filtered list of 100,000 jobs', () => {
    disk.stop();
    const file = new DatabaseSync(disk.path);
    file.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO entries (entry_id, account_id, account_name, endpoint_id, endpoint_name, mode, status, sent_at, input_bytes)
      SELECT 'n' || i, 'a', 'A', 'e' || (i % 50), 'name', 'run', iif(i % 100 = 0, 'FAILED', 'COMPLETED'), i, 12 FROM n;
      INSERT INTO search (seq, head, body) SELECT seq, 'name', '{"input":{"n":' || seq || '}}' FROM entries`);
    file.close();
    ledger = disk.open();
    const counted = (filter: LedgerFilter) => {
      const { entries, matching, total } = ledger.list(filter, 0, 100);
      return [entries.length, matching, total];
    };
    expect(counted({})).toEqual([100, 100_000, 100_000]);
    expect(counted({ statuses: ['FAILED'] })).toEqual([100, 1000, 100_000]);
    expect(counted({ endpointId: 'e7', accountId: 'a' })).toEqual([100, 2000, 100_000]);
    // A search goes on where it stopped, until it has come to the oldest.
    while (!ledger.list({ text: '"n":77}' }, 0, 1).complete);
    expect(counted({ text: '"n":77}' })).toEqual([1, 1, 100_000]);
  });
});
