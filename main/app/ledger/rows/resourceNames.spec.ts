import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../ledger.ts';

const logger = pino({ level: 'silent' });
let dir: string;
let ledger: Ledger;
const open = () => createLedger(join(dir, 'ledger.db'), logger, '1.2.3');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-names-'));
  ledger = open();
});
afterEach(() => {
  ledger.stop();
  rmSync(dir, { recursive: true });
});

it('The last names of resources stay over a restart, each of its own account', () => {
  const { resourceNames } = ledger;
  resourceNames.note('a', [
    { id: 'p', name: 'trainer' },
    { id: 'e', name: '' },
  ]);
  resourceNames.note('a', [{ id: 'p', name: 'trainer-2' }]);
  resourceNames.note('b', [{ id: 'p', name: 'other' }]);
  ledger.stop();
  ledger = open();
  expect([...ledger.resourceNames.of('a')]).toEqual([['p', 'trainer-2']]);
  expect([...ledger.resourceNames.of('b')]).toEqual([['p', 'other']]);
});

it('The names of an account that was removed are forgotten', () => {
  ledger.resourceNames.note('a', [{ id: 'p', name: 'trainer' }]);
  ledger.resourceNames.forget('a');
  expect(ledger.resourceNames.of('a').size).toBe(0);
  ledger.stop();
  ledger = open();
  expect(ledger.resourceNames.of('a').size).toBe(0);
});
