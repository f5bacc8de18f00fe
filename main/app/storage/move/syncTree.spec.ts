import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PARTIAL } from './copyFile.ts';
import { syncTree, type SyncOptions } from './syncTree.ts';

let root: string;
const at = (path: string): string => join(root, path);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hangar-sync-'));
  mkdirSync(at('from/volumes'), { recursive: true });
  mkdirSync(at('to'));
});
afterEach(() => rmSync(root, { recursive: true }));

const MINUTE = 60_000;
function sync(options: Partial<SyncOptions> = {}) {
  return syncTree({
    from: at('from'),
    to: at('to'),
    skips: (name) => name === 'moving.json',
    links: false,
    changedAfter: Date.now() + MINUTE,
    isFinal: true,
    onFile: () => undefined,
    signal: new AbortController().signal,
    ...options,
  });
}

describe('a folder that is made the same', () => {
  it('gets contents, permissions, times and links, and loses what the source has not', async () => {
    writeFileSync(at('from/volumes/a'), 'content');
    chmodSync(at('from/volumes/a'), 0o751);
    utimesSync(at('from/volumes/a'), 1000, 2000);
    symlinkSync(at('from/volumes/a'), at('from/inside'));
    symlinkSync('/elsewhere', at('from/outside'));
    writeFileSync(at('from/moving.json'), '');
    writeFileSync(at('to/left'), 'of an earlier try');
    await sync();
    expect(readFileSync(at('to/volumes/a'), 'utf8')).toBe('content');
    const { mode, mtimeMs } = statSync(at('to/volumes/a'));
    expect([mode & 0o777, mtimeMs]).toEqual([0o751, 2_000_000]);
    expect(readlinkSync(at('to/inside'))).toBe(at('to/volumes/a'));
    expect(readlinkSync(at('to/outside'))).toBe('/elsewhere');
    for (const name of ['left', 'moving.json'])
      expect(statSync(at(`to/${name}`), { throwIfNoEntry: false })).toBe(undefined);
  });

  it('keeps files that are the same, unless they changed after the start of the move', async () => {
    writeFileSync(at('from/a'), 'one');
    await sync();
    const { ino } = statSync(at('to/a'));
    await sync();
    expect(statSync(at('to/a')).ino).toBe(ino);
    // The same size and time, as some programs restore it, and other content.
    const { mtime } = statSync(at('from/a'));
    writeFileSync(at('from/a'), 'two');
    utimesSync(at('from/a'), mtime, mtime);
    await sync({ changedAfter: 0 });
    expect(readFileSync(at('to/a'), 'utf8')).toBe('two');
  });

  it('goes on with a file that was cut off, wherever that differs', async () => {
    const content = Buffer.alloc(9_000_000, 'content ');
    writeFileSync(at('from/a'), content);
    const part = Buffer.from(content.subarray(0, 6_000_000));
    part.write('damaged', 5_000_000);
    writeFileSync(at(`to/a${PARTIAL}`), part);
    await sync();
    expect(readFileSync(at('to/a')).equals(content)).toBe(true);
    expect(statSync(at(`to/a${PARTIAL}`), { throwIfNoEntry: false })).toBe(undefined);
  });

  it('shares its files where that is possible, and needs no room for them', async () => {
    writeFileSync(at('from/a'), 'content');
    await sync({ links: true });
    expect(statSync(at('to/a')).ino).toBe(statSync(at('from/a')).ino);
    // A program replaced the file meanwhile.
    rmSync(at('from/a'));
    writeFileSync(at('from/a'), 'new');
    await sync({ links: true });
    expect(readFileSync(at('to/a'), 'utf8')).toBe('new');
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(sync({ signal: stop.signal })).rejects.toThrow('stopped');
  });
});
