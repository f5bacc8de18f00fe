import { expect, it } from 'vitest';
import { openLedgerTables } from '../../../test/support/ledger/specLedger.ts';
import { createEntryRows } from './rows/entries.ts';
import { createAttemptRows } from './rows/attempts.ts';
import { beginRun, endRun, type Run } from './runs.ts';

it('a run knows whether the one before it was stopped', () => {
  const { sql } = openLedgerTables(0, 'status, sent_at', `'FAILED', 1`);
  expect(beginRun(sql, 1)).toEqual({ startedAt: 1, earlier: null });
  expect(beginRun(sql, 2)).toEqual({ startedAt: 2, earlier: 'killed' });
  endRun(sql);
  expect(beginRun(sql, 3)).toEqual({ startedAt: 3, earlier: 'stopped' });
  expect(beginRun(sql, 4)).toEqual({ startedAt: 4, earlier: 'killed' });
});

it.each<[what: string, account: string, run: Run, endedBy: string]>([
  ['with the run before, which was stopped', 'this-machine', { startedAt: 20, earlier: 'stopped' }, 'stopped'],
  ['with the run before, which was killed', 'this-machine', { startedAt: 20, earlier: 'killed' }, 'killed'],
  ['with its worker in this run', 'this-machine', { startedAt: 5, earlier: 'stopped' }, 'lost'],
  ['with its worker on another machine', 'other', { startedAt: 20, earlier: 'stopped' }, 'lost'],
])('a lost attempt ended %s', (_what, account, run, endedBy) => {
  const { sql } = openLedgerTables(1, 'status, sent_at, started_at', `'IN_PROGRESS', 1, 10`);
  sql('UPDATE entries SET account_id = ?').run(account);
  const attempts = createAttemptRows(sql, run);
  attempts.add(1, createEntryRows(sql).entry('n1'), 'lost', 30);
  expect(attempts.of(1)).toMatchObject([{ endedBy }]);
});
