import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../test/support/disk/smallDisk.ts';
import { createFolderFiles } from './files.ts';
import { namesOf } from './pathRules.ts';
import { needsLinux, skipFor } from '../../test/support/core/skip.ts';

const files = createFolderFiles();
/** The parent folder of the volume. Its other entries must never be touched. */
let around: string;
let root: string;
const inside = (...names: string[]): string => path.join(root, ...names);
const secret = (): string => path.join(around, 'secret');
beforeEach(() => {
  around = mkdtempSync(path.join(tmpdir(), 'hangar-files-'));
  root = path.join(around, 'volume');
  mkdirSync(path.join(around, 'elsewhere'));
  mkdirSync(root);
  writeFileSync(secret(), 'secret');
  writeFileSync(path.join(around, 'elsewhere', 'kept'), 'kept');
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const bytesOf = (...texts: string[]): AsyncIterable<Uint8Array> =>
  Readable.from(texts.map((text) => Buffer.from(text)));
const write = (at: string, text: string, more: { mayReplace?: boolean; lengthBytes?: number } = {}) =>
  files.write(root, at, bytesOf(text), { mayReplace: true, lengthBytes: null, ...more });
async function read(at: string): Promise<string> {
  const file = await files.open(root, at);
  try {
    return (await buffer(file.read(0, file.sizeBytes))).toString();
  } finally {
    await file.close();
  }
}
const namesIn = async (at: string): Promise<string[]> =>
  (await files.list(root, at)).entries.map(({ name, kind }) => `${kind} ${name}`);
/** All entries of a folder with their content. Does not follow links, because some lead back up. */
function allOf(folder: string, from = folder): Record<string, string> {
  const contents: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name);
    contents[path.relative(from, at)] = entry.isFile()
      ? readFileSync(at, 'utf8')
      : entry.isSymbolicLink()
        ? 'link'
        : '';
    if (entry.isDirectory()) Object.assign(contents, allOf(at, from));
  }
  return contents;
}

