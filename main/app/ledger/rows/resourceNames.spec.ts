import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeLedgerFile, type LedgerFile } from '../../../../test/support/ledger/ledgerFile.ts';
import type { Ledger } from '../ledger.ts';

let disk: LedgerFile;
let ledger: Ledger;

beforeEach(() => {
  disk = makeLedgerFile();
  ledger = disk.open();
});
afterEach(() => disk.remove());

it('The last names of resources stay over a restart, each of its own account', () => {
  const { resourceNames } = ledger;
  resourceNames.note('a', [
    { id: 'p', name: 'trainer' },
    { id: 'e', name: '' },
  ]);
  resourceNames.note('a', [{ id: 'p', name: 'trainer-2' }]);
  resourceNames.note('b', [{ id: 'p', name: 'other' }]);
  ledger = disk.open();
  expect([...ledger.resourceNames.of('a')]).toEqual([['p', 'trainer-2']]);
  expect([...ledger.resourceNames.of('b')]).toEqual([['p', 'other']]);
});

it('The names of an account that was removed are forgotten', () => {
  ledger.resourceNames.note('a', [{ id: 'p', name: 'trainer' }]);
  ledger.resourceNames.forget('a');
  expect(ledger.resourceNames.of('a').size).toBe(0);
  ledger = disk.open();
  expect(ledger.resourceNames.of('a').size).toBe(0);
});
