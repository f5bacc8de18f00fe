/**
 * Rules of load-balancing endpoints that speak of minutes: on an engine whose clock stands still and is put forward.
 */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthAt, makeBalanced, openAnswer } from '../../support/loadBalancing/endpoint.ts';
import { connectSocket } from '../../support/loadBalancing/webSocket.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { until } from '../../support/core/until.ts';
import { messageOf } from '../../support/http/client.ts';

const MINUTE_MS = 60_000;

let engine: ClockedEngine;
let endpointId: string;
beforeAll(async () => {
  engine = await startClockedEngine();
  endpointId = (await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id;
  await engine.http.get(`/lb/${endpointId}/x`);
  await engine.hold();
});
afterAll(() => engine.close());

/** Sends a request that is answered later, and waits until the engine counts it. */
async function ask(id: string, path: string, of: 'inQueue' | 'inProgress', headers: Record<string, string> = {}) {
  const state = { over: false };
  const before = (await healthAt(engine, id)).jobs[of];
  const answer = engine.http.get(`/lb/${id}${path}`, { headers }).finally(() => (state.over = true));
  await until(
    'the request to be there',
    async () => (await healthAt(engine, id)).jobs[of],
    (count) => count > before,
  );
  return { answer, state };
}

test('a request that finds no worker in 2 minutes is a 400 that says what it waited for', async () => {
  const { id } = await makeBalanced(engine, { endpoint: { workersMax: 0 } });
  const { answer, state } = await ask(id, '/x', 'inQueue');
  await engine.advance(2 * MINUTE_MS - 1);
  await engine.http.get('/health');
  expect(state.over).toBe(false);
  await engine.advance(1);
  const refused = await answer;
  expect(refused.status).toBe(400);
  expect(messageOf(refused)).toMatch(/Timed out waiting for a worker: none was ready within 2 min\..*workersMax/);
  // What was refused is not kept for later.
  expect((await healthAt(engine, id)).jobs.inQueue).toBe(0);
});

test('a request that insists on a worker waits 5 minutes for it', async () => {
  const { id } = await makeBalanced(engine, { endpoint: { workersMin: 1 }, env: { STARTS_WITH: '204' } });
  const workerId = await until(
    'the worker to be there',
    async () => (await engine.http.get('/local/v1/workers')).json as { endpointId: string; id: string }[],
    (workers) => workers.find(({ endpointId: of }) => of === id)?.id,
  );
  const state = { over: false };
  const headers = { 'x-runpod-worker-id': `strict ${workerId}` };
  const answer = engine.http.get(`/lb/${id}/x`, { headers }).finally(() => (state.over = true));
  await engine.http.get('/health');
  await engine.advance(5 * MINUTE_MS - 1);
  await engine.http.get('/health');
  expect(state.over).toBe(false);
  await engine.advance(1);
  const refused = await answer;
  expect(refused.status).toBe(400);
  expect(messageOf(refused)).toContain(`worker ${workerId} was not ready within 5 min`);
});

test('a request that has been with its worker for 5.5 minutes is a 504, and one whose answer has begun is cut', async () => {
  const begun = await openAnswer(engine, `/lb/${endpointId}/events`);
  const { answer, state } = await ask(endpointId, '/never', 'inProgress');
  await engine.advance(5.5 * MINUTE_MS - 1);
  await engine.http.get('/health');
  expect(state.over).toBe(false);
  expect(begun.destroyed).toBe(false);
  const cut = once(begun.resume(), 'error') as Promise<[NodeJS.ErrnoException]>;
  await engine.advance(1);
  const refused = await answer;
  expect(refused.status).toBe(504);
  expect(messageOf(refused)).toContain('5.5 min');
  expect((await cut)[0].code).toBe('ECONNRESET');
});

test('a WebSocket stays open for as long as its ends like', async () => {
  using one = await connectSocket(engine, endpointId, '/echo');
  await engine.advance(30 * MINUTE_MS);
  one.socket.send('still there');
  expect((await one.next()).data.toString()).toBe('still there');
});
