import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { needsPosix } from '../../../../test/support/core/skip.ts';
import { folderSize } from './folderSize.ts';

const MB = 1024 * 1024;
const never = new AbortController().signal;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-size-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a folder takes what all files below it take, without what links lead to', needsPosix, async () => {
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'one'), Buffer.alloc(2 * MB, 1));
  writeFileSync(join(folder, 'a/b/two'), Buffer.alloc(3 * MB, 1));
  symlinkSync('/', join(folder, 'a/root'));
  // The holes of a file take nothing.
  writeFileSync(join(folder, 'a/holes'), '');
  truncateSync(join(folder, 'a/holes'), 500 * MB);
  const { bytes, isWhole } = await folderSize(folder, never);
  expect(Math.round(bytes / MB)).toBe(5);
  expect(isWhole).toBe(true);
  expect(Math.round((await folderSize(join(folder, 'one'), never)).bytes / MB)).toBe(2);
});

it('nothing takes no space, and a count that is ended says that it is not whole', async () => {
  expect(await folderSize(join(folder, 'none'), never)).toEqual({ bytes: 0, isWhole: true });
  writeFileSync(join(folder, 'one'), 'text');
  expect(await folderSize(folder, AbortSignal.abort())).toEqual({ bytes: 0, isWhole: false });
});
