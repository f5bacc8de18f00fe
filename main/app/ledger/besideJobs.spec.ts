/**
 * What the ledger keeps beside its jobs (requests, webhooks, copies of itself), and what it goes through all of them
 * for.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerExport, LedgerStatus, LedgerWebhook } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { until } from '../../../test/support/core/until.ts';
import { makeLedgerFile, type LedgerFile } from '../../../test/support/ledger/ledgerFile.ts';
import { matchingIds } from '../../../test/support/ledger/specLedger.ts';
import { copyBeforeMigration } from './backup.ts';
import { exportEntries } from './export/entries.ts';
import { createKeeper } from './retention.ts';
import type { Ledger } from './ledger.ts';

const CAP = limits.ledger.capBytes.default;
const NO_BOUNDS = { retentionDays: null, capBytes: null };
const DAY_MS = 24 * 60 * 60 * 1000;
const logger = pino({ level: 'silent' });
let disk: LedgerFile;
let ledger: Ledger;

beforeEach(() => {
  disk = makeLedgerFile();
  ledger = disk.open();
});
afterEach(() => disk.remove());

const names = { accountId: 'a', accountName: 'A', endpointId: 'e', endpointName: 'E', mode: 'run' } as const;
async function done(entryId: string, at: number, output = '1', body = '{"input":{}}'): Promise<void> {
  ledger.add({ entryId, ...names, sentAt: at }, body);
  await ledger.finish(entryId, { status: 'COMPLETED', finishedAt: at }, output);
}
const searched = (text: string): string[] => matchingIds(ledger, { text });
async function exported(wanted: LedgerExport): Promise<string> {
  let text = '';
  for await (const piece of exportEntries(ledger, wanted, new AbortController().signal)) text += piece.text;
  return text;
}
const exportedIds = async (wanted: Omit<LedgerExport, 'format'>): Promise<string[]> =>
  (await exported({ format: 'jsonl', ...wanted }))
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { entryId: string }).entryId);

describe('requests about a job', () => {
  it('that go alike share a line with how often they went, also in turns; another path or answer has its own', () => {
    ledger.add({ entryId: 'a', ...names, sentAt: 1 }, '{"input":{}}');
    const note = (at: number, path: string, status = 200, method = 'GET') =>
      ledger.noteRequest('a', { at, path, status, method, tookMs: 10, error: null, allowance: null });
    note(1, '/run', 200, 'POST');
    for (let turn = 0; turn < 3; turn += 1) {
      note(10 + turn, '/status');
      note(20 + turn, '/stream');
    }
    note(30, '/status', 502);
    note(31, '/status');
    expect(
      ledger.requests('a').map(({ method, path, status, times, firstAt, lastAt, tookMs }) => {
        return [method, path, status, times, firstAt, lastAt, tookMs];
      }),
    ).toEqual([
      ['POST', '/run', 200, 1, 1, 1, 10],
      ['GET', '/status', 200, 4, 10, 31, 40],
      ['GET', '/stream', 200, 3, 20, 22, 30],
      ['GET', '/status', 502, 1, 30, 30, 10],
    ]);
    // Only the newest lines are joined: what comes back after others is told where it happened.
    for (const other of ['/a', '/b', '/c', '/d']) note(40, other);
    note(50, '/status');
    expect(ledger.requests('a').at(-1)).toMatchObject({ path: '/status', times: 1, firstAt: 50 });
  });
});

describe('webhooks of a job', () => {
  const webhook: LedgerWebhook = {
    id: 'w',
    url: 'https://mine.example/?token=TOPSECRET',
    jobStatus: 'COMPLETED',
    state: 'delivered',
    nextAttemptAt: null,
    attempts: [],
  };

  it('are asked for only where it named one, until all is told, or nobody tells of them', async () => {
    await done('none', 1);
    for (const id of ['told', 'silent']) await done(id, 2, '1', '{"input":{},"webhook":"https://mine.example"}');
    expect(ledger.awaitingWebhooks().map(({ entryId }) => entryId)).toEqual(['told', 'silent']);
    expect(ledger.webhooks('none')).toEqual({ told: 'none-named', webhooks: [] });
    expect(ledger.webhooks('told')).toEqual({ told: 'yes', webhooks: [] });

    ledger.noteWebhooks('told', [webhook], false);
    expect(ledger.awaitsWebhooks('told')).toBe(true);
    ledger.noteWebhooks('told', [webhook], true);
    expect(ledger.webhooks('told')).toMatchObject({ told: 'yes', webhooks: [{ id: 'w', state: 'delivered' }] });
    expect(JSON.stringify(ledger.webhooks('told'))).not.toContain('TOPSECRET');
    ledger.noteWebhooks('silent', null, true);
    expect(ledger.webhooks('silent').told).toBe('not-by-account');
    expect(ledger.awaitingWebhooks()).toEqual([]);
  });

  it('that is not delivered is a problem of its job with the reason, until it is sent again', async () => {
    for (const [id, at] of [
      ['a', 2],
      ['b', 3],
    ] as const)
      await done(id, at, '1', '{"input":{},"webhook":"https://mine.example"}');
    const attempt = { at: 1, tookMs: 5, status: 500, error: 'It answered 500.' };
    const failed: LedgerWebhook = {
      ...webhook,
      state: 'failed',
      attempts: [{ ...attempt, error: 'No answer.' }, attempt],
    };
    expect(await ledger.toAttend(0, {})).toMatchObject({ undelivered: null });
    for (const id of ['a', 'b']) ledger.noteWebhooks(id, [failed], true);
    expect(ledger.entry('b')).toMatchObject({ webhookProblem: 'It answered 500.' });
    const undelivered = { jobs: 2, lastAt: 3, entryId: 'b', reason: 'It answered 500.' };
    expect(await ledger.toAttend(0, {})).toMatchObject({ undelivered });
    expect(await ledger.toAttend(0, { webhooks: 2 })).toMatchObject({ undelivered: { jobs: 1 } });
    expect(await ledger.toAttend(0, { webhooks: 3 })).toMatchObject({ undelivered: null });

    ledger.awaitWebhooks('b');
    expect(ledger.awaitsWebhooks('b')).toBe(true);
    ledger.noteWebhooks('b', [{ ...failed, state: 'pending' }], false);
    expect(ledger.entry('b')).toMatchObject({ webhookProblem: null });
    expect(await ledger.toAttend(0, {})).toMatchObject({ undelivered: { jobs: 1, entryId: 'a' } });
  });
});

describe('all jobs', () => {
  it('are found and exported once each, newest first, however many there are and whatever changes meanwhile', async () => {
    const all: string[] = [];
    for (let n = 0; n < 200; n += 1) {
      await done(`n${n}`, n, '"needle"');
      all.unshift(`n${n}`);
    }
    expect(searched('needle')).toEqual(all);
    ledger.update('n77', { workerId: 'another' });
    expect(searched('needle')).toEqual(all);
    expect(await exportedIds({ filter: {} })).toEqual(all);
    expect(ledger.size()).toMatchObject({ jobs: 200, oldestSentAt: 0 });
  });

  it('leave those out of an export that were not chosen, and those that are gone', async () => {
    for (const id of ['a', 'b', 'c']) await done(id, 1);
    ledger.forget(['b']);
    expect(await exportedIds({ filter: {}, entryIds: ['c', 'b'] })).toEqual(['c']);
  });

  it('have no secret in a table either, and no cell that programs for tables cut silently', async () => {
    const long = `"${'x'.repeat(40_000)}"`;
    await done('a', 1, long, '{"input":{"auth":"Bearer abcdefghijkl"}}');
    const text = await exported({ format: 'csv', filter: {} });
    expect(text).not.toContain('abcdefghijkl');
    expect(text).toContain('x… (cut; the whole is in an export as JSON Lines)');
    expect(text.length).toBeLessThan(33_500);
    await done('b', 2, `{"image":"data:image/png;base64,${'A'.repeat(80_000)}","label":"a harbour"}`);
    expect(await exported({ format: 'csv', filter: {} })).toContain(
      '"{""image"":""image/png, 59 KB"",""label"":""a harbour""}"',
    );
  });
});

describe('copies of a ledger', () => {
  it('are kept from before the last two changes, and nothing else beside them is touched', () => {
    const backups = join(disk.folder, 'backups');
    const file = join(disk.folder, 'another.db');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE entries (seq INTEGER); CREATE TABLE chunks (seq INTEGER)');
    for (const version of [2, 9, 10, 11]) {
      copyBeforeMigration(db, file, version);
      if (version === 2) {
        for (const name of ['mine.txt', 'ledger-version1.db', 'another-version1.db.old', '7.db']) {
          writeFileSync(join(backups, name), 'mine');
        }
      }
    }
    db.close();
    expect(readdirSync(backups).toSorted()).toEqual([
      '7.db',
      'another-version1.db.old',
      'another-version10.db',
      'another-version11.db',
      'ledger-version1.db',
      'mine.txt',
    ]);
  });
});

describe('a ledger that is kept within bounds', () => {
  it('looks again by itself from time to time, until it is stopped', async () => {
    const clock = createFakeClock();
    const keeper = createKeeper({ ledger, path: disk.path, clock, logger });
    await keeper.keep({ retentionDays: 30, capBytes: null });
    keeper.start();
    await done('old', clock.now() - 31 * DAY_MS);
    await done('young', clock.now());
    expect(keeper.storage()).toMatchObject({ jobs: 2, lastPrune: null });
    clock.advance(10 * 60 * 1000);
    await until('it to look', () => keeper.storage().lastPrune);
    await keeper.stop();
    expect(keeper.storage()).toMatchObject({ jobs: 1, lastPrune: { jobs: 1, reason: 'age' } });
    expect(clock.pending()).toBe(0);
  });

  it('deletes removed jobs a minute later, and the ones of before a stop a minute after the start', async () => {
    const clock = createFakeClock();
    for (const id of ['a', 'b']) await done(id, clock.now());
    const keeper = createKeeper({ ledger, path: disk.path, clock, logger });
    keeper.start();
    expect(keeper.forget(['a', 'b'])).toBe(2);
    clock.advance(30_000);
    ledger.restore(['b']);
    expect(keeper.forget(['b'])).toBe(1);
    clock.advance(30_000);
    await until('the first to be deleted', () => ledger.removed().length === 1);
    expect(ledger.removed()).toEqual(['b']);
    await keeper.stop();
    expect(clock.pending()).toBe(0);
    const next = createKeeper({ ledger, path: disk.path, clock, logger });
    next.start();
    clock.advance(59_000);
    expect(ledger.removed()).toEqual(['b']);
    clock.advance(1000);
    await until('the second to be deleted', () => ledger.removed().length === 0);
    await next.stop();
  });

  it.each([
    ['an older version wrote, which knew one bound', { retentionDays: 7 }, { retentionDays: 7, capBytes: CAP }],
    ['a newer version wrote, in its own way', { retentionDays: 'ever', capBytes: null }, NO_BOUNDS],
    ['is none', 'ever', NO_BOUNDS],
  ])('removes nothing by bounds that cannot be read: what %s', (_, stored, keeping) => {
    ledger.setMeta('keeping', stored);
    const keeper = createKeeper({ ledger, path: disk.path, clock: createFakeClock(), logger });
    expect(keeper.storage().keeping).toEqual(keeping);
  });
});

describe('the first start of another version', () => {
  it('copies the ledger before, once, in place of the copy before an earlier one', () => {
    const copies = () => readdirSync(join(disk.folder, 'backups')).filter((name) => name.startsWith('ledger-before-'));
    ledger.add({ entryId: 'x', ...names, sentAt: 1 }, '{"input":{}}');
    for (const version of ['1.2.3', '1.3.0', '1.3.0']) disk.open(version);
    expect(copies()).toEqual(['ledger-before-1.3.0.db']);
    const copy = new DatabaseSync(join(disk.folder, 'backups', 'ledger-before-1.3.0.db'), { readOnly: true });
    expect(copy.prepare('SELECT entry_id FROM entries').all()).toEqual([{ entry_id: 'x' }]);
    expect(copy.prepare("SELECT value FROM meta WHERE key = 'writtenBy'").get()).toEqual({ value: '"1.2.3"' });
    copy.close();
    ledger = disk.open('1.4.0');
    expect(copies()).toEqual(['ledger-before-1.4.0.db']);
  });

  it('goes on where the ledger cannot be copied', () => {
    disk.stop();
    rmSync(join(disk.folder, 'backups'), { recursive: true });
    writeFileSync(join(disk.folder, 'backups'), 'in the way');
    ledger = disk.open('1.3.0');
    expect(ledger.list({}, 0, 1)).toMatchObject({ total: 0 });
    rmSync(join(disk.folder, 'backups'));
  });
});

describe('a record of an older version', () => {
  it('of a webhook has its default for a field that it does not know', () => {
    const entry = ledger.add({ entryId: 'x', ...names, sentAt: 1 }, '{"input":{},"webhook":"http://127.0.0.1:1"}');
    disk.stop();
    const db = new DatabaseSync(disk.path);
    const pending = JSON.stringify({ id: 'w', url: 'http://127.0.0.1:1', jobStatus: 'COMPLETED', state: 'pending' });
    db.prepare('INSERT INTO webhooks (seq, webhook_id, told) SELECT seq, ?, ? FROM entries').run('w', pending);
    db.close();
    ledger = disk.open();
    expect(ledger.webhooks(entry.entryId).webhooks).toMatchObject([{ id: 'w', nextAttemptAt: null, attempts: [] }]);
  });
});

it('the counts are those of running and waiting jobs of any day, and of the jobs and failures of a time', async () => {
  const at = DAY_MS;
  const add = (entryId: string, sentAt: number, status: LedgerStatus) => {
    ledger.add({ entryId, ...names, sentAt }, '{"input":{}}');
    return ledger.finish(entryId, { status, finishedAt: sentAt }, null);
  };
  await add('old failure', at - 1, 'FAILED');
  for (const status of ['FAILED', 'TIMED_OUT', 'REFUSED', 'COMPLETED'] as const) await add(status, at, status);
  ledger.add({ entryId: 'waiting', ...names, sentAt: at - 1 }, '{"input":{}}');
  expect(ledger.counts({}, at)).toEqual({ running: 0, queued: 1, since: 4, failed: 3 });
  expect(ledger.counts({ accountId: 'other' }, at)).toEqual({ running: 0, queued: 0, since: 0, failed: 0 });
});