describe('files of a volume', () => {
  it('are listed with folders first, written, read in parts, moved and deleted', async () => {
    await files.makeFolder(root, 'models');
    await write('models/b.bin', 'bytes of b');
    await write('a.txt', 'a');
    expect(await namesIn('')).toEqual(['folder models', 'file a.txt']);
    const { entries, truncated } = await files.list(root, 'models');
    expect(entries).toMatchObject([{ name: 'b.bin', kind: 'file', sizeBytes: 10 }]);
    expect(truncated).toBe(false);
    const file = await files.open(root, 'models/b.bin');
    expect((await buffer(file.read(6, 8))).toString()).toBe('of');
    await file.close();
    await files.move(root, 'models', 'old');
    expect(await read('old/b.bin')).toBe('bytes of b');
    await write('old/b.bin', 'anew');
    expect(await read('old/b.bin')).toBe('anew');
    await files.remove(root, 'old');
    expect(allOf(root)).toEqual({ 'a.txt': 'a' });
  });

  it('are kept with their folder if only an empty one may be deleted', async () => {
    await files.makeFolder(root, 'full');
    await write('full/a', 'a');
    await files.makeFolder(root, 'empty');
    await expect(files.remove(root, 'full', true)).rejects.toMatchObject({ code: 'CONFLICT' });
    await files.remove(root, 'empty', true);
    expect(allOf(root)).toEqual({ full: '', 'full/a': 'a' });
  });

  it('take the place of nothing unless that is wanted', async () => {
    await write('a', 'first');
    await write('b', 'second');
    await files.makeFolder(root, 'folder');
    await expect(write('a', 'third', { mayReplace: false })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(write('folder', 'third')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(files.makeFolder(root, 'a')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(files.move(root, 'a', 'b')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(files.move(root, 'folder', 'folder/below')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(files.remove(root, '')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(allOf(root)).toEqual({ a: 'first', b: 'second', folder: '' });
  });

  it('of which there are too many are told as far as the limit goes, and that there are more', async () => {
    const most = limits.volumeFiles.entries;
    for (let n = 0; n < most + 5; n++) writeFileSync(inside(`${n}`), '');
    mkdirSync(inside('zoo'));
    const { entries, truncated } = await files.list(root, '');
    expect(entries).toHaveLength(most);
    expect(entries[0]).toMatchObject({ name: 'zoo', kind: 'folder' });
    expect(truncated).toBe(true);
  });

  it('free the memory of their pieces once these are on the disk', async () => {
    const pieces = Array.from({ length: 40 }, (_, at) => new Uint8Array(64 * 1024).fill(at));
    const whole = Buffer.concat(pieces);
    await files.write(root, 'a', Readable.from(pieces), { mayReplace: false, lengthBytes: whole.length });
    expect(readFileSync(inside('a')).equals(whole)).toBe(true);
    expect(pieces.map(({ length }) => length)).toEqual(Array(pieces.length).fill(0));
  });

  it('that were not sent to their end leave nothing behind', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      await Promise.reject(new Error('gone'));
    }
    const writing = files.write(root, 'a', broken(), { mayReplace: true, lengthBytes: null });
    await expect(writing).rejects.toThrow('gone');
    expect(allOf(root)).toEqual({});
  });

  it('that an engine was writing when it was killed are cleared away when their folder is listed', async () => {
    writeFileSync(inside('.hangar-part-0123456789abcdef'), 'half');
    expect(await namesIn('')).toEqual([]);
    expect(allOf(root)).toEqual({});
  });

  it('that do not fit on the disk are refused, and leave the disk as it was', skipFor(whyNoSmallDisk()), async () => {
    using disk = mountSmallDisk(4);
    root = disk.folder;
    await write('there', 'already');
    const before = disk.freeBytes();
    await expect(write('a', 'x', { lengthBytes: before + 1 })).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    const piece = 'x'.repeat(1024 * 1024);
    const large = files.write(root, 'there', bytesOf(...Array<string>(6).fill(piece)), {
      mayReplace: true,
      lengthBytes: null,
    });
    await expect(large).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(allOf(root)).toEqual({ there: 'already' });
    expect(disk.freeBytes()).toBe(before);
  });

  it('lie in folders of any depth, and go with the folder above them', async () => {
    let at = inside('deep');
    mkdirSync(at);
    for (let depth = 0; depth < 300; depth++) mkdirSync((at = path.join(at, 'd')));
    writeFileSync(path.join(at, 'file'), '');
    mkdirSync(inside('deep', Buffer.from([0x66, 0xff]).toString('latin1')));
    symlinkSync(path.join(around, 'elsewhere'), inside('deep', 'link'));
    await files.remove(root, 'deep');
    expect(readdirSync(around).sort()).toEqual(['elsewhere', 'secret', 'volume']);
    expect(allOf(root)).toEqual({});
    expect(allOf(path.join(around, 'elsewhere'))).toEqual({ kept: 'kept' });
  });
});

describe('links in a volume', () => {
  it('are followed as long as they stay in it', async () => {
    mkdirSync(inside('blobs'));
    mkdirSync(inside('snapshots', 'main'), { recursive: true });
    writeFileSync(inside('blobs', 'sha'), 'weights');
    symlinkSync('../../blobs/sha', inside('snapshots', 'main', 'model'));
    symlinkSync(inside('blobs'), inside('absolute'));
    expect(await read('snapshots/main/model')).toBe('weights');
    expect(await read('absolute/sha')).toBe('weights');
    expect(await namesIn('snapshots/main')).toEqual(['file model']);
    expect(await namesIn('')).toEqual(['folder absolute', 'folder blobs', 'folder snapshots']);
    const { entries } = await files.list(root, '');
    expect(entries.filter(({ isLink }) => isLink).map(({ name }) => name)).toEqual(['absolute']);
    await files.remove(root, 'absolute');
    expect(await read('blobs/sha')).toBe('weights');
  });

  it('that lead out of it are told and not opened, by whatever way', async () => {
    symlinkSync(secret(), inside('file'));
    symlinkSync('../elsewhere', inside('folder'));
    symlinkSync('folder', inside('again'));
    symlinkSync('.', inside('here'));
    symlinkSync('loop', inside('loop'));
    expect(await namesIn('')).toEqual(['folder here', 'other again', 'other file', 'other folder', 'other loop']);
    const refused = { code: 'BAD_REQUEST' };
    for (const at of ['file', 'folder/kept', 'again/kept', 'here/here/folder/kept', 'loop', 'loop/a']) {
      await expect(read(at), at).rejects.toMatchObject(refused);
      await expect(write(at, 'x'), at).rejects.toMatchObject(refused);
    }
    await expect(files.list(root, 'folder')).rejects.toMatchObject(refused);
    await expect(files.makeFolder(root, 'folder/new')).rejects.toMatchObject(refused);
    await expect(files.remove(root, 'folder/kept')).rejects.toMatchObject(refused);
    await expect(files.move(root, 'folder/kept', 'mine')).rejects.toMatchObject(refused);
    await expect(files.move(root, 'here', 'folder/here')).rejects.toMatchObject(refused);
    await files.remove(root, 'folder');
    await files.move(root, 'file', 'moved');
    expect(await namesIn('')).toContain('other moved');
    expect(readFileSync(secret(), 'utf8')).toBe('secret');
    expect(allOf(path.join(around, 'elsewhere'))).toEqual({ kept: 'kept' });
  });

  it('that are put in the way while something is written lead it nowhere else', needsLinux, async () => {
    mkdirSync(inside('turning'));
    symlinkSync(path.join(around, 'elsewhere'), inside('trap'));
    let swapping = true;
    let swaps = 0;
    const swap = async (): Promise<void> => {
      for (; swapping; swaps++) {
        renameSync(inside('turning'), inside('away'));
        renameSync(inside('trap'), inside('turning'));
        await new Promise(setImmediate);
        renameSync(inside('turning'), inside('trap'));
        renameSync(inside('away'), inside('turning'));
        await new Promise(setImmediate);
      }
    };
    const swapped = swap();
    const results: PromiseSettledResult<void>[] = [];
    const writeOne = async (n: number): Promise<void> => {
      await write(`turning/${n}`, 'x');
      await files.move(root, `turning/${n}`, `turning/moved-${n}`);
      await read('turning/kept').then(
        () => Promise.reject(new Error('read what is elsewhere')),
        () => undefined,
      );
      await files.remove(root, `turning/moved-${n}`);
    };
    // On a busy machine nothing may be swapped while the first of them are written.
    while (swaps < 100) {
      results.push(...(await Promise.allSettled(Array.from({ length: 300 }, (_, n) => writeOne(n)))));
    }
    swapping = false;
    await swapped;
    expect(results.map((result) => (result.status === 'rejected' ? String(result.reason) : ''))).not.toContain(
      'Error: read what is elsewhere',
    );
    expect(allOf(path.join(around, 'elsewhere'))).toEqual({ kept: 'kept' });
  });
});

describe('paths', () => {
  it('name what lies in the volume, and nothing else', () => {
    expect(namesOf('')).toEqual([]);
    expect(namesOf('a/b c/ü.bin')).toEqual(['a', 'b c', 'ü.bin']);
    for (const refused of [
      '/',
      '/etc',
      '..',
      'a/..',
      'a/../b',
      '.',
      './a',
      'a//b',
      'a/',
      'a\0b',
      '\ud800',
      'x'.repeat(256),
      'ü'.repeat(128),
      Array(101).fill('a').join('/'),
      '.hangar-part-0123456789abcdef',
    ]) {
      expect(() => namesOf(refused), refused).toThrow(/^The path /);
    }
    for (const refused of ['a\\b', '..\\a', 'c:', 'c:\\a', 'a:stream', 'nul', 'con.txt', 'a.', 'a ', 'a*']) {
      expect(() => namesOf(refused, 'win32'), refused).toThrow(/^The path /);
    }
  });

  it('of whatever kind change nothing outside of the volume and read nothing there', async () => {
    const name = fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'out',
        'up',
        'in',
        '..',
        '.',
        '',
        '/',
        '\0',
        '\\',
        'elsewhere',
        'kept',
        'secret',
        '~',
        '%2e%2e',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constant('x'.repeat(300)),
      fc.constantFrom('out/kept', 'out/new', 'a/up/secret', 'a/up/new', 'a/up/elsewhere/kept', 'in/b', 'up/secret'),
    );
    const paths = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    const step = fc.record({
      does: fc.constantFrom('list', 'read', 'write', 'remove', 'makeFolder', 'move' as const),
      at: paths,
      to: paths,
    });
    const outside = (): Record<string, string> => {
      const { volume: _volume, ...rest } = Object.fromEntries(
        Object.entries(allOf(around)).filter(([at]) => !at.startsWith('volume/')),
      );
      return rest;
    };
    const before = outside();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        rmSync(root, { recursive: true, force: true });
        mkdirSync(inside('a', 'b'), { recursive: true });
        symlinkSync(path.join(around, 'elsewhere'), inside('out'));
        symlinkSync('../..', inside('a', 'up'));
        symlinkSync('a/b', inside('in'));
        for (const { does, at, to } of steps) {
          const done: Promise<unknown> = {
            list: () => files.list(root, at),
            read: () => read(at),
            write: () => write(at, 'written'),
            remove: () => files.remove(root, at),
            makeFolder: () => files.makeFolder(root, at),
            move: () => files.move(root, at, to),
          }[does]();
          const answer = await done.catch((error: unknown) => {
            expect(['BAD_REQUEST', 'NOT_FOUND', 'CONFLICT']).toContain((error as { code: string }).code);
          });
          expect(['secret', 'kept']).not.toContain(answer);
        }
        expect(outside()).toEqual(before);
        expect(statSync(root).isDirectory()).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});
