/** Rules of creating a folder of this computer, on real folders. */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { needsPosix } from '../../../../test/support/core/skip.ts';
import { makeFolder } from './newFolder.ts';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'hangar-folder-'))));
afterEach(() => rmSync(dir, { recursive: true }));

it('a new folder has the permissions that the umask of the person leaves', needsPosix, async () => {
  const own = process.umask(0o077);
  try {
    await makeFolder(join(dir, 'new'), 0o022);
  } finally {
    process.umask(own);
  }
  expect((statSync(join(dir, 'new')).mode & 0o777).toString(8)).toBe('755');
});

it('a folder that is there, and one in a folder that is not there, is refused with what to do', async () => {
  mkdirSync(join(dir, 'old'));
  await expect(makeFolder(join(dir, 'old'), 0o022)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: `${join(dir, 'old')} is there already. Choose another name.`,
  });
  await expect(makeFolder(join(dir, 'gone', 'new'), 0o022)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: `${join(dir, 'gone')} is not there. Check its spelling, or choose another folder.`,
  });
});
