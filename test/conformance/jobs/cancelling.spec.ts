import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint, makeIdleEndpoint, UNTIL_ABORTED } from '../../support/resources/resources.ts';

/** Its clock stands still: a worker has seconds only to let go of a cancelled job. */
let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
  await engine.hold();
});
afterAll(() => engine.close());

async function outside(): Promise<{ jobs: Jobs; worker: OutsideWorker }> {
  const { id } = await makeIdleEndpoint(engine);
  return { jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

test('cancelling a queued job removes it before it starts', async () => {
  const { jobs, worker } = await outside();
  const cancelled = await jobs.run({ n: 1 });
  const next = await jobs.run({ n: 2 });
  const answer = await engine.http.post(`${jobs.path}/cancel/${cancelled}`, {});
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ id: cancelled, status: 'CANCELLED' });
  expect((await worker.take())?.id).toBe(next);
  expect(await jobs.status(cancelled)).toMatchObject({ status: 'CANCELLED' });
});

test('cancelling a running job is answered at once and its worker is told to stop it', async () => {
  const { jobs, worker } = await outside();
  const id = await jobs.run({});
  await worker.take();
  const stopping = worker.stops();
  expect(await jobs.cancel(id)).toMatchObject({ id, status: 'CANCELLED' });
  expect((await stopping).json).toEqual({ jobsToStop: [id] });
});

test('a worker that has not let go of a cancelled job is busy, and a waiting job says so', async () => {
  const { jobs, worker } = await outside();
  const id = await jobs.run({});
  await worker.take();
  await jobs.cancel(id);
  const health = () => engine.http.get(`${jobs.path}/health`);
  expect((await health()).json).toMatchObject({ workers: { idle: 0, ready: 0, running: 1 }, jobs: { inProgress: 0 } });
  const next = await jobs.run({});
  const waiting = await engine.http.get(`${jobs.path}/status/${next}?waiting=true`);
  expect(JSON.stringify(waiting.json)).not.toContain('A worker is free');
  // Asking for the next job says that it has let go.
  expect((await worker.take())?.id).toBe(next);
  await worker.done(next, { output: null });
  expect((await health()).json).toMatchObject({ workers: { idle: 1, running: 0 } });
});

test('a result that arrives after the cancel changes nothing', async () => {
  const { jobs, worker } = await outside();
  const id = await jobs.run({});
  await worker.take();
  await jobs.cancel(id);
  await worker.done(id, { output: 'too late' });
  const view = await jobs.status(id);
  expect(view.status).toBe('CANCELLED');
  expect(view).not.toHaveProperty('output');
});

test('a cancel without a body is the same as one with an empty object', async () => {
  const { jobs } = await outside();
  const id = await jobs.run({});
  expect((await engine.http.post(`${jobs.path}/cancel/${id}`)).json).toMatchObject({ id, status: 'CANCELLED' });
});

test('cancelling a finished job leaves it as it ended', async () => {
  const { jobs, worker } = await outside();
  const id = await jobs.run({});
  await worker.take();
  await worker.done(id, { output: 'kept' });
  await engine.http.post(`${jobs.path}/cancel/${id}`);
  expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'kept' });
});

test('who waits for a cancelled job is answered at once', async () => {
  const { jobs, worker } = await outside();
  const id = await jobs.run({});
  await worker.take();
  const waiting = engine.http.get(`${jobs.path}/status-sync/${id}`);
  const reading = engine.http.get(`${jobs.path}/stream/${id}?envelope=true&wait=60000`);
  await jobs.cancel(id);
  expect((await waiting).json).toMatchObject({ status: 'CANCELLED' });
  expect((await reading).json).toMatchObject({ status: 'CANCELLED', stream: [] });
});

test('a running handler in the Node harness sees its signal abort, and its worker goes on with the next job', async () => {
  await using own = await startEngine();
  const { endpoint } = await makeEndpoint(
    own,
    {
      'handler.mjs': `${UNTIL_ABORTED}
        import { writeFileSync } from 'node:fs';
        export default async (job, context) => {
          if (job.input.quick) return 'next';
          await context.progress('started');
          await untilAborted(context.signal);
          writeFileSync(new URL('./aborted', import.meta.url), job.id);
        };`,
    },
    { endpoint: { workersMax: 1 } },
  );
  const jobs = jobsOf(own, endpoint.id);
  const id = await jobs.run({});
  await jobs.reached(id, 'IN_PROGRESS');
  await jobs.cancel(id);
  expect(await jobs.status(id)).toMatchObject({ id, status: 'CANCELLED' });
  const next = await jobs.run({ quick: true });
  expect(await jobs.finished(next)).toMatchObject({ status: 'COMPLETED', output: 'next' });
});
