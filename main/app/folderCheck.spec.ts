/** Rules of looking into a folder that is to be served, on real folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkFolder } from './folderCheck.ts';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'hangar-folder-'))));
afterEach(() => rmSync(dir, { recursive: true }));

describe('a folder that is to be served', () => {
  it('is named by its address, with the handler that would be run', async () => {
    const folder = join(dir, 'with space');
    mkdirSync(folder);
    writeFileSync(join(folder, 'handler.py'), '');
    const address = pathToFileURL(folder).href;
    expect(await checkFolder(` ${folder} `)).toEqual({
      imageName: address,
      handler: 'handler.py',
      problem: null,
      readme: null,
    });
    writeFileSync(join(folder, 'handler.mjs'), '');
    expect(await checkFolder(folder)).toMatchObject({ handler: 'handler.mjs' });
  });

  it('brings its readme along', async () => {
    writeFileSync(join(dir, 'README.md'), '# Mine\n');
    expect(await checkFolder(dir)).toMatchObject({ readme: '# Mine\n' });
  });

  it('without a handler asks for a command', async () => {
    expect(await checkFolder(dir)).toMatchObject({
      imageName: pathToFileURL(dir).href,
      handler: null,
      problem: expect.stringContaining('give the command'),
    });
  });

  it('may be named from the home folder', async () => {
    expect(await checkFolder('~')).toMatchObject({ imageName: pathToFileURL(homedir()).href });
  });

  it.each([
    ['', 'Name a folder'],
    ['relative/path', 'whole path'],
    ['/no/such/folder', 'no such folder'],
  ])('%j is refused in words', async (path, words) => {
    expect(await checkFolder(path)).toMatchObject({ imageName: null, problem: expect.stringContaining(words) });
  });

  it('is no file', async () => {
    const file = join(dir, 'handler.py');
    writeFileSync(file, '');
    expect(await checkFolder(file)).toMatchObject({ imageName: null, problem: expect.stringContaining('a file') });
  });
});
