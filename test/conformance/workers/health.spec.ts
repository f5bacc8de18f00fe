import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineHealthSchema } from '#contract/local/engine.ts';
import { startClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint, makeIdleEndpoint, UNTIL_ABORTED } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

test('health has five job counters and six worker counters, all whole numbers', async () => {
  const { id } = await makeIdleEndpoint(engine);
  const answer = await engine.http.get(`/v2/${id}/health`);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 },
  });
});

test('jobs are counted by what they are', async () => {
  const { id } = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, id);
  const worker = createOutsideWorker(engine, id);
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await jobs.run({ n }));
  for (let n = 0; n < 3; n++) await worker.take();
  await worker.done(ids[0] ?? '', { output: 1 });
  await worker.done(ids[1] ?? '', { error: 'no' });
  expect((await jobs.health()).jobs).toEqual({ completed: 1, failed: 1, inProgress: 1, inQueue: 1, retried: 0 });
});

test('workers are running while they work, then idle and ready', async () => {
  const { endpoint } = await makeEndpoint(
    engine,
    {
      'handler.mjs': `${UNTIL_ABORTED}
        export default (job, context) => untilAborted(context.signal);`,
    },
    { endpoint: { workersMax: 1, idleTimeout: 60 } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  const id = await jobs.run({});
  await jobs.reached(id, 'IN_PROGRESS');
  expect((await jobs.health()).workers).toMatchObject({ running: 1, idle: 0, ready: 0 });
  await jobs.cancel(id);
  await until(
    'the worker to be idle again',
    async () => (await jobs.health()).workers,
    (workers) => workers.running === 0 && workers.idle === 1 && workers.ready === 1,
  );
});

test('a worker without work for idleTimeout seconds is stopped', async () => {
  await using clocked = await startClockedEngine();
  const { endpoint } = await makeEndpoint(
    clocked,
    { 'handler.mjs': 'export default () => 1;\n' },
    { endpoint: { idleTimeout: 600 } },
  );
  const jobs = jobsOf(clocked, endpoint.id);
  await jobs.finished(await jobs.run({}));
  await until('the worker to be idle', async () => (await jobs.health()).workers.idle, 1);
  await clocked.advance(600_000);
  await until(
    'no worker to be left',
    async () => Object.values((await jobs.health()).workers),
    (counts) => counts.every((n) => n === 0),
  );
});

test('GET /health tells name, version and readiness of the engine without a key', async () => {
  const answer = await engine.http.get('/health', { authorization: null });
  expect(answer.status).toBe(200);
  expect(engineHealthSchema.parse(answer.json)).toMatchObject({ version: '0.0.0-test', ready: true });
});
