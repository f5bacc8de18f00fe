import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { openDatabase } from '../sqlite/database.ts';
import { createSealing } from '../encryption/encryption.ts';
import { createDamagedRecords } from './damagedRecords.ts';
import { createSecretStore } from './secrets.ts';

const KEY = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);
const secret = { id: 's', name: 'token', description: null, createdAt: '2026-01-31T12:00:00.000Z' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('values are sealed, sealed anew with the key of a later start, and null without their key', () => {
  const database = openDatabase(folder);
  const damaged = createDamagedRecords(silentLogger);
  try {
    createSecretStore(database, createSealing(KEY), damaged).save(secret, 'value-5d1e');
    const sealed = () =>
      Buffer.from((database.prepare('SELECT secret FROM secret').get() as { secret: Buffer }).secret);
    const before = sealed();
    expect(before.includes('value-5d1e')).toBe(false);

    const without = createSecretStore(database, createSealing(OTHER), damaged);
    expect([without.load(), without.value('s')]).toEqual([[secret], null]);
    expect(sealed()).toEqual(before);

    createSecretStore(database, createSealing(OTHER, [KEY]), damaged).load();
    expect(createSecretStore(database, createSealing(OTHER), damaged).value('s')).toBe('value-5d1e');
    without.delete('s');
    expect(without.load()).toEqual([]);
  } finally {
    database.close();
  }
});
