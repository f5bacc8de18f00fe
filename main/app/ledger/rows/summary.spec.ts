import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../ledger.ts';
import type { EntryPatch, NewEntry } from '../port.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 10, 26, 12);
const DAY_AGO = NOW - 24 * HOUR_MS;
let ledger: Ledger;
let count = 0;

beforeEach(() => {
  ledger = createLedger(':memory:', pino({ level: 'silent' }), '1.2.3');
});
afterEach(() => ledger.stop());

function add(endpointId: string, patch: EntryPatch, more: Partial<NewEntry> = {}): void {
  const entryId = `job ${(count += 1)}`;
  const place = { accountId: 'a', accountName: 'A', endpointId, endpointName: `name of ${endpointId}` };
  ledger.add({ entryId, ...place, mode: 'run', sentAt: NOW - HOUR_MS, ...more }, '{"input":{}}');
  ledger.update(entryId, patch);
}
const failed = (endpointId: string, error: string, at = NOW - HOUR_MS): void =>
  add(endpointId, { status: 'FAILED', error, finishedAt: at });

describe('failed jobs', () => {
  it('are all counted, for each endpoint and sentence, whatever their traces', () => {
    for (let index = 0; index < 600; index += 1)
      failed('e1', `No file\n    at handler (h.mjs:${index}:1)`, NOW - index);
    for (let index = 0; index < 400; index += 1) failed('e2', 'No file', NOW - HOUR_MS - index);
    const python = (line: number) => `Traceback (most recent call last):\n  File "h.py", line ${line}\nValueError: bad`;
    for (const line of [1, 2, 3]) failed('e1', python(line), NOW - HOUR_MS - MINUTE_MS);
    add('e2', { status: 'TIMED_OUT', finishedAt: NOW - 2 * HOUR_MS });
    add('e2', { status: 'COMPLETED', finishedAt: NOW });
    add('e2', { status: 'CANCELLED', finishedAt: NOW });
    failed('e3', 'in another account', NOW - 3 * HOUR_MS);
    expect(ledger.toAttend(DAY_AGO, {})).toMatchObject({
      failed: [
        { accountId: 'a', endpointId: 'e1', endpointName: 'name of e1', headline: 'No file', jobs: 600, lastAt: NOW },
        { endpointId: 'e2', headline: 'No file', jobs: 400, lastAt: NOW - HOUR_MS },
        { endpointId: 'e1', headline: 'ValueError: bad', jobs: 3 },
        { endpointId: 'e2', headline: '', jobs: 1 },
        { endpointId: 'e3', jobs: 1 },
      ],
      otherFailed: 0,
    });
  });

  it('of an earlier time are left out, and those that a person dismissed', () => {
    add('e1', { status: 'FAILED', error: 'old', finishedAt: NOW }, { sentAt: DAY_AGO - 1 });
    for (const endpointId of ['e1', 'e2']) {
      for (const at of [1, 2, 3]) failed(endpointId, 'No file', NOW - HOUR_MS + at);
    }
    expect(ledger.toAttend(DAY_AGO, { 'a/e1': NOW - HOUR_MS + 2, 'b/e2': NOW }).failed).toMatchObject([
      { endpointId: 'e1', headline: 'No file', jobs: 1 },
      { endpointId: 'e2', headline: 'No file', jobs: 3 },
    ]);
    expect(ledger.toAttend(NOW, {})).toEqual({ failed: [], otherFailed: 0, waiting: [] });
  });

  it('with very many errors are counted together after the newest ones', () => {
    for (let index = 0; index < 120; index += 1) failed('e1', `no file ${index % 60}`, NOW - index);
    const { failed: groups, otherFailed } = ledger.toAttend(DAY_AGO, {});
    expect(groups.map(({ headline }) => headline)).toEqual(Array.from({ length: 50 }, (_, at) => `no file ${at}`));
    expect(otherFailed).toBe(20);
  });
});

it('queued jobs count for each endpoint that is known not to start them, of any day, with the reason of the first', () => {
  const waits = (endpointId: string, waiting: string | null, more: EntryPatch = {}) =>
    add(endpointId, { status: 'IN_QUEUE', waiting, ...more }, { sentAt: DAY_AGO - HOUR_MS });
  waits('e1', 'No GPU in stock.');
  for (let index = 0; index < 300; index += 1) waits('e1', null);
  waits('e1', 'No GPU in stock. 301 jobs go before it.');
  waits('e2', null);
  waits('e3', 'words of a time when it could be asked', { trouble: 'Cannot reach work (ECONNREFUSED).' });
  waits('e4', 'old words', { status: 'IN_PROGRESS' });
  expect(ledger.toAttend(DAY_AGO, {}).waiting).toEqual([
    { accountId: 'a', endpointId: 'e1', endpointName: 'name of e1', jobs: 302, reason: 'No GPU in stock.' },
  ]);
});

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
