import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyCreatedSchema, apiKeySchema, pairingCodeSchema, type ApiKeyCreated } from '#contract/local/engine.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const path = '/local/v1/api-keys';
const make = async (body: object): Promise<ApiKeyCreated> =>
  apiKeyCreatedSchema.parse(accepted(await engine.http.post(path, body)));
const list = async () => apiKeySchema.array().parse(accepted(await engine.http.get(path)));

test('a key is made with a name, has full scope unless told otherwise, and is shown once', async () => {
  const made = await make({ name: 'laptop' });
  expect(made).toMatchObject({
    name: 'laptop',
    scope: 'all',
    disabled: false,
    key: expect.stringMatching(/^rpa_\w{30,}$/),
  });
  expect(made.key.endsWith(made.last4)).toBe(true);
  const answer = await engine.http.get(`${path}/${made.id}`);
  expect(answer.json).not.toHaveProperty('key');
  expect(answer.text).not.toContain(made.key);
  expect((await engine.http.get(path)).text).not.toContain(made.key);
});

test('keys are listed, renamed, given another scope and deleted', async () => {
  const made = await make({ name: 'old', scope: 'jobs' });
  expect((await list()).find(({ id }) => id === made.id)).toMatchObject({ name: 'old', scope: 'jobs' });
  const answer = await engine.http.send('PATCH', `${path}/${made.id}`, { name: 'new', scope: 'read' });
  expect(answer.json).toMatchObject({ id: made.id, name: 'new', scope: 'read' });
  expect((await engine.http.send('DELETE', `${path}/${made.id}`)).status).toBe(204);
  expect((await list()).some(({ id }) => id === made.id)).toBe(false);
  expect((await engine.http.send('PATCH', `${path}/${made.id}`, { name: 'x' })).status).toBe(404);
});

test('a pairing code becomes a key with a name of its own, without a key and once', async () => {
  const { code } = pairingCodeSchema.parse(accepted(await engine.http.post('/local/v1/pairing-codes', {})));
  expect((await engine.http.get('/v1/endpoints', { authorization: code })).status).toBe(401);
  const pair = (name: string) => engine.http.send('POST', '/local/v1/pair', { code, name }, { authorization: null });
  const { key, ...record } = apiKeyCreatedSchema.parse(accepted(await pair('Hangar on laptop')));
  expect(record).toMatchObject({ name: 'Hangar on laptop', scope: 'all' });
  expect((await engine.http.get('/v1/endpoints', { authorization: key })).status).toBe(200);
  expect((await list()).map(({ id }) => id)).toContain(record.id);
  const again = await pair('another');
  expect(again.status).toBe(401);
  expect(again.text).toContain('Create another one');
});

