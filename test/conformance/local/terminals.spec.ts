/** Terminals over WebSockets: who is let in, and what is said where there can be none. With containers: system/containers/terminals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workerSchema } from '#contract/local/engine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';
import { dial, refusal } from '../../support/terminals/viewer.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const AT = '/local/v1/workers/nobody/terminal';
const messageOf = (text: string): string => (JSON.parse(text) as { message: string }).message;

describe('a terminal', () => {
  test('takes a key of the scope all, in the header', async () => {
    const made = accepted(await engine.http.post('/local/v1/api-keys', { name: 'jobs', scope: 'jobs' }));
    const { key } = made as { key: string };
    expect(await refusal(engine, AT, { authorization: '' })).toMatchObject({ status: 401 });
    expect(await refusal(engine, AT, { authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
    expect(await refusal(engine, AT, { authorization: `Bearer ${key}` })).toMatchObject({ status: 403 });
    expect(await refusal(engine, `${AT}?api_key=${engine.key}`, { authorization: '' })).toMatchObject({ status: 401 });
    expect(await refusal(engine, AT, { host: 'evil.example' })).toMatchObject({ status: 403 });
  });

  test('into a worker or a Pod that is not there is a 404 that says so', async () => {
    for (const kind of ['worker', 'pod']) {
      const { status, text } = await refusal(engine, `/local/v1/${kind}s/nobody/terminal`);
      expect(status).toBe(404);
      expect(messageOf(text)).toContain('"nobody"');
    }
    expect(await refusal(engine, '/local/v1/workers/..%2f..%2fimages/terminal')).toMatchObject({ status: 404 });
    expect(await refusal(engine, '/local/v1/other/a/terminal')).toMatchObject({ status: 404 });
  });

  test('into a worker that is a process is a 400 that says why there is none', async () => {
    await makeEndpoint(
      engine,
      { 'handler.mjs': 'export default () => 1;' },
      { endpoint: { workersMin: 1, workersMax: 1 } },
    );
    const worker = await until(
      'its worker',
      async () => workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers'))),
      (workers) => workers[0],
    );
    const { status, text } = await refusal(engine, `/local/v1/workers/${worker.id}/terminal`);
    expect(status).toBe(400);
    expect(messageOf(text)).toContain('process of this machine');
  });

  test('is a WebSocket, and says so to who asks otherwise', async () => {
    const plain = await engine.http.get(AT);
    expect(plain.status).toBe(400);
    expect(messageOf(plain.text)).toContain('WebSocket');
    expect((await engine.http.post(AT, {})).status).toBe(400);
    expect((await engine.http.get(AT, { authorization: null })).status).toBe(401);
  });

  test('that is not there is a 404 when it is closed; the list of them takes a key of the scope all', async () => {
    expect(accepted(await engine.http.get('/local/v1/terminals'))).toEqual([]);
    expect((await engine.http.get('/local/v1/terminals', { authorization: null })).status).toBe(401);
    expect((await engine.http.send('DELETE', '/local/v1/terminals/nobody')).status).toBe(404);
  });

  test('leaves nothing open when who asks for it goes at once', async () => {
    for (let n = 0; n < 20; n++) {
      const socket = dial(engine, AT);
      socket.on('error', () => undefined);
      if (n % 2 === 0) socket.terminate();
      else setImmediate(() => socket.terminate());
    }
    expect((await engine.http.get('/health')).status).toBe(200);
  });
});
