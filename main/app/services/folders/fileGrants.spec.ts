import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { needsPosix } from '../../../../test/support/core/skip.ts';
import { createFileGrants, type FileGrants } from './fileGrants.ts';

/** More than one piece of a read. */
const content = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251));

let home: string;
let grants: FileGrants;
const at = (...names: string[]): string => join(home, ...names);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hangar-grants-'));
  mkdirSync(at('data', 'volumes', 'v'), { recursive: true });
  grants = createFileGrants({ dataDir: at('data') });
  writeFileSync(at('a.bin'), content);
});
afterEach(() => rmSync(home, { recursive: true }));

/** What a page knows of a file. */
function factsOf(path: string) {
  const { size: sizeBytes, mtimeMs } = statSync(path);
  return { sizeBytes, modifiedAt: Math.floor(mtimeMs) };
}

/** A grant of one file, as the page reads it. */
const granted = (path: string) => ({ grantId: grants.grant(path), path: '', ...factsOf(path) });

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

/** A socket in the file system, which is neither a file nor a folder. */
async function listening(path: string) {
  const server = createServer().listen(path);
  await once(server, 'listening');
  return server;
}

const changed = { code: 'CONFLICT', details: { sourceChanged: true } };

describe('a granted file', () => {
  it('is read in full, once', async () => {
    const file = granted(at('a.bin'));
    expect((await whole(grants.read(file))).equals(content)).toBe(true);
    await expect(whole(grants.read(file))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('may be empty, or a link that the person chose', async () => {
    writeFileSync(at('empty'), '');
    expect(await whole(grants.read(granted(at('empty'))))).toHaveLength(0);
    symlinkSync(at('a.bin'), at('link'));
    expect((await whole(grants.read(granted(at('link'))))).equals(content)).toBe(true);
  });

  it('is refused if it is no longer what the page knows of it', async () => {
    const longer = granted(at('a.bin'));
    appendFileSync(at('a.bin'), 'x');
    await expect(whole(grants.read(longer))).rejects.toMatchObject(changed);
    const longerOnly = granted(at('a.bin'));
    appendFileSync(at('a.bin'), 'x');
    utimesSync(at('a.bin'), 0, longerOnly.modifiedAt / 1000);
    await expect(whole(grants.read(longerOnly))).rejects.toMatchObject(changed);
    const later = granted(at('a.bin'));
    utimesSync(at('a.bin'), new Date(0), new Date(0));
    await expect(whole(grants.read(later))).rejects.toMatchObject(changed);
    const removed = granted(at('a.bin'));
    rmSync(at('a.bin'));
    await expect(whole(grants.read(removed))).rejects.toMatchObject(changed);
  });

  it.each([
    ['grows', () => appendFileSync(at('a.bin'), 'x')],
    ['becomes shorter', () => truncateSync(at('a.bin'), 300_000)],
    ['is written with the same size', () => utimesSync(at('a.bin'), new Date(0), new Date(0))],
    ['is removed', () => rmSync(at('a.bin'))],
  ])('that %s while it is read never comes with its last bytes', async (_, change) => {
    const file = granted(at('a.bin'));
    let bytes = 0;
    const reading = async () => {
      for await (const piece of grants.read(file)) {
        if (bytes === 0) change();
        bytes += piece.length;
      }
    };
    await expect(reading()).rejects.toMatchObject(changed);
    expect(bytes).toBeLessThan(content.length);
  });

  it('is a file: a folder and a socket are refused', needsPosix, async () => {
    await expect(whole(grants.read(granted(at('data', 'volumes'))))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await using _socket = await listening(at('socket'));
    await expect(whole(grants.read(granted(at('socket'))))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is not one of Hangar’s own data, also by a link, unless it is in a volume', async () => {
    writeFileSync(at('data', 'vault.json'), '{}');
    symlinkSync(at('data', 'vault.json'), at('innocent'));
    for (const path of [at('data', 'vault.json'), at('innocent')]) {
      await expect(whole(grants.read(granted(path)))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    writeFileSync(at('data', 'volumes', 'v', 'a'), 'mine');
    expect(String(await whole(grants.read(granted(at('data', 'volumes', 'v', 'a')))))).toBe('mine');
  });
});

describe('a granted folder', () => {
  beforeEach(() => {
    mkdirSync(at('photos', 'of 2025', 'none'), { recursive: true });
    writeFileSync(at('photos', 'b'), 'bb');
    writeFileSync(at('photos', 'of 2025', 'a'), 'a');
  });

  it('has all files below it, and counts links and sockets without following them', needsPosix, async () => {
    symlinkSync(at('a.bin'), at('photos', 'link'));
    symlinkSync(home, at('photos', 'round'));
    await using _socket = await listening(at('photos', 'of 2025', 'socket'));
    const read = await grants.list(grants.grant(at('photos')));
    expect(read.files.map(({ path, sizeBytes }) => [path, sizeBytes])).toEqual([
      ['b', 2],
      ['of 2025/a', 1],
    ]);
    expect(read).toMatchObject({ emptyFolders: ['of 2025/none'], unread: [], leftOut: 3 });
  });

  it('has its files read as often as wanted, and nothing outside of it', async () => {
    symlinkSync(at('a.bin'), at('photos', 'link'));
    const grantId = grants.grant(at('photos'));
    const { files } = await grants.list(grantId);
    for (let time = 0; time < 2; time += 1) {
      for (const file of files) await whole(grants.read({ grantId, ...file }));
    }
    for (const path of ['../a.bin', 'link', '/etc/passwd', 'of 2025/../../a.bin']) {
      await expect(whole(grants.read({ grantId, path, ...factsOf(at('a.bin')) })), path).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
  });

  it('leaves out Hangar’s own data, whose files are not read by a guess, either', async () => {
    writeFileSync(at('data', 'vault.json'), '{}');
    symlinkSync(at('data'), at('photos', 'data'));
    const grantId = grants.grant(home);
    const { files, leftOut } = await grants.list(grantId);
    expect(files.filter(({ path }) => path.startsWith('data/'))).toEqual([]);
    expect(leftOut).toBe(2);
    for (const path of ['data/vault.json', 'photos/data/vault.json']) {
      const guess = { grantId, path, ...factsOf(at('data', 'vault.json')) };
      await expect(whole(grants.read(guess)), path).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await expect(grants.list(grants.grant(at('data')))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('that is empty, gone or a file says so', async () => {
    expect(await grants.list(grants.grant(at('photos', 'of 2025', 'none')))).toMatchObject({ emptyFolders: [''] });
    await expect(grants.list(grants.grant(at('away')))).rejects.toMatchObject(changed);
    await expect(grants.list(grants.grant(at('a.bin')))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

it('only the newest grants are kept, and a path that is not whole gets none', async () => {
  const first = granted(at('a.bin'));
  const second = granted(at('a.bin'));
  for (let count = 0; count < limits.page.grants.most - 1; count += 1) grants.grant(at('a.bin'));
  await expect(whole(grants.read(first))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await whole(grants.read(second))).toHaveLength(content.length);
  expect(() => grants.grant('a.bin')).toThrow('whole path');
});
