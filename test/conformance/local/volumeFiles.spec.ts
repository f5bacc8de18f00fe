/** Files of network volumes, over HTTP. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderChangeSchema, volumeFileSchema, volumeListingSchema } from '#contract/local/files.ts';
import { localVolumeSchema, volumeSchema } from '#contract/api/resources.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { openEvents } from '../../support/logs/events.ts';
import { accepted } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
let id: string;
let folder: string;
beforeAll(async () => {
  engine = await startEngine();
  id = volumeSchema.parse(
    accepted(await engine.http.post('/v1/networkvolumes', { name: 'files', size: 5, dataCenterId: 'EU-RO-1' })),
  ).id;
  const volumes = localVolumeSchema.array().parse(accepted(await engine.http.get('/local/v1/volumes')));
  folder = volumes[0]!.folder;
});
afterAll(() => engine.close());

const files = (): string => `/local/v1/volumes/${id}/files`;
const content = (at: string): string => `${files()}/content?path=${encodeURIComponent(at)}`;
const put = (at: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  engine.http.send('PUT', content(at), body, { headers: { 'content-type': 'application/octet-stream', ...headers } });
const list = async (at = '') =>
  volumeListingSchema.parse(accepted(await engine.http.get(`${files()}?path=${encodeURIComponent(at)}`)));
const messageOf = ({ json }: { json: unknown }): string => (json as { message: string }).message;

describe('files of a network volume', () => {
  test('are written as they come, of any type, and read as they were', async () => {
    const bytes = randomBytes(3_000_000);
    const written = volumeFileSchema.parse(accepted(await put('model ü.bin', bytes)));
    expect(written).toMatchObject({ name: 'model ü.bin', kind: 'file', sizeBytes: bytes.length });
    const digest = (of: Uint8Array): string => createHash('sha256').update(of).digest('hex');
    expect(digest(readFileSync(path.join(folder, 'model ü.bin')))).toBe(digest(bytes));
    accepted(await put('note', '{"no": json', { 'content-type': 'application/json' }));
    const read = await engine.http.get(content('note'));
    expect(read).toMatchObject({ status: 200, text: '{"no": json' });
    expect(read.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '11',
      'x-content-type-options': 'nosniff',
      'content-disposition': "attachment; filename*=UTF-8''note",
      'accept-ranges': 'bytes',
    });
    accepted(await put('empty', ''));
    expect((await engine.http.get(content('empty'))).text).toBe('');
    expect((await list()).entries.map(({ name }) => name)).toEqual(['empty', 'model ü.bin', 'note']);
  });

  test('are read in parts', async () => {
    accepted(await put('ten', '0123456789'));
    const part = async (range: string, more = {}) => engine.http.get(content('ten'), { headers: { range, ...more } });
    const first = await part('bytes=2-4');
    expect(first).toMatchObject({ status: 206, text: '234' });
    expect(first.headers['content-range']).toBe('bytes 2-4/10');
    expect(await part('bytes=7-')).toMatchObject({ status: 206, text: '789' });
    expect(await part('bytes=-2')).toMatchObject({ status: 206, text: '89' });
    expect(await part('bytes=5-999')).toMatchObject({ status: 206, text: '56789' });
    const beyond = await part('bytes=10-');
    expect(beyond.status).toBe(416);
    expect(beyond.headers['content-range']).toBe('bytes */10');
    expect(messageOf(beyond)).toContain('10 bytes');
    const etag = String(first.headers.etag);
    expect(await part('bytes=2-4', { 'if-range': etag })).toMatchObject({ status: 206, text: '234' });
    expect(await part('bytes=2-4', { 'if-range': '"other"' })).toMatchObject({ status: 200, text: '0123456789' });
  });

  test('replace what was there, unless the request says that nothing may be', async () => {
    accepted(await put('twice', 'one'));
    accepted(await put('twice', 'two'));
    const refused = await put('twice', 'three', { 'if-none-match': '*' });
    expect(refused.status).toBe(409);
    expect(messageOf(refused)).toContain('"twice"');
    expect((await engine.http.get(content('twice'))).text).toBe('two');
    accepted(await put('once', 'one', { 'if-none-match': '*' }));
  });

  test('lie in folders, which are made, moved and deleted with what is in them', async () => {
    const make = (at: string) => engine.http.post(`${files()}/folder`, { path: at });
    expect(accepted(await make('box'))).toMatchObject({ name: 'box', kind: 'folder' });
    expect((await make('box')).status).toBe(409);
    expect((await make('not/there')).status).toBe(404);
    accepted(await put('box/a', 'a'));
    const move = (from: string, to: string) => engine.http.post(`${files()}/move`, { from, to });
    expect(accepted(await move('box', 'crate'))).toMatchObject({ name: 'crate', kind: 'folder' });
    expect((await list('crate')).entries.map(({ name }) => name)).toEqual(['a']);
    accepted(await put('other', ''));
    expect((await move('other', 'crate')).status).toBe(409);
    expect((await move('crate', 'crate/in')).status).toBe(400);
    expect((await engine.http.send('DELETE', content('crate'))).status).toBe(204);
    expect((await engine.http.send('DELETE', content('crate'))).status).toBe(404);
    expect((await list()).entries.map(({ name }) => name)).not.toContain('crate');
  });

  test('that are not sent to their end are not there, and what was sent is not kept', async () => {
    const headers = { authorization: `Bearer ${engine.key}`, 'content-length': '1000000' };
    const outgoing = request(new URL(content('half'), engine.address), { method: 'PUT', headers, agent: false });
    const failed = new Promise((resolve) => outgoing.once('error', resolve));
    outgoing.write(Buffer.alloc(1000));
    await until(
      'its beginning to be written',
      () => readdirSync(folder),
      (names) => names.some((name) => name.startsWith('.hangar-')),
    );
    outgoing.destroy();
    await failed;
    await until('it to be removed', () => !readdirSync(folder).some((name) => name.startsWith('.hangar-')));
    expect((await engine.http.get(content('half'))).status).toBe(404);
  });

  test('are refused where they are announced to be larger than may be', async () => {
    const refused = await put('huge', 'x', { 'content-length': '99999999999999', expect: '100-continue' }).catch(
      String,
    );
    expect(refused).toMatchObject({ status: 413 });
  });
});

