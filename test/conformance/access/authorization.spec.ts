import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeyCreatedSchema, type ApiKeyCreated, type ApiKeyScope } from '#contract/local/engine.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: TestEngine;
let endpoint: Endpoint;
beforeAll(async () => {
  engine = await startEngine({ allowedHosts: ['gpu-box.lan'] });
  endpoint = await makeIdleEndpoint(engine);
});
afterAll(() => engine.close());

const keyOf = async (scope: ApiKeyScope): Promise<ApiKeyCreated> =>
  apiKeyCreatedSchema.parse(accepted(await engine.http.post('/local/v1/api-keys', { name: `a ${scope} key`, scope })));

const statusWith = async (authorization: string | null, method = 'GET', path = '/v1/endpoints', body?: object) =>
  (await engine.http.send(method, path, body, { authorization })).status;

describe('a key', () => {
  test('is accepted in the bearer form and bare, on jobs and on management', async () => {
    for (const path of [`/v2/${endpoint.id}/health`, '/v1/endpoints', '/v1/templates', '/local/v1/workers']) {
      expect(await statusWith(`Bearer ${engine.key}`, 'GET', path), path).toBe(200);
      expect(await statusWith(engine.key, 'GET', path), path).toBe(200);
      expect(await statusWith(`bearer ${engine.key}`, 'GET', path), path).toBe(200);
    }
  });

  test('the key of the first start works, at every later start too, and is shown once', async () => {
    const own = await startEngine();
    try {
      const { firstKey } = own;
      expect(firstKey).toMatch(/^rpa_/);
      await own.stop();
      await own.restart();
      expect((await own.http.get('/v1/templates', { authorization: `Bearer ${firstKey}` })).status).toBe(200);
    } finally {
      await own.close();
    }
  });

  test.each([
    ['missing', null],
    ['empty', ''],
    ['wrong', 'Bearer rpa_wrong'],
    ['of another scheme', 'Basic dXNlcjpwYXNz'],
  ])('that is %s is a 401 in the error shape', async (_, authorization) => {
    for (const [method, path] of [
      ['POST', `/v2/${endpoint.id}/run`],
      ['GET', `/v2/${endpoint.id}/status/some-id`],
      ['GET', `/v2/${endpoint.id}/job-take/w?gpu=none`],
      ['GET', '/v1/endpoints'],
      ['GET', '/local/v1/api-keys'],
    ] as const) {
      const answer = await engine.http.send(method, path, method === 'POST' ? { input: {} } : undefined, {
        authorization,
      });
      expect(answer.status, path).toBe(401);
      expect(answer.json).toEqual({ error: expect.any(String), message: expect.any(String), status: 401 });
    }
  });

  test('does not tell a stranger whether an endpoint exists', async () => {
    expect(await statusWith(null, 'GET', '/v2/no-such-endpoint/health')).toBe(401);
  });

  test('that is disabled is refused until it is enabled again', async () => {
    const made = await keyOf('all');
    expect(await statusWith(made.key)).toBe(200);
    await engine.http.send('PATCH', `/local/v1/api-keys/${made.id}`, { disabled: true });
    expect(await statusWith(made.key)).toBe(401);
    await engine.http.send('PATCH', `/local/v1/api-keys/${made.id}`, { disabled: false });
    expect(await statusWith(made.key)).toBe(200);
  });

  test('that was deleted is refused', async () => {
    const made = await keyOf('all');
    expect((await engine.http.send('DELETE', `/local/v1/api-keys/${made.id}`)).status).toBe(204);
    expect(await statusWith(made.key)).toBe(401);
  });
});

