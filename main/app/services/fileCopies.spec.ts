import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { systemClock } from '../platform/clock.ts';
import { createComputerFiles, type FilesHere } from './folders/computerFiles.ts';
import { bytesOf, compareFiles, fillUpload, type FileAt, type Progress } from './fileCopies.ts';
import { createUploads } from './uploads.ts';

const { pieceBytes } = limits.page;
const LENGTH = 3 * pieceBytes + 10;
const bytes = Buffer.from(Array.from({ length: LENGTH }, (_, at) => at % 251));

let home: string;
let files: FilesHere;
let stopping: AbortController;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hangar-copies-'));
  files = createComputerFiles({
    dataDir: join(home, 'hangar'),
    home,
    clock: systemClock,
    allowsHostShell: true,
    handlerFolder: () => Promise.reject(new Error('no handler is used here')),
  }).home;
  stopping = new AbortController();
  writeFileSync(join(home, 'a.bin'), bytes);
});
afterEach(() => {
  stopping.abort();
  rmSync(home, { recursive: true });
});

const at = (path: string, folder: FileAt['folder'] = files): FileAt => ({ folder, path });

async function all(events: AsyncGenerator<Progress>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { doneBytes } of events) seen.push(doneBytes);
  return seen;
}

/** An upload of `LENGTH` bytes to the path, and what fills it. */
function begin(path: string) {
  const uploads = createUploads({ clock: systemClock, stopping: stopping.signal });
  const uploadId = uploads.begin(LENGTH, (file) => files.write(path, { ...file, replaces: false }));
  const fill = (from: FileAt, signal: AbortSignal = stopping.signal) =>
    all(fillUpload({ uploads, uploadId, bytes: bytesOf(from, LENGTH), sizeBytes: LENGTH, clock: systemClock, signal }));
  return { uploads, uploadId, fill };
}

/** The folder, whose read of the second piece is preceded by `act`. */
const beforeSecond = (act: () => void | Promise<void>): FileAt['folder'] => ({
  ...files,
  async read(path, from, most) {
    if (from >= pieceBytes && from < 2 * pieceBytes) await act();
    return files.read(path, from, most);
  },
});

const left = (): string[] => readdirSync(home).filter((name) => name !== 'a.bin');

describe('a copy', () => {
  it('has all bytes of a file, also where a read has fewer than were asked for, and as many as it had when it was listed', async () => {
    appendFileSync(join(home, 'a.bin'), 'grown');
    const few: FileAt['folder'] = {
      ...files,
      read: (path, from, most) => files.read(path, from, Math.min(most, 99_999)),
    };
    await begin('copy.bin').fill(at('a.bin', few));
    expect(readFileSync(join(home, 'copy.bin')).equals(bytes)).toBe(true);
  });

  it('says how far it is', async () => {
    const clock = { ...systemClock, after: (_: number, run: () => void) => systemClock.after(0, run) };
    const { uploads, uploadId } = begin('copy.bin');
    const options = { uploads, uploadId, sizeBytes: LENGTH, clock, signal: stopping.signal };
    // Each read gives the clock its turn.
    const slow: FileAt['folder'] = {
      ...files,
      async read(path, from, most) {
        await pause(5);
        return files.read(path, from, most);
      },
    };
    const seen = await all(fillUpload({ ...options, bytes: bytesOf(at('a.bin', slow), LENGTH) }));
    expect(seen).toContain(pieceBytes);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  });

  it('fails and leaves nothing of a file that became shorter, and says so', async () => {
    const shrinking = beforeSecond(() => truncateSync(join(home, 'a.bin'), pieceBytes));
    await expect(begin('copy.bin').fill(at('a.bin', shrinking))).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { sourceChanged: true },
    });
    expect(left()).toEqual([]);
  });

  it('fails with the reason that its source or its target gives', async () => {
    const away = beforeSecond(() => Promise.reject(new AppError('UNAVAILABLE', 'The Pod is away.')));
    await expect(begin('copy.bin').fill(at('a.bin', away))).rejects.toThrow('The Pod is away.');
    await expect(begin('a.bin').fill(at('a.bin'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(left()).toEqual([]);
    expect(readFileSync(join(home, 'a.bin')).equals(bytes)).toBe(true);
  });

  it('that is cancelled ends at once, and leaves nothing', async () => {
    const upload = begin('copy.bin');
    const cancelling = beforeSecond(() => upload.uploads.cancel(upload.uploadId, false));
    await expect(upload.fill(at('a.bin', cancelling))).rejects.toThrow('The upload was cancelled.');
    expect(left()).toEqual([]);
  });

  it('is interrupted when nobody waits for it any more', async () => {
    const page = new AbortController();
    const leaving = beforeSecond(() => page.abort());
    await expect(begin('copy.bin').fill(at('a.bin', leaving), page.signal)).rejects.toThrow(
      'The upload was interrupted.',
    );
    expect(left()).toEqual([]);
  });

  it('is of an upload that has no bytes yet', async () => {
    const { uploads, uploadId, fill } = begin('copy.bin');
    await uploads.put(uploadId, 0, new Uint8Array(1));
    await expect(fill(at('a.bin'))).rejects.toThrow('being sent already');
    expect(existsSync(join(home, 'copy.bin'))).toBe(false);
  });
});

describe('a comparison', () => {
  const compare = async (folder: FileAt['folder'] = files, signal: AbortSignal = stopping.signal) => {
    const { entries } = await files.list('');
    const facts = entries.find(({ name }) => name === 'a.bin');
    if (facts === undefined) throw new Error('There is no file.');
    return all(compareFiles({ from: at('a.bin', folder), to: at('b.bin'), facts, clock: systemClock, signal }));
  };
  const changed = { code: 'CONFLICT', details: { sourceChanged: true } };

  it('ends for equal files', async () => {
    writeFileSync(join(home, 'b.bin'), bytes);
    await compare();
  });

  it('fails for one other byte, for a shorter file and for a longer one', async () => {
    const other = Buffer.from(bytes);
    other.writeUInt8(255, LENGTH - 1);
    for (const one of [other, bytes.subarray(0, LENGTH - 1), Buffer.concat([bytes, Buffer.from('x')])]) {
      writeFileSync(join(home, 'b.bin'), one);
      await expect(compare()).rejects.toMatchObject(changed);
    }
  });

  it('fails for an original that is written meanwhile, also with the same bytes', async () => {
    writeFileSync(join(home, 'b.bin'), bytes);
    const written = beforeSecond(() => utimesSync(join(home, 'a.bin'), new Date(0), new Date(0)));
    await expect(compare(written)).rejects.toMatchObject(changed);
  });

  it('ends when it is aborted', async () => {
    writeFileSync(join(home, 'b.bin'), bytes);
    const page = new AbortController();
    await expect(
      compare(
        beforeSecond(() => page.abort()),
        page.signal,
      ),
    ).rejects.toThrow('aborted');
  });
});
