/** Rules of the list in which a person chooses a folder, on real folders. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listFolder } from './listing.ts';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'hangar-listing-'))));
afterEach(() => rmSync(dir, { recursive: true }));

describe('the list of a folder', () => {
  it('has folders first, then files, each by name with numbers in their order', async () => {
    for (const name of ['part10', 'part2']) mkdirSync(join(dir, name));
    for (const name of ['b.txt', 'a.txt']) writeFileSync(join(dir, name), '');
    const { entries, path, parent, rest, isCut } = await listFolder(dir);
    expect(entries).toEqual([
      { name: 'part2', isFolder: true },
      { name: 'part10', isFolder: true },
      { name: 'a.txt', isFolder: false },
      { name: 'b.txt', isFolder: false },
    ]);
    expect({ path, parent, rest, isCut }).toEqual({ path: dir, parent: tmpdir(), rest: '', isCut: false });
  });

  it('counts a link as what it leads to, and leaves out one that leads nowhere', async () => {
    mkdirSync(join(dir, 'real'));
    symlinkSync(join(dir, 'real'), join(dir, 'link'));
    symlinkSync(join(dir, 'gone'), join(dir, 'dead'));
    expect((await listFolder(dir)).entries).toEqual([
      { name: 'link', isFolder: true },
      { name: 'real', isFolder: true },
    ]);
  });

  it('is of the closest folder above where a path is not there, and says what is left of it', async () => {
    expect(await listFolder(join(dir, 'not', 'there'))).toMatchObject({ path: dir, rest: join('not', 'there') });
    writeFileSync(join(dir, 'file'), '');
    expect(await listFolder(join(dir, 'file'))).toMatchObject({ path: dir, rest: 'file' });
  });

  it('begins in the home folder, which ~ means as well', async () => {
    expect((await listFolder('')).path).toBe(homedir());
    expect((await listFolder('~')).path).toBe(homedir());
  });

  it('has no folder above the root, and refuses a path that is not whole', async () => {
    expect((await listFolder(parse(dir).root)).parent).toBeNull();
    await expect(listFolder('projects')).rejects.toThrow('Write the whole path');
  });

  it('is cut at 2000 entries, and says so', async () => {
    for (let index = 0; index <= 2000; index++) writeFileSync(join(dir, `${index}`), '');
    const { entries, isCut } = await listFolder(dir);
    expect(entries).toHaveLength(2000);
    expect(isCut).toBe(true);
  });
});