describe('a scope', () => {
  test('jobs: uses the job API, may read but not change what is managed, and makes no keys', async () => {
    const { key } = await keyOf('jobs');
    expect(await statusWith(key, 'POST', `/v2/${endpoint.id}/run`, { input: {} })).toBe(200);
    expect(await statusWith(key, 'POST', '/v1/templates', { name: 't', imageName: 'x' })).toBe(403);
    expect(await statusWith(key, 'DELETE', `/v1/endpoints/${endpoint.id}`)).toBe(403);
    expect(await statusWith(key, 'POST', '/local/v1/api-keys', { name: 'k' })).toBe(403);
  });

  test('read: reads jobs, submits and cancels none', async () => {
    const { key } = await keyOf('read');
    const jobs = jobsOf(engine, endpoint.id);
    const id = await jobs.run({});
    expect(await statusWith(key, 'GET', `${jobs.path}/status/${id}`)).toBe(200);
    expect(await statusWith(key, 'GET', `${jobs.path}/health`)).toBe(200);
    expect(await statusWith(key, 'GET', '/v1/endpoints')).toBe(200);
    expect(await statusWith(key, 'POST', `${jobs.path}/run`, { input: {} })).toBe(403);
    expect(await statusWith(key, 'POST', `${jobs.path}/cancel/${id}`)).toBe(403);
    expect(await statusWith(key, 'PATCH', `/v1/endpoints/${endpoint.id}`, { name: 'x' })).toBe(403);
    expect((await jobs.status(id)).status).toBe('IN_QUEUE');
  });

  test('without full scope nobody is a worker', async () => {
    const { key } = await keyOf('jobs');
    expect(await statusWith(key, 'GET', `/v2/${endpoint.id}/job-take/w?gpu=none`)).toBe(403);
    expect(await statusWith(key, 'POST', `/v2/${endpoint.id}/job-done/w/j?gpu=none`, { output: 1 })).toBe(403);
  });

  test('a refusal for want of scope is in the error shape and names the scope that is needed', async () => {
    const { key } = await keyOf('read');
    const answer = await engine.http.post(`/v2/${endpoint.id}/run`, { input: {} }, { authorization: key });
    expect(answer.json).toEqual({
      error: expect.stringMatching(/scope/i),
      message: expect.any(String),
      status: 403,
    });
  });
});

describe("a worker's key", () => {
  test('is good for the worker protocol of its own endpoint, not of another one, not for jobs, not for management', async () => {
    const { endpoint: own } = await makeEndpoint(engine, {
      'handler.mjs': 'export default () => process.env.RUNPOD_AI_API_KEY ?? null;\n',
    });
    const jobs = jobsOf(engine, own.id);
    const { output, workerId } = await jobs.finished(await jobs.run({}));
    expect(output).toEqual(expect.any(String));
    const key = String(output);
    expect(await statusWith(key, 'GET', '/v1/endpoints')).toBe(403);
    expect(await statusWith(key, 'POST', '/local/v1/api-keys', { name: 'k' })).toBe(403);
    expect(await statusWith(key, 'POST', `${jobs.path}/run`, { input: {} })).toBe(403);
    expect(await statusWith(key, 'GET', `/v2/${endpoint.id}/ping/${workerId}?`)).toBe(403);
    expect(await statusWith(key, 'GET', `${jobs.path}/ping/${workerId}?`)).toBe(200);
  });

  test('a program with a full key may be a worker of any endpoint', async () => {
    const { id } = await makeIdleEndpoint(engine);
    const jobs = jobsOf(engine, id);
    const job = await jobs.run({ n: 1 });
    const worker = createOutsideWorker(engine, id);
    expect(await worker.take()).toEqual({ id: job, input: { n: 1 } });
  });
});

describe('the Host header', () => {
  test.each([
    ['127.0.0.1'],
    ['localhost'],
    ['[::1]'],
    ['some-endpoint.localhost'],
    ['gpu-box.lan'],
    ['GPU-box.LAN:47800'],
  ])('%s is served', async (host) => {
    expect((await engine.http.get('/v1/endpoints', { headers: { host } })).status).toBe(200);
  });

  test.each([['evil.example'], ['localhost.evil.example'], ['127.0.0.1.evil.example'], ['192.168.0.9']])(
    '"%s" is refused, with a key and without',
    async (host) => {
      for (const authorization of [`Bearer ${engine.key}`, null]) {
        for (const path of ['/health', `/v2/${endpoint.id}/health`, '/v1/endpoints']) {
          const answer = await engine.http.get(path, { headers: { host }, authorization });
          expect(answer.status, path).toBe(403);
        }
      }
    },
  );

  test.each(['/health', '/v1/endpoints'])(
    'that comes twice is refused, also where both are the same: %s',
    async (path) => {
      using one = await openSocket(engine.port);
      const lines = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'host: 127.0.0.1', `Authorization: ${engine.key}`];
      one.send([...lines, 'Connection: close', '', ''].join('\r\n'));
      expect(await one.closed()).toMatch(/^HTTP\/1\.1 400 [^]*2 Host headers/);
    },
  );
});
