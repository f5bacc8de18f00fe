import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeyCreatedSchema, apiKeySchema, type ApiKeyCreated } from '#contract/local.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { accepted } from '../support/resources.ts';

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

test('a key tells when it was last used', async () => {
  const made = await make({ name: 'used' });
  expect(made.lastUsedAt).toBeNull();
  await engine.http.get('/v1/endpoints', { authorization: made.key });
  const found = (await list()).find(({ id }) => id === made.id);
  expect(Date.parse(found?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test.each<[string, object]>([
  ['no name', {}],
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
