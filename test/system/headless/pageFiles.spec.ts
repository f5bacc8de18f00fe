/** The files of the page as a browser gets them from the headless host: compressed, and few enough for a first load. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, newDataDir, pair, startHost, type DataDir, type Host, type PageAnswer } from './headlessHost.ts';

/** What a browser may have to load before it shows the page, compressed. */
const FIRST_LOAD_BYTES = 250_000;

let dataDir: DataDir;
let host: Host;
let get: (path: string, encodings?: string) => Promise<PageAnswer>;

beforeAll(async () => {
  dataDir = await newDataDir();
  host = startHost(['--data-dir', dataDir.path, '--port', '0', '--ui-port', '0', '--json']);
  const link = (await host.ready()).ui ?? '';
  const { cookie } = await pair(link);
  get = (path, encodings) =>
    ask(new URL(path, link).href, { cookie, ...(encodings !== undefined && { 'accept-encoding': encodings }) });
});

afterAll(async () => {
  await host.stop();
  await dataDir[Symbol.asyncDispose]();
});

/** The files that a browser loads with the page, before any of its code runs. */
const filesOf = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');

test('a file is sent compressed to a browser that takes it so, and is the same as without', async () => {
  const [path = ''] = filesOf((await get('/')).text).filter((one) => one.endsWith('.js'));
  const [plain, compressed] = [await get(path), await get(path, 'br, gzip')];
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'gzip',
    vary: expect.stringMatching(/accept-encoding/i) as string,
  });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(compressed.headers['content-type']).toBe(plain.headers['content-type']);
  expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true);
});

test('the font of terminals comes with the page, and only once there are terminals', async () => {
  const html = await get('/');
  const first = await Promise.all(filesOf(html.text).map(async (path) => (await get(path)).text));
  expect([html.text, ...first].filter((text) => text.includes('JetBrains Mono Variable'))).toEqual([]);
  const names = await readdir(join(import.meta.dirname, '../../../out/renderer/assets'));
  const font = names.find((name) => /^jetbrains-mono-latin-wght-normal.*\.woff2$/.test(name)) ?? 'none';
  const answer = await get(`/assets/${font}`);
  expect(answer.headers['content-type']).toBe('font/woff2');
  expect(answer.bytes.length).toBeGreaterThan(20_000);
});

test('the first load of the page is small', async () => {
  const html = await get('/', 'gzip');
  const files = filesOf(gunzipSync(html.bytes).toString());
  expect(files.length).toBeGreaterThan(3);
  const sizes = await Promise.all(files.map(async (path) => (await get(path, 'gzip')).bytes.length));
  expect(sizes.reduce((sum, size) => sum + size, html.bytes.length)).toBeLessThan(FIRST_LOAD_BYTES);
});
