import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CancellationToken } from 'electron-updater';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../test/support/core/until.ts';
import { resumedDownload } from './resumedDownload.ts';

const content = randomBytes(300_000);
const half = content.length / 2;
const sha512 = createHash('sha512').update(content).digest('base64');

/** What the server does with its next request; it serves the whole rest where nothing is planned. */
type Plan = 'cut' | 'hold' | 'no ranges' | 'missing' | 'other content';
let plans: Plan[];
let ranges: string[];
let server: Server;
let folder: string;
let destination: string;

beforeEach(async () => {
  plans = [];
  ranges = [];
  folder = mkdtempSync(join(tmpdir(), 'hangar-resume-'));
  destination = join(folder, 'pending', 'update');
  mkdirSync(dirname(destination));
  server = createServer((request, response) => {
    const plan = plans.shift();
    ranges.push(request.headers.range ?? 'all');
    if (plan === 'missing') return response.writeHead(404).end();
    const rangeStart = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    const from = rangeStart === undefined || plan === 'no ranges' ? 0 : Number(rangeStart);
    if (from >= content.length) return response.writeHead(416).end();
    const file = plan === 'other content' ? Buffer.alloc(content.length) : content;
    const rest = file.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length });
    if (plan === 'cut') return response.write(rest.subarray(0, half), () => response.destroy());
    if (plan === 'hold') return response.write(rest.subarray(0, half));
    return response.end(rest);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  rmSync(folder, { recursive: true, force: true });
});

const parts = (): string[] =>
  existsSync(join(folder, 'partial')) ? readdirSync(join(folder, 'partial')).toSorted() : [];
/** Some of what the server sent before the cut may not have come. */
const partSize = (): number => statSync(join(folder, 'partial', parts()[0] ?? '')).size;

/** Answers each reported number of bytes. */
async function download(token = new CancellationToken()): Promise<number[]> {
  const { port } = server.address() as AddressInfo;
  const reported: number[] = [];
  const start = resumedDownload(fetch, () => Promise.reject(new Error('not this one')));
  const onProgress = ({ transferred, total }: { transferred: number; total: number }): void => {
    expect(total).toBe(content.length);
    reported.push(transferred);
  };
  await start(new URL(`http://127.0.0.1:${port}/file`), destination, { sha512, cancellationToken: token, onProgress });
  return reported;
}
const isThere = (): boolean => readFileSync(destination).equals(content);

test('a download that is cut goes on where it ended, also by another process', async () => {
  plans = ['cut'];
  await expect(download()).rejects.toThrow();
  const there = partSize();
  expect(there).toBeGreaterThan(0);
  const [first = 0] = await download();
  expect(first).toBeGreaterThan(there);
  expect(ranges).toEqual(['all', `bytes=${there}-`]);
  expect(isThere()).toBe(true);
  expect(parts()).toEqual([]);
});

test('a server without ranges sends the whole file again', async () => {
  plans = ['cut', 'no ranges'];
  await expect(download()).rejects.toThrow();
  await download();
  expect(isThere()).toBe(true);
});

test('a part that does not fit is removed, and the file is downloaded from its first byte', async () => {
  plans = ['cut'];
  await expect(download()).rejects.toThrow();
  writeFileSync(join(folder, 'partial', parts()[0] ?? ''), Buffer.alloc(half));
  await download();
  expect(ranges).toEqual(['all', `bytes=${half}-`, 'all']);
  expect(isThere()).toBe(true);
});

test('a part that is complete but was not moved is checked and downloaded again', async () => {
  plans = ['cut'];
  await expect(download()).rejects.toThrow();
  writeFileSync(join(folder, 'partial', parts()[0] ?? ''), content);
  await download();
  expect(ranges.at(-1)).toBe('all');
  expect(isThere()).toBe(true);
});

test('a file with another checksum than the feed names is refused and leaves nothing', async () => {
  plans = ['other content'];
  await expect(download()).rejects.toMatchObject({ code: 'ERR_CHECKSUM_MISMATCH' });
  expect(parts()).toEqual([]);
  expect(existsSync(destination)).toBe(false);
});

test('an answer with an error is not taken for the file', async () => {
  plans = ['cut', 'missing'];
  await expect(download()).rejects.toThrow();
  await expect(download()).rejects.toThrow('status 404');
  const there = partSize();
  await download();
  expect(ranges).toEqual(['all', `bytes=${there}-`, `bytes=${there}-`]);
  expect(isThere()).toBe(true);
});

test('a cancelled download keeps its part, and a download of another file removes that', async () => {
  plans = ['hold'];
  const token = new CancellationToken();
  const running = download(token);
  await until('the part', parts, (names) => names.length === 1);
  token.cancel();
  await expect(running).rejects.toThrow('cancelled');
  writeFileSync(join(folder, 'partial', 'of-an-older-version'), 'x');
  await download();
  expect(isThere()).toBe(true);
  expect(parts()).toEqual([]);
});
