/** Rules of looking into a folder that is to be served, on real folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FolderReading } from '#contract/local/folder.ts';
import { checkFolder } from './folderCheck.ts';

const reading: FolderReading = {
  file: 'src/handler.py',
  python: null,
  environmentSource: null,
  notices: [],
  problem: null,
  template: {},
  endpoint: {},
  presets: [],
  tests: 0,
};
let imageNames: string[];
/** Stands for the engine, which answers over HTTP. */
function read(imageName: string): Promise<FolderReading> {
  imageNames.push(imageName);
  return Promise.resolve(reading);
}
let dir: string;
beforeEach(() => (imageNames = []));
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'hangar-folder-'))));
afterEach(() => rmSync(dir, { recursive: true }));

describe('a folder that is to be served', () => {
  it('is named by its address, with what the engine reads in it', async () => {
    const folder = join(dir, 'with space');
    mkdirSync(folder);
    const address = pathToFileURL(folder).href;
    expect(await checkFolder(` ${folder} `, read)).toEqual({
      imageName: address,
      handler: 'src/handler.py',
      problem: null,
      isEmpty: true,
      folderOfFile: null,
      readme: null,
      reading,
    });
    expect(imageNames).toEqual([address]);
  });

  it('brings its readme along', async () => {
    writeFileSync(join(dir, 'README.md'), '# Mine\n');
    expect(await checkFolder(dir, read)).toMatchObject({ readme: '# Mine\n' });
  });

  it('without a handler tells what the engine says is missing', async () => {
    const missing = { ...reading, file: null, problem: 'There is no handler.' };
    expect(await checkFolder(dir, () => Promise.resolve(missing))).toMatchObject({
      imageName: pathToFileURL(dir).href,
      handler: null,
      problem: 'There is no handler.',
    });
  });

  it('may be named from the home folder', async () => {
    expect(await checkFolder('~', read)).toMatchObject({ imageName: pathToFileURL(homedir()).href });
  });

  it.each([
    ['', 'Name a folder'],
    ['relative/path', 'whole path'],
    ['/no/such/folder', 'no such folder'],
  ])('%j is refused in words', async (path, words) => {
    expect(await checkFolder(path, read)).toMatchObject({ imageName: null, problem: expect.stringContaining(words) });
  });

  it('is empty with what tools put there, and not with a file of a person', async () => {
    mkdirSync(join(dir, '.git'));
    expect(await checkFolder(dir, read)).toMatchObject({ isEmpty: true });
    writeFileSync(join(dir, 'notes.txt'), '');
    expect(await checkFolder(dir, read)).toMatchObject({ isEmpty: false });
  });

  it.each([
    ['rp_handler.py', /^rp_handler\.py is a file\. Choose the folder that it is in: Hangar finds the handler there\.$/],
    ['main.py', /^main\.py is a file, and not one that Hangar runs as a handler \(handler\.mjs, .*handler\.py\)\./],
  ])('is no file: %s leads to its folder', async (name, problem) => {
    const file = join(dir, name);
    writeFileSync(file, '');
    expect(await checkFolder(file, read)).toMatchObject({
      imageName: null,
      problem: expect.stringMatching(problem),
      folderOfFile: dir,
    });
    expect(await checkFolder(join(file, 'below'), read)).toMatchObject({
      problem: 'A part of this path is a file, not a folder.',
      folderOfFile: null,
    });
  });
});
