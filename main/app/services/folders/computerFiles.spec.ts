import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { AppError } from '#contract/core/errors.ts';
import { createComputerFiles, type ComputerFiles, type FilesHere } from './computerFiles.ts';

let around: string;
let home: string;
let computer: ComputerFiles;
let files: FilesHere;
/** The folders of endpoints, by their ids. */
let folders: Map<string, string>;

const create = (allowsHostShell: boolean): ComputerFiles =>
  createComputerFiles({
    dataDir: join(home, '.data', 'hangar'),
    home,
    clock: systemClock,
    allowsHostShell,
    async handlerFolder(id) {
      const folder = folders.get(id);
      if (folder !== undefined) return folder;
      throw new AppError('NOT_FOUND', 'There is no such endpoint.');
    },
  });

beforeEach(() => {
  around = mkdtempSync(join(tmpdir(), 'hangar-home-'));
  home = join(around, 'me');
  mkdirSync(join(home, '.data', 'hangar'), { recursive: true });
  writeFileSync(join(home, '.data', 'hangar', 'engine.db'), 'rows');
  writeFileSync(join(around, 'secret'), 'secret');
  writeFileSync(join(home, 'note.txt'), 'a note');
  folders = new Map();
  computer = create(true);
  files = computer.home;
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

async function* bytesOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}
const write = (path: string, texts: readonly string[], more: { lengthBytes?: number; replaces?: boolean } = {}) =>
  files.write(path, {
    body: bytesOf(...texts),
    lengthBytes: more.lengthBytes ?? texts.join('').length,
    replaces: more.replaces ?? false,
    signal: new AbortController().signal,
  });
const textOf = async (path: string, from = 0): Promise<string> =>
  Buffer.from(await files.read(path, from, 4)).toString();

describe('files of this computer', () => {
  it('are listed, read in pieces, written, moved and deleted below the home folder', async () => {
    await files.makeFolder('in');
    await write('in/b.txt', ['one', 'two']);
    expect((await files.list('in')).entries).toMatchObject([{ name: 'b.txt', kind: 'file', sizeBytes: 6 }]);
    expect(statSync(join(home, 'in/b.txt')).mode & 0o777).toBe(0o644);
    expect(await textOf('in/b.txt')).toBe('onet');
    expect(await textOf('in/b.txt', 4)).toBe('wo');
    expect(await textOf('in/b.txt', 6)).toBe('');
    await expect(write('in/b.txt', ['x'])).rejects.toMatchObject({ code: 'CONFLICT' });
    await write('in/b.txt', ['x'], { replaces: true });
    await files.move('in/b.txt', 'c.txt');
    expect(readFileSync(join(home, 'c.txt'), 'utf8')).toBe('x');
    await files.remove('in', true);
    await files.remove('c.txt');
    expect(readdirSync(home).sort()).toEqual(['.data', 'note.txt']);
    await expect(files.remove('')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('are never reached outside of the home folder, by a path or by a link', async () => {
    symlinkSync('../secret', join(home, 'link'));
    symlinkSync('..', join(home, 'up'));
    for (const path of ['../secret', '/etc/passwd', 'link', 'up/secret']) {
      await expect(files.read(path, 0, 10)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
    await expect(files.read('link', 0, 10)).rejects.toThrow(
      '"link" goes through a link that leads out of your home folder',
    );
    await expect(write('up/new', ['x'])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(readdirSync(around).sort()).toEqual(['me', 'secret']);
    expect((await files.list('')).entries.find(({ name }) => name === 'link')).toMatchObject({ kind: 'other' });
  });

  it("leave Hangar's own data alone, also by a link, and the folders that it is in", async () => {
    symlinkSync('.data/hangar', join(home, 'by-link'));
    for (const folder of ['.data/hangar', 'by-link']) {
      for (const attempt of [
        () => files.list(folder),
        () => files.read(`${folder}/engine.db`, 0, 4),
        () => write(`${folder}/new`, ['x']),
        () => write(`${folder}/engine.db`, ['x'], { replaces: true }),
        () => files.makeFolder(`${folder}/new`),
        () => files.remove(`${folder}/engine.db`),
        () => files.move('note.txt', `${folder}/note.txt`),
      ]) {
        await expect(attempt()).rejects.toThrow("is in the folder of Hangar's own data.");
      }
    }
    await expect(files.remove('.data')).rejects.toThrow("has Hangar's own data in it");
    await expect(files.move('.data', 'data')).rejects.toThrow("has Hangar's own data in it");
    expect(readFileSync(join(home, '.data/hangar/engine.db'), 'utf8')).toBe('rows');
    await files.list('.data');
  });

  it('have the code of the sample endpoints, and nothing else of the folder that it is in', async () => {
    const samples = '.data/hangar/examples';
    mkdirSync(join(home, samples, 'words'), { recursive: true });
    writeFileSync(join(home, samples, 'words', 'handler.py'), 'old');
    symlinkSync('../../engine.db', join(home, samples, 'words', 'link'));
    expect((await files.list(`${samples}/words`)).entries.map(({ name }) => name)).toContain('handler.py');
    await write(`${samples}/words/handler.py`, ['new'], { replaces: true });
    expect(await textOf(`${samples}/words/handler.py`)).toBe('new');
    for (const path of [samples, `${samples}/words/../../engine.db`, `${samples}/words/link`]) {
      await expect(files.list(path)).rejects.toThrow("is in the folder of Hangar's own data.");
      await expect(files.remove(path)).rejects.toThrow("is in the folder of Hangar's own data.");
    }
  });

  it('are complete or not there: a body that is too short, or broken off, leaves nothing', async () => {
    await expect(write('short', ['abc'], { lengthBytes: 5 })).rejects.toThrow('was not sent to its end');
    const abort = new AbortController();
    const begun = Promise.withResolvers<void>();
    async function* stuck() {
      yield Buffer.from('abc');
      begun.resolve();
      await new Promise(() => undefined);
    }
    const writing = files.write('stuck', { body: stuck(), lengthBytes: 5, replaces: false, signal: abort.signal });
    await begun.promise;
    abort.abort(new Error('enough'));
    await expect(writing).rejects.toThrow('enough');
    expect(readdirSync(home).sort()).toEqual(['.data', 'note.txt']);
  });

  it('are refused where no shell of this computer is allowed: they could start programs', async () => {
    const refusing = create(false);
    folders.set('greet', join(home, 'greet'));
    mkdirSync(join(home, 'greet'));
    expect(refusing.place).toMatchObject({ folder: home, problem: expect.stringContaining('--no-shell') });
    const refused = refusing.home;
    const { signal } = new AbortController();
    for (const attempt of [
      refused.list(''),
      refused.read('note.txt', 0, 4),
      refused.write('new', { body: bytesOf('x'), lengthBytes: 1, replaces: false, signal }),
      refused.makeFolder('new'),
      refused.move('note.txt', 'new'),
      refused.remove('note.txt'),
      refusing.handler('greet').list(''),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    }
    expect(readdirSync(home).sort()).toEqual(['.data', 'greet', 'note.txt']);
  });

  it('keep the parts that another program of Hangar may be writing, and lose those that were left long ago', async () => {
    const [fresh, old] = ['.hangar-part-0123456789abcdef', '.hangar-part-fedcba9876543210'];
    for (const part of [fresh, old]) writeFileSync(join(home, part), 'x');
    utimesSync(join(home, old), 1, 1);
    expect((await files.list('')).entries.map(({ name }) => name)).toEqual(['.data', 'note.txt']);
    expect(readdirSync(home).sort()).toEqual(['.data', fresh, 'note.txt']);
  });
});

describe('the folder of a handler', () => {
  const bodyOf = (text: string) => ({
    body: bytesOf(text),
    lengthBytes: text.length,
    replaces: true,
    signal: new AbortController().signal,
  });
  const textIn = async (id: string, path: string): Promise<string> =>
    Buffer.from(await computer.handler(id).read(path, 0, 100)).toString();

  /** A folder outside of the home folder, with links that lead out of it and inside of it. */
  function greetFolder(): string {
    const folder = join(around, 'srv', 'greet');
    mkdirSync(join(folder, 'parts'), { recursive: true });
    writeFileSync(join(folder, 'handler.py'), 'old');
    symlinkSync('../../secret', join(folder, 'link'));
    symlinkSync('../..', join(folder, 'up'));
    symlinkSync('handler.py', join(folder, 'same'));
    folders.set('greet', folder);
    return folder;
  }

  it('is read and changed, wherever it is', async () => {
    const folder = greetFolder();
    const greet = computer.handler('greet');
    expect((await greet.list('')).entries.map(({ name }) => name)).toContain('handler.py');
    await greet.write('handler.py', bodyOf('new'));
    expect(await textIn('greet', 'handler.py')).toBe('new');
    expect(await textIn('greet', 'same')).toBe('new');
    await greet.makeFolder('more');
    await greet.move('handler.py', 'more/handler.py');
    await greet.remove('parts');
    expect(readdirSync(folder).sort()).toEqual(['link', 'more', 'same', 'up']);
  });

  it('leads nowhere else: not by a link, not by "..", and not to the folder above', async () => {
    greetFolder();
    const greet = computer.handler('greet');
    for (const path of [
      'link',
      'up/secret',
      '../../secret',
      '..',
      '../greet/handler.py',
      '/etc/passwd',
      join(around),
    ]) {
      for (const attempt of [
        () => greet.read(path, 0, 10),
        () => greet.list(path),
        () => greet.write(path, bodyOf('x')),
        () => greet.watch(path, { onChange: () => undefined, onEnd: () => undefined }),
      ]) {
        await expect(attempt(), path).rejects.toMatchObject({ code: 'BAD_REQUEST' });
      }
    }
    await expect(greet.read('link', 0, 10)).rejects.toThrow('leads out of the folder of the handler');
    await expect(greet.move('handler.py', '../handler.py')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(greet.makeFolder('up/new')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(greet.remove('up/secret')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(readFileSync(join(around, 'secret'), 'utf8')).toBe('secret');
    expect(readdirSync(join(around, 'srv'))).toEqual(['greet']);
  });

  it('is closed once its endpoint is deleted, and follows an endpoint that has another folder', async () => {
    greetFolder();
    const greet = computer.handler('greet');
    await greet.list('');
    folders.delete('greet');
    await expect(greet.list('')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(greet.write('handler.py', bodyOf('x'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    folders.set('greet', home);
    expect(await textIn('greet', 'note.txt')).toBe('a note');
    await expect(greet.read('handler.py', 0, 4)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('says so in words once it is gone from the disk', async () => {
    folders.set('gone', join(around, 'srv', 'gone'));
    const gone = 'Nothing is where the folder of the handler was: it was moved or deleted.';
    await expect(computer.handler('gone').list('')).rejects.toThrow(gone);
  });

  it("opens nothing of Hangar's own data, whatever folder an endpoint names", async () => {
    folders.set('data', join(home, '.data', 'hangar'));
    folders.set('around', around);
    await expect(computer.handler('data').list('')).rejects.toThrow("is in the folder of Hangar's own data.");
    await expect(textIn('around', 'me/.data/hangar/engine.db')).rejects.toThrow(
      "is in the folder of Hangar's own data.",
    );
    await expect(computer.handler('around').remove('me/.data')).rejects.toThrow("has Hangar's own data in it");
  });
});
