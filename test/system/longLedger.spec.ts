// A ledger of a million jobs, as the app opens it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LedgerFilter } from '../../main/contract/ledger.ts';
import { createLedger, type Ledger } from '../../main/app/ledger/ledger.ts';

const JOBS = 1_000_000;
/** What one answer may take. */
const ANSWER_MS = 100;

const logger = pino({ level: 'silent' });
const dir = mkdtempSync(join(tmpdir(), 'hangar-long-ledger-'));
const path = join(dir, 'ledger.db');
let ledger: Ledger;

/** Indexes and triggers are made anew after the rows: one by one they would take ten times as long. */
function fill(): void {
  createLedger(path, logger, 'test').stop();
  const file = new DatabaseSync(path);
  file.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -200000');
  const made = file
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'entries' AND sql IS NOT NULL AND type IN ('index', 'trigger')",
    )
    .all();
  file.exec('BEGIN');
  for (const { type, name } of made) file.exec(`DROP ${String(type)} ${String(name)}`);
  file.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${JOBS})
    INSERT INTO entries (seq, entry_id, account_id, account_name, endpoint_id, endpoint_name, job_id, mode, status, sent_at, finished_at, input_bytes)
      SELECT i, 'n' || i, 'account-' || (i % 3), 'A', 'endpoint-' || (i % 40), 'name', 'job-' || i, 'run',
        CASE WHEN i % 1000 = 0 THEN 'FAILED' WHEN i % 5000 = 1 THEN 'TIMED_OUT' ELSE 'COMPLETED' END, i * 1000, i * 1000 + 500, 40 FROM n;
    INSERT INTO search (seq, head, body, output)
      SELECT seq, 'job-' || seq || ' name', '{"input":{"prompt":"a picture of house number ' || seq || '"}}', '' FROM entries;
    INSERT INTO blocks SELECT seq >> 12, count(*), min(sent_at), max(sent_at) FROM entries GROUP BY 1;
    INSERT INTO tallies SELECT seq >> 12, account_id, endpoint_id, status, count(*) FROM entries GROUP BY 1, 2, 3, 4`);
  for (const { sql } of made) file.exec(String(sql));
  file.exec('COMMIT');
  file.close();
}

beforeAll(() => {
  fill();
  ledger = createLedger(path, logger, 'test');
});
afterAll(() => {
  ledger.stop();
  rmSync(dir, { recursive: true });
});

/** Milliseconds of processor time. */
function costOf(run: () => void): number {
  const from = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
/** The fastest of a few: what a page takes, not what else the machine does meanwhile. */
const fastestMs = (run: () => void): number => Math.min(...Array.from({ length: 5 }, () => costOf(run)));
/** A machine on which it takes this long to count to half a million takes longer for everything. */
function mostMs(): number {
  const counting =
    'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500000) SELECT sum(i) FROM n';
  using database = new DatabaseSync(':memory:');
  return Math.max(ANSWER_MS, 4 * fastestMs(() => database.prepare(counting).get()));
}

const filters: [string, LedgerFilter, number][] = [
  ['everything', {}, JOBS],
  ['those of a state', { statuses: ['FAILED'] }, 1000],
  ['those of rare states', { statuses: ['FAILED', 'TIMED_OUT'] }, 1200],
  ['those of an endpoint', { endpointId: 'endpoint-7' }, 25_000],
  [
    'those of an account, an endpoint and a state',
    { accountId: 'account-1', endpointId: 'endpoint-0', statuses: ['FAILED'] },
    334,
  ],
  ['those of the last while', { sentAfter: 400_000_500 }, 600_000],
  ['those of the last while in a state', { sentAfter: 400_000_500, statuses: ['FAILED'], accountId: 'account-2' }, 200],
];

for (const [name, filter, matching] of filters) {
  test(`a page of a million jobs is answered within ${ANSWER_MS} ms, with the count of what matches: ${name}`, () => {
    for (const offset of [0, Math.floor(matching / 2), Math.max(0, matching - 100)]) {
      const page = ledger.list(filter, offset, 100);
      expect(page).toMatchObject({ matching, total: JOBS, complete: true });
      expect(page.entries).toHaveLength(Math.min(100, matching - offset));
      expect(fastestMs(() => ledger.list(filter, offset, 100))).toBeLessThan(mostMs());
    }
  });
}

test(`each step of a search through a million jobs takes at most ${ANSWER_MS} ms, and it comes to the oldest`, () => {
  const filter: LedgerFilter = { text: 'house number 1234"' };
  const steps: number[] = [];
  let complete = false;
  while (!complete) {
    steps.push(costOf(() => ({ complete } = ledger.list(filter, 0, 100))));
  }
  expect(ledger.list(filter, 0, 100).entries).toMatchObject([{ entryId: 'n1234' }]);
  // The middle one: a step that the machine was busy in says nothing about the search.
  expect(steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)]).toBeLessThan(mostMs());
});
