import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSpecLedger, type SpecLedger } from '../../../../test/support/ledger/specLedger.ts';
import type { Ledger } from '../ledger.ts';
import type { EntryPatch, NewEntry } from '../port.ts';

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2026, 10, 26, 12);
let jobs: SpecLedger;
let ledger: Ledger;

beforeEach(() => {
  jobs = openSpecLedger();
  ledger = jobs.ledger;
});
afterEach(() => ledger.stop());

const add = (endpointId: string, patch: EntryPatch, more: Partial<NewEntry> = {}): string =>
  jobs.add({ endpointId, endpointName: `name of ${endpointId}`, sentAt: NOW - 60 * MINUTE_MS, ...more }, patch);

it('results that a service deletes within a time are counted for each account, with the first time', () => {
  const done = (minutesAgo: number, more: Partial<NewEntry> = {}, status: 'COMPLETED' | 'FAILED' = 'COMPLETED') =>
    add('e1', { status, finishedAt: NOW - minutesAgo * MINUTE_MS }, more);
  const within = 10 * MINUTE_MS;
  for (const minutesAgo of [25, 21, 31, 5]) done(minutesAgo);
  done(25, {}, 'FAILED');
  expect(ledger.expiring(NOW, within)).toEqual([{ accountId: 'a', jobs: 2, firstAt: NOW + 5 * MINUTE_MS }]);
  done(2, { mode: 'runsync', accountId: 'b' });
  done(0, { mode: 'runsync', accountId: 'b' });
  expect(ledger.expiring(NOW, within)).toMatchObject([
    { accountId: 'a', jobs: 2 },
    { accountId: 'b', jobs: 1, firstAt: NOW + MINUTE_MS },
  ]);
});
