/**
 * What a long ledger promises: quick pages, searches that go on, bounds that are kept, a copy before its tables change.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerFilter } from '#contract/app/ledger.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { planOf, statementsOf } from '../../../test/support/disk/statements.ts';
import { longLedgerFilters, openLongLedger } from '../../../test/support/ledger/longLedger.ts';
import { makeLedgerFile, type LedgerFile } from '../../../test/support/ledger/ledgerFile.ts';
import { matchingIds } from '../../../test/support/ledger/specLedger.ts';
import { exportEntries } from './export/entries.ts';
import { createKeeper } from './retention.ts';
import { createLedger, LedgerUnreadableError, type Ledger } from './ledger.ts';
import { MIGRATIONS } from './migrations.ts';
import { createSearches } from './search.ts';

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
  ledger.update(entryId, { jobId: `job-${entryId}` });
  await ledger.finish(entryId, { status: 'COMPLETED', finishedAt: at }, output);
}
const ids = (filter: LedgerFilter = {}) => ledger.list(filter, 0, 100).entries.map(({ entryId }) => entryId);
const searched = (filter: LedgerFilter): string[] => matchingIds(ledger, filter);

describe('a page of a ledger', () => {
  it('has the same rows and counts as a look at every job, whatever the filter, wherever the page', async () => {
    const accounts = ['a', 'b'];
    const endpoints = ['x', 'y', 'z'];
    const all: { id: string; accountId: string; endpointId: string; failed: boolean; sentAt: number }[] = [];
    const file = Array.from({ length: 300 }, (_, n) => n);
    for (const n of file) {
      const entry = { accountId: accounts[n % 2]!, endpointId: endpoints[n % 3]!, sentAt: (n * 37) % 300 };
      ledger.add({ entryId: `n${n}`, ...names, ...entry }, '{"input":{}}');
      const failed = n % 7 === 0;
      await ledger.finish(`n${n}`, { status: failed ? 'FAILED' : 'COMPLETED', finishedAt: n }, null);
      all.unshift({ id: `n${n}`, ...entry, failed });
    }
    ledger.forget(['n10', 'n77']);
    const left = all.filter(({ id }) => id !== 'n10' && id !== 'n77');
    const filters: LedgerFilter[] = [
      {},
      { statuses: ['FAILED'] },
      { accountId: 'a' },
      { endpointId: 'y' },
      { accountId: 'b', endpointId: 'x', statuses: ['COMPLETED', 'FAILED'] },
      { sentAfter: 200 },
      { sentAfter: 100, statuses: ['FAILED'], accountId: 'a' },
      { sentBefore: 100 },
      { sentAfter: 100, sentBefore: 200, endpointId: 'y' },
      { sentAfter: 200, sentBefore: 100 },
    ];
    for (const filter of filters) {
      const fitting = left.filter(
        (one) =>
          (filter.statuses === undefined || filter.statuses.includes(one.failed ? 'FAILED' : 'COMPLETED')) &&
          (filter.accountId === undefined || one.accountId === filter.accountId) &&
          (filter.endpointId === undefined || one.endpointId === filter.endpointId) &&
          (filter.sentAfter === undefined || one.sentAt >= filter.sentAfter) &&
          (filter.sentBefore === undefined || one.sentAt < filter.sentBefore),
      );
      for (const offset of [0, 7, 50, 290]) {
        const page = ledger.list(filter, offset, 10);
        expect(page.entries.map(({ entryId }) => entryId)).toEqual(
          fitting.slice(offset, offset + 10).map(({ id }) => id),
        );
        expect(page).toMatchObject({ matching: fitting.length, total: 298, complete: true });
      }
    }
  });
});

describe('a ledger of many blocks of jobs', () => {
  const JOBS = 40_000;
  const PAGE = 100;
  let longDir: string;
  let long: Ledger;
  /** A second database with the same tables: the file of the ledger is open for itself alone. */
  let tables: DatabaseSync;
  beforeAll(() => {
    longDir = mkdtempSync(join(tmpdir(), 'hangar-long-ledger-'));
    long = openLongLedger(join(longDir, 'ledger.db'), JOBS);
    tables = new DatabaseSync(':memory:');
    for (const step of MIGRATIONS) tables.exec(step);
  });
  afterAll(() => {
    long.stop();
    tables.close();
    rmSync(longDir, { recursive: true });
  });

  it.each(longLedgerFilters(JOBS))(
    'answers a page from a few statements that each look at one block at the most, with the count of what matches: $name',
    ({ filter, matching }) => {
      for (const offset of [0, Math.floor(matching / 2), Math.max(0, matching - PAGE)]) {
        const statements = statementsOf(() => {
          const page = long.list(filter, offset, PAGE);
          expect(page).toMatchObject({ matching, total: JOBS, complete: true });
          expect(page.entries).toHaveLength(Math.min(PAGE, matching - offset));
        });
        const ofEntries = statements.filter(({ sql }) => sql.includes('FROM entries'));
        // The tallies are read once, and the count of all jobs, unless both are known since the page before.
        expect(statements.length - ofEntries.length).toBeLessThanOrEqual(2);
        const counts = ofEntries.filter(({ sql }) => sql.includes('count(*)'));
        const pages = ofEntries.filter(({ sql }) => !sql.includes('count(*)'));
        // Only the blocks in which the time of the filter begins and ends are counted, and only blocks with rows of the
        // page are read.
        expect(counts.length).toBeLessThanOrEqual(2);
        for (const { rows } of pages) expect(rows).toBeGreaterThan(0);
        expect(pages.reduce((sum, { rows }) => sum + rows, 0)).toBe(Math.min(PAGE, matching - offset));
        for (const { sql } of ofEntries) {
          expect(sql).toContain('seq BETWEEN ? AND ?');
          expect(planOf(tables, sql)[0], sql).toMatch(/^SEARCH (e|entries) USING/);
        }
      }
    },
  );

  it('searches a while in each answer, the newest first, and comes to the oldest', () => {
    const sql = (text: string) => tables.prepare(text);
    tables.exec(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      INSERT INTO entries (seq, entry_id, account_id, account_name, endpoint_id, endpoint_name, mode, status, sent_at, input_bytes)
        SELECT i, i, 'a', 'A', 'e', 'E', 'run', 'COMPLETED', i, 1 FROM n;
      INSERT INTO search (seq, head, body) SELECT seq, '', 'house-number-' || seq || '.' FROM entries`);
    const TICK_MS = 10;
    let nowMs = 0;
    let searchedSlices = 0;
    const searches = createSearches(
      sql,
      () => 9000,
      () => (nowMs += TICK_MS),
    );
    for (let answers = 1, complete = false; !complete; answers++) {
      const statements = statementsOf(() => {
        let seqs: readonly number[];
        ({ seqs, complete } = searches.find({ text: 'house-number-1.' }));
        expect(seqs).toEqual(complete ? [1] : []);
      });
      // On a clock that goes on by 10 ms at each look, 40 ms are over at the fourth.
      const slicesOfAnswer = statements.filter(({ sql: text }) => text.includes('search s')).length;
      expect(slicesOfAnswer).toBeLessThanOrEqual(4);
      searchedSlices += slicesOfAnswer;
      expect(answers, 'answers until all was searched').toBeLessThan(9000);
    }
    // None looks at more than 64 jobs.
    expect(searchedSlices).toBeGreaterThanOrEqual(9000 / 64);
  });
});

describe('a search for text', () => {
  it('finds it in outputs and in chunks, too, and follows what changes after it was found', async () => {
    await done('a', 1, '"a Needle in the output"');
    await done('b', 2);
    ledger.add({ entryId: 'c', ...names, sentAt: 3 }, '{"input":{}}');
    await ledger.appendChunks('c', 4, ['"nee', 'dle in chunks"', '"needle"']);
    await ledger.finish('c', { status: 'COMPLETED', finishedAt: 5 }, null);
    expect(searched({ text: 'needle' })).toEqual(['c', 'a']);
    await done('d', 6, '"NEEDLE"');
    expect(ids({ text: 'needle' })).toEqual(['d', 'c', 'a']);
    ledger.forget(['c']);
    expect(ids({ text: 'needle' })).toEqual(['d', 'a']);
    expect(ids({ text: 'needle', statuses: ['FAILED'] })).toEqual([]);
  });
});

describe('what a ledger keeps', () => {
  function keeper(clock = createFakeClock()) {
    return {
      clock,
      keeper: createKeeper({
        ledger,
        path: disk.path,
        clock: {
          ...clock,
          after(_, run) {
            const turn = setImmediate(run);
            return () => clearImmediate(turn);
          },
        },
        logger,
      }),
    };
  }

  it('goes after so many days, counted from its end; what has not ended stays', async () => {
    const { clock, keeper: it } = keeper();
    // More than go in one turn: the answer comes once all of them are gone.
    for (let n = 0; n < 60; n += 1) await done(`old${n}`, clock.now() - 31 * DAY_MS);
    await done('young', clock.now() - 29 * DAY_MS);
    ledger.add({ entryId: 'open', ...names, sentAt: clock.now() - 90 * DAY_MS }, '{}');
    const retention = await it.keep({ retentionDays: 30, capBytes: null });
    expect(ids()).toEqual(['open', 'young']);
    expect(retention).toMatchObject({ jobs: 2, lastPrune: { jobs: 60, reason: 'age', at: clock.now() } });
    await it.stop();
  });

  it('is held below the cap by removing what ended first, and the disk has its room back', async () => {
    const { keeper: it } = keeper();
    const large = JSON.stringify('x'.repeat(1024 * 1024));
    for (let n = 0; n < 90; n += 1) await done(`n${n}`, n, large);
    const before = ledger.size().usedBytes;
    const capBytes = 64 * 1024 * 1024;
    expect(before).toBeGreaterThan(capBytes);
    const retention = await it.keep({ retentionDays: null, capBytes });
    expect(retention.usedBytes).toBeLessThanOrEqual(capBytes);
    expect(retention.lastPrune).toMatchObject({ reason: 'size' });
    expect(ids().at(0)).toBe('n89');
    expect(ids()).not.toContain('n0');
    disk.stop();
    // What was given back is no longer in the file.
    expect(statSync(disk.path).size).toBeLessThan(before);
    ledger = disk.open();
    await it.stop();
  });
});

describe('an older ledger', () => {
  /** A file as the first version wrote it. */
  function makeOld(): void {
    disk.remove();
    disk = makeLedgerFile();
    const file = new DatabaseSync(disk.path);
    file.exec(`${MIGRATIONS[0]}; PRAGMA user_version = 1`);
    file.exec(`
      INSERT INTO entries (entry_id, account_id, account_name, endpoint_id, endpoint_name, mode, status, sent_at, input_bytes)
        VALUES ('a', 'acc', 'A', 'e', 'E', 'run', 'COMPLETED', 5, 2);
      INSERT INTO outputs VALUES (1, '"The Answer"');
      INSERT INTO search VALUES (1, 'e', '{}')`);
    file.close();
  }

  it('is copied before its tables change, then answers as a new one does', () => {
    makeOld();
    ledger = disk.open();
    expect(ledger.list({ accountId: 'acc', statuses: ['COMPLETED'] }, 0, 10)).toMatchObject({ matching: 1, total: 1 });
    expect(searched({ text: 'the answer' })).toEqual(['a']);
    expect(readdirSync(join(disk.folder, 'backups'))).toEqual(['ledger-version1.db']);
    const copy = new DatabaseSync(join(disk.folder, 'backups', 'ledger-version1.db'), { readOnly: true });
    expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    expect(copy.prepare('SELECT entry_id FROM entries').all()).toEqual([{ entry_id: 'a' }]);
    copy.close();
  });

  it('calls jobs that no answer came for so, no longer refused, and counts them so', () => {
    makeOld();
    const file = new DatabaseSync(disk.path);
    file.exec(`${MIGRATIONS[1]}; PRAGMA user_version = 2`);
    const words =
      'It did not answer in time. Whether the service accepted this job is not known. Look at the endpoint.';
    for (const [id, error] of [
      ['cut', words],
      ['no', 'ttl is too short.'],
    ] as const) {
      file.exec(`
        INSERT INTO entries (entry_id, account_id, account_name, endpoint_id, endpoint_name, mode, status, sent_at, input_bytes, error)
          VALUES ('${id}', 'acc', 'A', 'e', 'E', 'run', 'REFUSED', 6, 2, '${error}')`);
    }
    file.close();
    ledger = disk.open();
    const matches = (status: 'UNANSWERED' | 'REFUSED') => {
      const { entries, matching } = ledger.list({ statuses: [status] }, 0, 10);
      return [matching, ...entries.map(({ entryId }) => entryId)];
    };
    expect([matches('UNANSWERED'), matches('REFUSED')]).toEqual([
      [1, 'cut'],
      [1, 'no'],
    ]);
  });

  it('is left as it is where it cannot be copied', () => {
    makeOld();
    const file = new DatabaseSync(disk.path);
    // Something else stands where the copies go.
    file.exec(`VACUUM INTO '${join(disk.folder, 'backups')}'`);
    file.close();
    expect(() => createLedger(disk.path, logger, '1.2.3')).toThrow(LedgerUnreadableError);
    const again = new DatabaseSync(disk.path);
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    again.close();
    rmSync(join(disk.folder, 'backups'));
    ledger = disk.open();
    expect(existsSync(join(disk.folder, 'backups', 'ledger-version1.db'))).toBe(true);
  });
});

describe('an export', () => {
  const signal = new AbortController().signal;
  async function exported(format: 'csv' | 'jsonl'): Promise<string> {
    let text = '';
    for await (const piece of exportEntries(ledger, { format, filter: {} }, signal)) text += piece.text;
    return text;
  }

  it('lets no program take a cell for a formula, and quotes what has to be', async () => {
    await done('a', 0, '=HYPERLINK("http://x")');
    await done('b', 0, '-1+1');
    const rows = (await exported('csv')).trimEnd().split('\r\n');
    expect(rows[0]).toMatch(/^entryId,jobId,.*,request,output$/);
    expect(rows[1]).toMatch(/,'-1\+1$/);
    expect(rows[2]).toMatch(/,"'=HYPERLINK\(""http:\/\/x""\)"$/);
  });

  it('has everything about a job in a line, and no secret', async () => {
    await done(
      'a',
      1,
      '{"n":12345678901234567890}',
      '{"input":{"auth":"Bearer abcdefghijkl","url":"https://x/?api_key=TOPSECRET"}}',
    );
    await ledger.appendChunks('a', 2, ['"one"', '2']);
    const sent = { at: 3, method: 'GET', tookMs: 4, status: 200, error: null, allowance: null };
    ledger.noteRequest('a', { ...sent, path: '/graphql?api_key=TOPSECRET' });
    const text = await exported('jsonl');
    expect(text).not.toMatch(/TOPSECRET|abcdefghijkl/);
    expect(text).toContain('"output":{"n":12345678901234567890}');
    expect(JSON.parse(text)).toMatchObject({
      entryId: 'a',
      status: 'COMPLETED',
      chunks: [
        { at: 2, output: 'one' },
        { at: 2, output: 2 },
      ],
      requests: [{ method: 'GET', status: 200, times: 1 }],
    });
  });
});
