import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { hasArrived } from './folders/movedFolder.ts';
import { readJsonFile } from './jsonFile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-json-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const schema = z.object({ to: z.string() });

test('a file that is not there has no value', () => {
  expect(readJsonFile(join(folder, 'none.json'), schema)).toBeNull();
  expect(readJsonFile(join(folder, 'none', 'none.json'), schema)).toBeNull();
});

test.each(['{"to":', '{"to":5}'])('a damaged file is named: %s', (text) => {
  const file = join(folder, 'moved.json');
  writeFileSync(file, text);
  expect(() => readJsonFile(file, schema)).toThrow(`${file} cannot be read: `);
});

test('a folder in the place of a file is told as such', () => {
  mkdirSync(join(folder, 'moved.json'));
  expect(() => readJsonFile(join(folder, 'moved.json'), schema)).toThrow(
    'moved.json cannot be read: it is a folder. Move that elsewhere, or restore the file from a backup.',
  );
});

test('a folder with a damaged mark of a move does not count as complete', () => {
  expect(hasArrived(folder)).toBe(true);
  writeFileSync(join(folder, 'arriving.json'), '{');
  expect(() => hasArrived(folder)).toThrow('arriving.json cannot be read');
});
