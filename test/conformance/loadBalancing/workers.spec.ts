/**
 * The workers of load-balancing endpoints: which one a request goes to, what becomes of it there, and when they are
 * ready.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { healthAt, makeBalanced, readyWorkers, requestOf } from '../../support/loadBalancing/endpoint.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: TestEngine;
let endpointId: string;
let path: string;
beforeAll(async () => {
  engine = await startEngine();
  endpointId = (await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id;
  path = `/lb/${endpointId}`;
});
afterAll(() => engine.close());

describe('a request', () => {
  test('whose worker dies is a 502 with the reason, and is not tried again', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMin: 2, workersMax: 2 } });
    await readyWorkers(engine, id, 2);
    const answer = await engine.http.get(`/lb/${id}/die`);
    expect(answer.status).toBe(502);
    expect(messageOf(answer)).toMatch(/exit code 7/);
    // The other one would have died of it as well.
    expect((await engine.http.get(`/lb/${id}/asked?path=/die`)).json).toBe(0);
    await expect(engine.http.get(`/lb/${id}/half?die`)).rejects.toThrow();
  });

  test('that reaches nobody goes to another worker, with its body', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMin: 2, workersMax: 2 } });
    await readyWorkers(engine, id, 2);
    const closed = String((await engine.http.get(`/lb/${id}/close`)).headers['x-runpod-worker-id']);
    // Each asks for the worker whose server is gone.
    for (let n = 0; n < 3; n++) {
      const headers = { 'x-runpod-worker-id': closed };
      const answer = await engine.http.post(`/lb/${id}/x`, { text: 'x'.repeat(100_000) }, { headers });
      expect(answer.status).toBe(200);
      expect(requestOf(answer)).toMatchObject({ bytes: 100_011 });
      expect(requestOf(answer).workerId).not.toBe(closed);
    }
  });

  test('that its worker breaks off without an answer is a 502', async () => {
    const { id } = await makeBalanced(engine, {
      app: `import { createServer } from 'node:http';
        createServer((request, response) => {
          if (request.url === '/ping') response.end();
          else request.socket.destroy();
        }).listen(process.env.PORT);`,
    });
    const answer = await engine.http.get(`/lb/${id}/x`);
    expect(answer.status).toBe(502);
    expect(messageOf(answer)).toContain('without an answer');
  });

  test('whose caller goes away is taken from the worker', async () => {
    const leaving = new AbortController();
    const asking = engine.http.get(`${path}/gone`, { signal: leaving.signal });
    asking.catch(() => undefined);
    await until(
      'the request to be with the worker',
      async () => (await engine.http.get(`${path}/asked?path=/gone`)).json as number,
      (count) => count > 0,
    );
    leaving.abort();
    await expect(asking).rejects.toThrow();
    await until('the worker to see it', async () => (await engine.http.get(`${path}/went-away`)).text, 'true');
  });

  test('goes to the least busy worker, in turn', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMin: 2, workersMax: 2 } });
    await readyWorkers(engine, id, 2);
    const go = join(engine.dataDir, `go-${id}`);
    const asking = Array.from({ length: 8 }, () =>
      engine.http.get(`/lb/${id}/hold?${new URLSearchParams({ until: go }).toString()}`),
    );
    await until('all to be with a worker', async () => (await healthAt(engine, id)).jobs.inProgress, 8);
    writeFileSync(go, '');
    const answers = await Promise.all(asking);
    const by = answers.map(({ headers }) => headers['x-runpod-worker-id']);
    expect(new Set(by).size).toBe(2);
    for (const one of new Set(by)) expect(by.filter((other) => other === one)).toHaveLength(4);
    const inTurn = [];
    for (let n = 0; n < 4; n++) inTurn.push((await engine.http.get(`/lb/${id}/x`)).headers['x-runpod-worker-id']);
    expect(inTurn[0]).toBe(inTurn[2]);
    expect(inTurn[0]).not.toBe(inTurn[1]);
  });

  test('is answered with the id of its worker, and goes there again if it names it', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMin: 2, workersMax: 2 } });
    await readyWorkers(engine, id, 2);
    const workerId = String((await engine.http.get(`/lb/${id}/x`)).headers['x-runpod-worker-id']);
    for (const wish of [workerId, `strict ${workerId}`, `strict-resume ${workerId}`]) {
      for (let n = 0; n < 3; n++) {
        const headers = { 'x-runpod-worker-id': wish };
        expect(requestOf(await engine.http.get(`/lb/${id}/x`, { headers })).workerId).toBe(workerId);
      }
    }
    const anybody = await engine.http.get(`/lb/${id}/x`, { headers: { 'x-runpod-worker-id': 'w-gone' } });
    expect(anybody.status).toBe(200);
    for (const wish of ['strict w-gone', 'strict-resume w-gone']) {
      const gone = await engine.http.get(`/lb/${id}/x`, { headers: { 'x-runpod-worker-id': wish } });
      expect(gone.status).toBe(404);
      expect(messageOf(gone)).toContain('affinity_worker_gone');
    }
  });

  test('above what the workers are meant for calls for one more', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMax: 2, scalerValue: 2 } });
    await engine.http.get(`/lb/${id}/x`);
    const leaving = new AbortController();
    const asking = Array.from({ length: 3 }, () => engine.http.get(`/lb/${id}/never`, { signal: leaving.signal }));
    for (const one of asking) one.catch(() => undefined);
    await readyWorkers(engine, id, 2);
    leaving.abort();
  });
});

describe('the health of a worker', () => {
  test('is asked at HEALTH_CHECK_PATH on PORT_HEALTH: 204 is starting, 200 is ready', async () => {
    const env = { PORT: '8000', PORT_HEALTH: '8001', HEALTH_CHECK_PATH: 'alive', STARTS_WITH: '204' };
    const { id } = await makeBalanced(engine, { env, endpoint: { workersMin: 1 } });
    const answering = engine.http.get(`/lb/${id}/x`);
    const worker = await until(
      'the worker to run',
      async () => (await engine.http.get('/local/v1/workers')).json as { endpointId: string; pid: number }[],
      (workers) => workers.find(({ endpointId: of }) => of === id),
    );
    expect((await healthAt(engine, id)).workers).toMatchObject({ ready: 0, initializing: 1 });
    // It is told through its own server, past the engine.
    const environment = readFileSync(`/proc/${worker.pid}/environ`, 'utf8').split('\0');
    const valueOf = (name: string) => environment.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
    expect(valueOf('PORT')).not.toBe('8000');
    expect(valueOf('PORT_HEALTH')).not.toBe(valueOf('PORT'));
    expect(valueOf('HEALTH_CHECK_PATH')).toBe('/alive');
    await until('its server to listen', () =>
      fetch(`http://127.0.0.1:${valueOf('PORT')}/become?status=200`).then(
        (answer) => answer.arrayBuffer(),
        () => null,
      ),
    );
    expect((await answering).status).toBe(200);
    expect((await healthAt(engine, id)).workers).toMatchObject({ ready: 1, initializing: 0 });
  });

  test('a PORT that is none is told before anything is started', async () => {
    const { id } = await makeBalanced(engine, { env: { PORT: 'eighty' } });
    const listed = (await engine.http.get('/local/v1/endpoints')).json as { id: string; reason: string }[];
    expect(listed.find((one) => one.id === id)).toMatchObject({ available: false, reason: /PORT .*"eighty"/ });
  });

  test('a folder with a handler for jobs and no command is told to have no server', async () => {
    const handler = { 'handler.mjs': 'export default () => 1;' };
    const { endpoint } = await makeEndpoint(engine, handler, { endpoint: { type: 'LB' } });
    const listed = (await engine.http.get('/local/v1/endpoints')).json as { id: string; reason: string }[];
    expect(listed.find((one) => one.id === endpoint.id)?.reason).toContain('dockerStartCmd');
  });
});
