/** The copy before the first start of another version, and the error for a file of a newer version. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenOptions } from './database.ts';
import { migrations } from './migrations/index.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-version-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const start = (version: string, more: OpenOptions = {}): void => openDatabase(dir, { version, ...more }).close();
const copies = (): string[] => {
  const withoutTime = (name: string): string => name.replace(/^engine-[\dTZ-]{24}-/, '');
  return readdirSync(join(dir, 'backups')).map(withoutTime);
};

test('a new file is not copied, nor is one at a later start of the same version', () => {
  start('1.0.0');
  start('1.0.0');
  expect(readdirSync(dir)).toEqual(['engine.db']);
});

test('the file is copied before the first start of another version, and only the newest such copy is kept', () => {
  const first = openDatabase(dir, { version: '1.0.0' });
  first.exec(`INSERT INTO meta (name, value) VALUES ('mine', '1')`);
  first.close();
  start('1.1.0');
  const [name = ''] = readdirSync(join(dir, 'backups'));
  const copy = new DatabaseSync(join(dir, 'backups', name), { readOnly: true });
  const values = copy.prepare(`SELECT name, value FROM meta ORDER BY name`).all();
  copy.close();
  expect(values).toMatchObject([
    { name: 'mine', value: '1' },
    { name: 'writtenBy', value: '"1.0.0"' },
  ]);
  start('1.1.0');
  expect(copies()).toEqual(['before-1.1.0.db']);
  start('1.2.0-beta.1');
  expect(copies()).toEqual(['before-1.2.0-beta.1.db']);
});

test('a file whose schema changes is copied once', () => {
  openDatabase(dir, { steps: migrations.slice(0, -1) }).close();
  start('1.1.0');
  expect(copies()).toEqual([`schema${migrations.length - 1}.db`]);
});

test('a copy that cannot be made is reported, and the start goes on', () => {
  start('1.0.0');
  writeFileSync(join(dir, 'backups'), 'in the way');
  const problems: unknown[] = [];
  start('1.1.0', { onUncopied: (error) => problems.push(error) });
  expect(problems).toHaveLength(1);
  start('1.1.0', { onUncopied: (error) => problems.push(error) });
  expect(problems).toHaveLength(1);
});

test('a file of a newer schema is refused with the version that wrote it', () => {
  start('2.5.0', { steps: [...migrations, 'CREATE TABLE other (a)'] });
  expect(() => start('2.4.0')).toThrow(
    `was written by a newer Hangar (Hangar 2.5.0, schema ${migrations.length + 1}; this one knows ${migrations.length}). ` +
      'Nothing was changed. Use that version, or start with another data folder.',
  );
});
