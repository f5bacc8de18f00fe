/** What becomes of a damaged ledger: it is set aside, its copy is restored, and a person is told. */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeLedgerFile, type LedgerFile } from '../../../test/support/ledger/ledgerFile.ts';
import { createLedger, LedgerInUseError, type Ledger } from './ledger.ts';

const logger = pino({ level: 'silent' });
const noise = Buffer.alloc(20_000, 'not what was written here. ');

let disk: LedgerFile;
let ledger: Ledger;
beforeEach(() => {
  disk = makeLedgerFile();
});
afterEach(() => disk.remove());

const open = (): Ledger => (ledger = disk.open());

function add(entryId: string): void {
  const names = { accountId: 'acc', accountName: 'Mine', endpointId: 'ep', endpointName: 'words' };
  ledger.add({ entryId, ...names, mode: 'run', sentAt: 1 }, `{"input":{"text":"${'x'.repeat(2000)}"}}`);
}

const asides = (): string[] => readdirSync(disk.folder).filter((name) => name.startsWith('ledger.db.damaged-'));
const entries = (): string[] => ledger.list({}, 0, 100).entries.map(({ entryId }) => entryId);

test.each([
  ['is no database', () => writeFileSync(disk.path, noise)],
  ['has lost its end', () => truncateSync(disk.path, Math.floor(statSync(disk.path).size / 2 / 4096) * 4096)],
  ['holds noise in its middle', () => writeFileSync(disk.path, noise, { flag: 'r+', flush: true })],
])('A ledger that %s is set aside, and its copy from the last stop is restored', (_what, damage) => {
  open();
  for (let n = 0; n < 30; n++) add(`job-${n}`);
  disk.stop();
  damage();
  const damaged = readFileSync(disk.path);
  const { notice } = open();
  expect(entries()).toHaveLength(30);
  expect(asides()).toHaveLength(1);
  expect(readFileSync(join(disk.folder, asides()[0]!)).equals(damaged)).toBe(true);
  expect(notice).toMatch(/ledger\.db is damaged.*set aside as ledger\.db\.damaged-.*copy of .* was restored/);
  add('goes-on');
  expect(open().notice).toBeNull();
  expect(entries()).toHaveLength(31);
});

test('A restoring that was cut off before its last step is finished by the next start', () => {
  open();
  for (let n = 0; n < 3; n++) add(`job-${n}`);
  disk.stop();
  renameSync(disk.path, `${disk.path}.restored`);
  expect(open().notice).toBeNull();
  expect(entries()).toHaveLength(3);
  expect(readdirSync(disk.folder).filter((name) => name.endsWith('.restored'))).toEqual([]);
});

test('A ledger without a sound copy is set aside, and starts empty', () => {
  open();
  add('job-1');
  disk.stop();
  for (const name of readdirSync(join(disk.folder, 'backups')))
    writeFileSync(join(disk.folder, 'backups', name), noise);
  writeFileSync(disk.path, noise);
  const { notice } = open();
  expect(entries()).toEqual([]);
  expect(asides()).toHaveLength(1);
  expect(notice).toMatch(/set aside.*no copy to restore.*starts empty/);
});

test('A ledger in use by another program is not taken for a damaged one', () => {
  open();
  writeFileSync(disk.path, noise, { flag: 'r+' });
  expect(() => createLedger(disk.path, logger, '1.2.3')).toThrow(LedgerInUseError);
  expect(asides()).toEqual([]);
});

test('A damaged ledger is not copied over its sound copy at a stop', () => {
  open();
  for (let n = 0; n < 30; n++) add(`job-${n}`);
  disk.stop();
  open();
  add('one-more');
  // In memory it is sound; on disk, pages were overwritten meanwhile that nothing is written to any more.
  const file = openSync(disk.path, 'r+');
  writeSync(file, noise, 0, 8192, statSync(disk.path).size - 8192);
  closeSync(file);
  disk.stop();
  open();
  expect(entries().length).toBeGreaterThanOrEqual(30);
});