describe('changes in a folder of a volume', () => {
  const follow = (at: string) => openEvents(engine, `${files()}/events?path=${encodeURIComponent(at)}`);

  test('come as events: one at once, then one for what is written there, also by other programs', async () => {
    mkdirSync(path.join(folder, 'seen'));
    accepted(await put('seen/first', 'x'));
    await using events = await follow('seen');
    expect(await events.next()).toMatchObject({ id: '1' });
    writeFileSync(path.join(folder, 'seen', 'second'), 'x');
    expect(folderChangeSchema.parse(JSON.parse((await events.next()).data))).toEqual({});
    expect((await list('seen')).entries.map(({ name }) => name)).toEqual(['first', 'second']);
  });

  test('end when the folder is deleted, and are refused for what is no folder of the volume', async () => {
    mkdirSync(path.join(folder, 'short'));
    await using events = await follow('short');
    await events.next();
    rmSync(path.join(folder, 'short'), { recursive: true });
    const toTheEnd = async () => {
      for (;;) await events.next();
    };
    await expect(toTheEnd()).rejects.toThrow('The events ended.');
    const refused = async (at: string): Promise<number> =>
      (await engine.http.get(`${files()}/events?path=${encodeURIComponent(at)}`)).status;
    expect([await refused('short'), await refused('../x'), await refused('a/./b')]).toEqual([404, 400, 400]);
  });
});

describe('paths of files', () => {
  test.each([
    '../secret',
    '..',
    'a/../../b',
    '/etc/passwd',
    'a\0b',
    'a//b',
    './a',
    'x'.repeat(300),
    'd/'.repeat(150) + 'f',
  ])('%j is a 400 for whatever is asked for', async (at) => {
    const { http } = engine;
    const requests = [
      http.get(`${files()}?path=${encodeURIComponent(at)}`),
      http.get(content(at)),
      put(at, 'x'),
      http.send('DELETE', content(at)),
      http.post(`${files()}/folder`, { path: at }),
      http.post(`${files()}/move`, { from: at, to: 'here' }),
      http.post(`${files()}/move`, { from: 'note', to: at }),
    ];
    for (const answer of await Promise.all(requests)) {
      expect(answer.status).toBe(400);
      expect(messageOf(answer)).toContain('path');
    }
  });

  test('do not lead out of the volume by a link', async () => {
    writeFileSync(path.join(engine.dataDir, 'secret'), 'secret');
    symlinkSync(path.join(engine.dataDir, 'secret'), path.join(folder, 'link'));
    symlinkSync('../../..', path.join(folder, 'up'));
    const { entries } = await list();
    expect(entries.filter(({ kind }) => kind === 'other').map(({ name }) => name)).toEqual(['link', 'up']);
    for (const at of ['link', 'up/secret']) {
      expect((await engine.http.get(content(at))).status).toBe(400);
      expect((await put(at, 'overwritten')).status).toBe(400);
    }
    expect((await engine.http.send('DELETE', content('up/secret'))).status).toBe(400);
    expect(readFileSync(path.join(engine.dataDir, 'secret'), 'utf8')).toBe('secret');
  });

  test('need a volume that there is, a path of the right type, and no fields that nobody knows', async () => {
    expect((await engine.http.get('/local/v1/volumes/nowhere/files')).status).toBe(404);
    expect((await engine.http.get(`${files()}?path=a&path=b`)).status).toBe(400);
    expect((await engine.http.post(`${files()}/folder`, { path: 'a', more: 1 })).status).toBe(400);
    expect((await engine.http.post(`${files()}/move`, { from: 5, to: 'a' })).status).toBe(400);
  });
});

test('reading files takes a key, changing them one of the scope all', async () => {
  const made = accepted(await engine.http.post('/local/v1/api-keys', { name: 'reader', scope: 'read' }));
  const { key } = made as { key: string };
  const reader = { authorization: `Bearer ${key}` };
  expect((await engine.http.get(files(), { authorization: null })).status).toBe(401);
  expect((await engine.http.get(files(), reader)).status).toBe(200);
  expect((await engine.http.get(content('note'), reader)).status).toBe(200);
  expect((await engine.http.send('PUT', content('note'), 'x', reader)).status).toBe(403);
  expect((await engine.http.send('DELETE', content('note'), undefined, reader)).status).toBe(403);
  expect((await engine.http.post(`${files()}/folder`, { path: 'new' }, reader)).status).toBe(403);
  expect((await engine.http.post(`${files()}/move`, { from: 'note', to: 'a' }, reader)).status).toBe(403);
});
