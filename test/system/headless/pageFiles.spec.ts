/** The files of the page as a browser gets them from the headless host: compressed, and few enough for a first load. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECORD, type BundleRecord } from '../../../scripts/plugins/bundlePlugins.mjs';
import { ask, newDataDir, pair, startHost, type DataDir, type Host, type PageAnswer } from './headlessHost.ts';

/** What a browser may have to load before it shows Home, compressed. */
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

const outDir = join(import.meta.dirname, '../../../out/renderer');

const bundleRecord = async (): Promise<BundleRecord> =>
  JSON.parse(await readFile(join(outDir, RECORD), 'utf8')) as BundleRecord;

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
  const names = await readdir(join(outDir, 'assets'));
  const font = names.find((name) => /^jetbrains-mono-latin-wght-normal.*\.woff2$/.test(name)) ?? 'none';
  const answer = await get(`/assets/${font}`);
  expect(answer.headers['content-type']).toBe('font/woff2');
  expect(answer.bytes.length).toBeGreaterThan(20_000);
});

/** Fonts of the letters that every page has; others come with the first letter that they hold. */
const latinFonts = (css: string): string[] =>
  [...css.matchAll(/@font-face\s*\{[^}]*\}/g)]
    .filter(([face]) => /unicode-range:\s*U\+(?:0+-|\?\?)/i.test(face))
    .flatMap(([face]) =>
      [...face.matchAll(/url\(\.?\/?(?:assets\/)?([^)"']+\.woff2)\)/g)].map(([, name]) => `assets/${name}`),
    );

/** What a browser loads before the page of a module is there: all that its files need, with style sheets and fonts. */
async function loadedFor(module: string): Promise<{ path: string; bytes: number }[]> {
  const record = await bundleRecord();
  const html = await get('/');
  const wanted = new Set([
    ...filesOf(html.text).map((path) => path.slice(1)),
    ...Object.entries(record).flatMap(([file, made]) => (made.modules.includes(module) ? [file] : [])),
  ]);
  const loaded = [{ path: '/', bytes: html.bytes.length }];
  for (const path of wanted) {
    for (const needed of record[path]?.needs ?? []) wanted.add(needed);
    const answer = await get(`/${path}`, 'gzip');
    expect(answer.status, path).toBe(200);
    loaded.push({ path, bytes: answer.bytes.length });
    if (!path.endsWith('.css')) continue;
    const css = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes;
    for (const font of latinFonts(css.toString())) wanted.add(font);
  }
  return loaded;
}

test('the first load of Home is small, with all that its page needs', async () => {
  const loaded = await loadedFor('renderer/features/home/HomePage.tsx');
  const kinds = ['.js', '.css', '.woff2'].map((kind) => loaded.filter(({ path }) => path.endsWith(kind)).length);
  expect(kinds.every((count) => count > 0)).toBe(true);
  const list = loaded.map(({ path, bytes }) => `${bytes} ${path}`).join('\n');
  expect(
    loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    list,
  ).toBeLessThan(FIRST_LOAD_BYTES);
});
