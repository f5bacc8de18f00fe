import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataUnreadableError } from '../sqlite/database.ts';
import { folderKey, readFolderKey } from './folderKey.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hangar-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the key is made once', () => {
  expect(readFolderKey(folder)).toBeNull();
  const key = folderKey(folder);
  expect(folderKey(folder)).toEqual(key);
  expect(readFolderKey(folder)).toEqual(key);
});

test('a file of another length is no key', () => {
  writeFileSync(path.join(folder, 'folder-key'), 'short');
  expect(readFolderKey(folder)).toBeNull();
});

test('a key that cannot be read is an error, and no missing key', () => {
  mkdirSync(path.join(folder, 'folder-key'));
  expect(() => readFolderKey(folder)).toThrow('folder-key cannot be read: it is a folder. Move that elsewhere.');
  expect(() => folderKey(folder)).toThrow(DataUnreadableError);
});