test('a key tells when it was last used', async () => {
  const before = Date.now();
  const made = await make({ name: 'used' });
  expect(made.lastUsedAt).toBeNull();
  await engine.http.get('/v1/endpoints', { authorization: made.key });
  const listedKey = (await list()).find(({ id }) => id === made.id);
  expect(Date.parse(listedKey?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(before);
});

describe('a key of chosen endpoints', () => {
  let mine: Endpoint;
  let other: Endpoint;
  let key: ApiKeyCreated;
  beforeAll(async () => {
    [mine, other] = [await makeIdleEndpoint(engine), await makeIdleEndpoint(engine)];
    key = await make({ name: 'for one', scope: 'endpoints', endpointIds: [mine.id] });
  });
  const send = (method: string, at: string, body?: object) =>
    engine.http.send(method, at, body, { authorization: `Bearer ${key.key}` });

  test('sends, reads and cancels jobs of those, and of no others, which it is told in a sentence', async () => {
    const job = accepted(await send('POST', `/v2/${mine.id}/run`, { input: {} })) as { id: string };
    for (const [method, operation] of [
      ['GET', `status/${job.id}`],
      ['GET', 'health'],
      ['GET', 'requests'],
      ['POST', `cancel/${job.id}`],
      ['POST', 'purge-queue'],
    ] as const) {
      expect((await send(method, `/v2/${mine.id}/${operation}`)).status, operation).toBe(200);
      const refused = await send(method, `/v2/${other.id}/${operation}`);
      expect(refused.status, operation).toBe(403);
      expect(refused.text).toContain(`not of \\"${other.id}\\"`);
    }
    expect((await send('POST', `/v2/${other.id}/run`, { input: {} })).status).toBe(403);
    expect((await send('GET', `/lb/${other.id}/anything`)).status).toBe(403);
    // Its own is let in, and then told that it balances no load.
    expect((await send('GET', `/lb/${mine.id}/anything`)).status).toBe(400);
  });

  test('is refused on every route of the documents that is not about jobs of an endpoint', async () => {
    const requests: string[] = [];
    for (const at of ['/v1/openapi.json', '/local/v1/openapi.json']) {
      const { paths } = (await engine.http.get(at)).json as { paths: Record<string, Record<string, object>> };
      for (const [path, methods] of Object.entries(paths)) {
        if (path.endsWith('openapi.json') || path.endsWith('/docs')) continue;
        // Neither needs a key.
        if (path === '/health' || path === '/local/v1/pair') continue;
        for (const method of Object.keys(methods).filter((name) => name !== 'parameters')) {
          const requestLine = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, mine.id)}`;
          const [verb = '', target = ''] = requestLine.split(' ');
          expect((await send(verb, target)).status, requestLine).toBe(403);
          requests.push(requestLine);
        }
      }
    }
    expect(requests.length).toBeGreaterThan(60);
    expect((await send('POST', '/graphql', { query: '{ myself { id } }' })).json).toMatchObject({
      errors: [{ message: expect.stringContaining('alone') }],
    });
  });

  test('can be given others, and no longer is one with another scope', async () => {
    const changed = await engine.http.send('PATCH', `${path}/${key.id}`, { endpointIds: [other.id] });
    expect(changed.json).toMatchObject({ scope: 'endpoints', endpointIds: [other.id] });
    expect((await send('GET', `/v2/${mine.id}/health`)).status).toBe(403);
    expect((await send('GET', `/v2/${other.id}/health`)).status).toBe(200);
    const wider = await engine.http.send('PATCH', `${path}/${key.id}`, { scope: 'jobs' });
    expect(wider.json).toMatchObject({ scope: 'jobs', endpointIds: [] });
    expect((await send('GET', `/v2/${mine.id}/health`)).status).toBe(200);
  });
});

test.each<[string, object]>([
  ['no name', {}],
  ['the scope of chosen endpoints without any', { name: 'x', scope: 'endpoints' }],
  ['endpoints without their scope', { name: 'x', scope: 'jobs', endpointIds: ['a'] }],
  ['an empty name', { name: '' }],
  ['a name that is too long', { name: 'x'.repeat(101) }],
  ['an unknown scope', { name: 'x', scope: 'root' }],
  ['a field that does not exist', { name: 'x', key: 'mine' }],
])('%s is a 400 and makes no key', async (_, body) => {
  const before = (await list()).length;
  expect((await engine.http.post(path, body)).status).toBe(400);
  expect(await list()).toHaveLength(before);
});

test('a key made here works after a restart; nothing but its hash is on the disk', async () => {
  const own = await startEngine();
  try {
    const made = apiKeyCreatedSchema.parse(accepted(await own.http.post(path, { name: 'kept' })));
    await own.stop();
    for (const name of await readdir(own.dataDir, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const content = await readFile(join(name.parentPath, name.name));
      for (const secret of [made.key, own.key, own.firstKey ?? '']) {
        expect(content.includes(secret), `${name.name} holds a key`).toBe(false);
      }
    }
    await own.restart();
    expect((await own.http.get('/v1/endpoints', { authorization: made.key })).status).toBe(200);
  } finally {
    await own.close();
  }
});
