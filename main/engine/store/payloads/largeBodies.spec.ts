/** The thread and the files for large bodies, without substitutes: writes, reads, and the remains after a failure. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultLimits } from '#contract/local/settings.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { until } from '../../../../test/support/core/until.ts';
import { cut, isStored, type JsonText, type StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { parseWorkerResult } from '../../domain/jobs/payload/resultParser.ts';
import { BodyPieces } from './bodyChannel.ts';
import { createBodyThread, type BodyThread, type BodyThreadOptions } from './bodyWorker.ts';
import { createSealing, PIECE_BYTES } from '../encryption/encryption.ts';
import { createTextFiles, type TextFiles } from './payloadFiles.ts';

const KEY = Buffer.alloc(32, 7);
let dir: string;
let files: TextFiles;
let threads: BodyThread[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hangar-texts-'));
  files = createTextFiles(dir, createSealing(KEY), silentLogger);
  threads = [];
});
afterEach(async () => {
  await Promise.all(threads.map((thread) => thread.stop()));
  await rm(dir, { recursive: true });
});

function startThread(options: Partial<BodyThreadOptions> = {}): BodyThread {
  const thread = createBodyThread({ key: KEY, files, logger: silentLogger, limits: defaultLimits, ...options });
  threads.push(thread);
  return thread;
}

/** The body in parts of any length, like from a socket. */
function piecesOf(text: string, partBytes = 65_536): BodyPieces {
  const bytes = Buffer.from(text);
  const body = new BodyPieces();
  for (let at = 0; at < bytes.length; at += partBytes) body.add(bytes.subarray(at, at + partBytes));
  return body;
}
const bodyOf = (length: number, rest = ''): string => `{"input":{"s":"${'é🙂x'.repeat(length / 7)}"}${rest}}`;
const written = async (): Promise<string[]> =>
  (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

async function textOf(text: StoredText): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of files.read(text)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function stored(text: JsonText): StoredText {
  if (!isStored(text)) throw new Error('The text was not put into a file.');
  return text;
}

async function keep(thread: BodyThread, body: string): Promise<StoredText> {
  return stored((await thread.check('request', piecesOf(body))).body);
}

describe('a large request', () => {
  test.each([
    ['as it is', ''],
    ['sealed', ',"s3Config":{"accessSecret":"very-secret-value"}'],
  ])('is kept %s: any part of it is read back as it was sent', async (_, rest) => {
    const body = bodyOf(3 * PIECE_BYTES, rest);
    const text = await keep(startThread(), `${body} \n`);
    expect(text.sealed).toBe(rest !== '');
    await files.probe(text);
    expect((await textOf(text)) === body).toBe(true);
    expect(
      (await textOf(cut(text, text.input!.start, text.input!.end))) === body.slice(9, body.length - 1 - rest.length),
    ).toBe(true);
    const bytes = Buffer.from(body);
    for (const [start, end] of [
      [PIECE_BYTES - 1, PIECE_BYTES + 1],
      [2 * PIECE_BYTES, 2 * PIECE_BYTES + 5],
    ] as const) {
      const pieces: Uint8Array[] = [];
      for await (const piece of files.read(cut(text, start, end))) pieces.push(Uint8Array.from(piece));
      expect(Buffer.concat(pieces).equals(bytes.subarray(start, end))).toBe(true);
    }
  });

  test('that is sealed is refused where its file was changed, or is another one of ours', async () => {
    const thread = startThread();
    const body = bodyOf(2 * PIECE_BYTES, ',"s3Config":{}');
    const [one, other] = [await keep(thread, body), await keep(thread, body)];
    const bytes = await readFile(files.pathOf(one.file));
    bytes[bytes.length - 10]! ^= 1;
    await writeFile(files.pathOf(one.file), bytes);
    await expect(textOf(one)).rejects.toThrow(/is damaged/);
    await rename(files.pathOf(other.file), files.pathOf(one.file));
    await expect(files.probe(one)).rejects.toThrow(/key is gone/);
  });
});

test.each([
  '"output":OUTPUT',
  '"output":1,"error":{"large":false}, "output" :OUTPUT ,"stopPod":true',
  '"status":"IN_PROGRESS","output":OUTPUT',
  '"error":"\\ud800","\\u006futput":OUTPUT,"__proto__":{"stopPod":true}',
  '"error":OUTPUT',
  '"error":[OUTPUT],"output":OUTPUT',
])('a large result comes to what the rules make of it: {%s}', async (fields) => {
  const text = ` {${fields.replaceAll('OUTPUT', `["${'é🙂x'.repeat(50_000)}", {"a" : 1}]`)}}`;
  const { output: expected, ...rest } = parseWorkerResult(text);
  const { output, ...parsed } = await startThread().check('result', piecesOf(text, 70_001));
  expect(parsed).toEqual(rest);
  expect(output === null ? null : await textOf(stored(output))).toBe(expected);
});

describe('nothing is left on disk', () => {
  test('of a body that is wrong', async () => {
    await expect(startThread().check('request', piecesOf(`${bodyOf(300_000)}]`))).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await files.settled();
    expect(await written()).toEqual([]);
  });

  test('of a body that takes the thread down, which the next one does not notice', async () => {
    const thread = startThread({ heapMb: 32 });
    // A valid body is only validated; an invalid one is parsed to find the error.
    const greedy = `{"input":{"rows":[${'{"a":[]},'.repeat(800_000)}0]}}]`;
    const [first, second] = [thread.check('request', piecesOf(greedy)), keep(thread, bodyOf(300_000))];
    await expect(first).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('32 MB of memory'),
    });
    expect((await textOf(await second)) === bodyOf(300_000)).toBe(true);
    await files.settled();
    expect(await written()).toHaveLength(1);
  });

  test('of bodies that were being checked when the engine stopped; who sent them is told', async () => {
    const thread = startThread();
    const refused = [1, 2, 3].map(() =>
      expect(keep(thread, bodyOf(10_000_000))).rejects.toMatchObject({ code: 'UNAVAILABLE' }),
    );
    await thread.stop();
    await Promise.all(refused);
    await expect(keep(thread, bodyOf(300_000))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await files.settled();
    expect(await written()).toEqual([]);
  });

  test('where the disk is full, which is told; what fits is taken then as before', async ({ skip }) => {
    const small = join(dir, 'small');
    await mkdir(small);
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', small]);
    skip(mount.status !== 0, 'a disk of its own can be mounted by root on Linux only');
    try {
      files = createTextFiles(small, createSealing(KEY), silentLogger);
      const thread = startThread();
      await expect(keep(thread, bodyOf(3_000_000))).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      await files.settled();
      expect(await written()).toEqual([]);
      expect((await textOf(await keep(thread, bodyOf(1_000_000)))) === bodyOf(1_000_000)).toBe(true);
    } finally {
      spawnSync('umount', [small]);
    }
  });

  test('where the folder cannot be written to; who sent it is told, without the path', async () => {
    await writeFile(join(dir, 'in the way'), '');
    const blocked = createTextFiles(join(dir, 'in the way'), createSealing(KEY), silentLogger);
    const check = keep(startThread({ files: blocked }), bodyOf(300_000));
    await expect(check).rejects.toMatchObject({ code: 'INTERNAL', message: expect.not.stringContaining(dir) });
  });
});

describe('the thread', () => {
  test('is started for the first body, ends when there is nothing to do, and is started again', async () => {
    const thread = startThread({ idleMs: 1 });
    const running = () => process.getActiveResourcesInfo().includes('MessagePort');
    expect(running()).toBe(false);
    await keep(thread, bodyOf(300_000));
    await until('the thread to be gone', () => !running());
    await keep(thread, bodyOf(300_000));
  });

  test('that cannot be started refuses bodies instead of keeping them waiting', async () => {
    const thread = startThread({ program: join(dir, 'nothing.ts') });
    const checks = [1, 2].map(() => thread.check('request', piecesOf(bodyOf(300_000))));
    for (const check of checks) await expect(check).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('a start', () => {
  test('removes files that no row refers to, and no other', async () => {
    await mkdir(join(dir, 'ab'));
    for (const name of ['left', 'kept']) await writeFile(join(dir, 'ab', name), 'x');
    files.addReference('ab/kept');
    const fresh = await keep(startThread(), bodyOf(300_000));
    await files.sweep();
    expect((await written()).sort()).toEqual([fresh.file.slice(3), 'kept'].sort());
  });
});
