/** Which permissions of a data folder stay after a start, on real files. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mountSmallDisk, whyNoSmallDisk } from '../../../test/support/disk/smallDisk.ts';
import { FolderUnusableError, makeContentPrivate, makeFilesPrivate, makePrivateFolder } from './privateFolder.ts';
import { needsLinux, needsPosix } from '../../../test/support/core/skip.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-private-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const modeOf = (...names: string[]): string => (statSync(join(dir, ...names)).mode & 0o777).toString(8);

function makeFile(mode: number, ...names: string[]): void {
  const path = join(dir, ...names);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, 'x');
  chmodSync(path, mode);
}

describe('a data folder', needsPosix, () => {
  test('that other users may read is for its owner only after a start', () => {
    chmodSync(dir, 0o755);
    expect(makePrivateFolder(dir)).toBeNull();
    expect(modeOf()).toBe('700');
  });

  test('that is missing is made for its owner only', () => {
    expect(makePrivateFolder(join(dir, 'a', 'b'))).toBeNull();
    expect(modeOf('a', 'b')).toBe('700');
  });

  test('that lies on a read-only disk is told as such, with what to do', ({ skip }) => {
    const noDisk = whyNoSmallDisk();
    if (noDisk !== null) skip(noDisk);
    using disk = mountSmallDisk(1);
    mkdirSync(join(disk.folder, 'there'));
    disk.makeReadOnly();
    for (const folder of [join(disk.folder, 'there'), join(disk.folder, 'a', 'b')]) {
      expect(() => makePrivateFolder(folder)).toThrow(
        new FolderUnusableError(
          `The folder ${folder} cannot be written: its disk is read-only. Make the disk writable, or name another folder.`,
        ),
      );
    }
  });

  test('in whose place a file lies is told as such', () => {
    makeFile(0o600, 'file');
    for (const folder of [join(dir, 'file'), join(dir, 'file', 'a', 'b')]) {
      expect(() => makePrivateFolder(folder)).toThrow(`${folder} cannot be written: a file is in the way.`);
    }
  });

  test('that no file system can make is told as such', needsLinux, () => {
    symlinkSync('loop', join(dir, 'loop'));
    for (const [folder, why] of [
      ['/proc/hangar/data', 'the system keeps no files there. Name a folder on a disk.'],
      [join(dir, 'x'.repeat(300)), 'its name is too long. Name another folder.'],
      [join(dir, 'loop', 'a'), 'a link in its path leads back to itself.'],
    ] as const) {
      expect(() => makePrivateFolder(folder)).toThrow(`${folder} cannot be written: ${why}`);
    }
  });

  test('has no file and no folder left that other users may read, and programs in it can still be run', async () => {
    makeFile(0o644, 'engine.db');
    makeFile(0o664, 'engine.db.damaged-x');
    makeFile(0o666, 'logs', 'app.log');
    makeFile(0o644, 'backups', 'ledger-version1.db');
    makeFile(0o755, 'examples', 'one', 'run.sh');
    makeFile(0o644, 'somebody-put-it-here.csv');
    chmodSync(join(dir, 'logs'), 0o777);
    expect(await makeContentPrivate(dir)).toEqual([]);
    expect(modeOf('engine.db')).toBe('600');
    expect(modeOf('engine.db.damaged-x')).toBe('600');
    expect(modeOf('logs')).toBe('700');
    expect(modeOf('logs', 'app.log')).toBe('600');
    expect(modeOf('backups', 'ledger-version1.db')).toBe('600');
    expect(modeOf('examples', 'one', 'run.sh')).toBe('700');
    expect(modeOf('somebody-put-it-here.csv')).toBe('600');
  });

  test('keeps the permissions within volumes, which containers of other users need, and closes the folder above them', async () => {
    makeFile(0o644, 'volumes', 'mine', 'model.bin');
    makeFile(0o644, 'pods', 'p1', 'state');
    chmodSync(join(dir, 'volumes', 'mine'), 0o755);
    chmodSync(join(dir, 'volumes'), 0o755);
    await makeContentPrivate(dir);
    expect(modeOf('volumes')).toBe('700');
    expect(modeOf('volumes', 'mine')).toBe('755');
    expect(modeOf('volumes', 'mine', 'model.bin')).toBe('644');
    expect(modeOf('pods', 'p1', 'state')).toBe('644');
  });

  test('has private databases at once: their logs get the same permissions', () => {
    makeFile(0o644, 'engine.db');
    makeFile(0o644, 'blobs', 'body');
    makeFile(0o644, 'outside');
    mkdirSync(join(dir, 'data'));
    makeFile(0o644, 'data', 'engine.db');
    symlinkSync(join(dir, 'outside'), join(dir, 'data', 'link'));
    makeFilesPrivate(join(dir, 'data'));
    expect(modeOf('data', 'engine.db')).toBe('600');
    expect(modeOf('outside')).toBe('644');
    makeFilesPrivate(dir);
    expect([modeOf('engine.db'), modeOf('blobs', 'body')]).toEqual(['600', '644']);
  });

  test('follows no link out of it', async () => {
    makeFile(0o644, 'outside', 'file');
    mkdirSync(join(dir, 'data'));
    symlinkSync(join(dir, 'outside'), join(dir, 'data', 'folder'));
    symlinkSync(join(dir, 'outside', 'file'), join(dir, 'data', 'file'));
    expect(await makeContentPrivate(join(dir, 'data'))).toEqual([]);
    expect(modeOf('outside', 'file')).toBe('644');
  });

  test('whose content cannot be listed is told, with the reason', async () => {
    makeFile(0o600, 'file');
    const notAFolder = join(dir, 'file');
    expect(await makeContentPrivate(notAFolder)).toEqual([
      { path: notAFolder, reason: expect.stringContaining('ENOTDIR') as unknown },
    ]);
    expect(await makeContentPrivate(join(dir, 'removed-meanwhile'))).toEqual([]);
  });

  test('that stays open to others is told, with the reason', async ({ skip }) => {
    // Nothing refuses root; the file system of processes does.
    const unchangeable = '/proc/self';
    if (process.platform !== 'linux') skip('only Linux has files that nobody can change');
    const open = await makeContentPrivate(join(unchangeable, 'task'));
    expect(open[0]?.reason).toContain('EPERM');
  });
});
