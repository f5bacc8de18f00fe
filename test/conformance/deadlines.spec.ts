import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { jobsOf, type Jobs } from '../support/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../support/outsideWorker.ts';
import { makeIdleEndpoint } from '../support/resources.ts';
import { until } from '../support/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

async function outside(endpoint: object = {}): Promise<{ jobs: Jobs; worker: OutsideWorker }> {
  const { id } = await makeIdleEndpoint(engine, endpoint);
  return { jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

const gone = (jobs: Jobs, id: string) =>
  until(`job ${id} to be deleted`, async () => (await engine.http.get(`${jobs.path}/status/${id}`)).status === 404, {
    withinMs: 15_000,
    everyMs: 100,
  });

describe.concurrent('deadlines', () => {
  test('a job that runs longer than its executionTimeout ends TIMED_OUT and its worker is told to stop it', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({}, { policy: { executionTimeout: 5000 } });
    await worker.take();
    const stopping = worker.stops();
    const view = (await engine.http.get(`${jobs.path}/status-sync/${id}?wait=15000`)).json;
    expect(view).toMatchObject({ id, status: 'TIMED_OUT', error: expect.stringMatching(/5\D?000|5 s/) });
    expect((view as { executionTime: number }).executionTime).toBeGreaterThanOrEqual(4990);
    expect((await stopping).json).toEqual({ jobsToStop: [id] });
    await worker.done(id, { output: 'too late' });
    expect((await jobs.status(id)).status).toBe('TIMED_OUT');
  });

  test("the endpoint's executionTimeoutMs holds for jobs that name none", async () => {
    const { jobs, worker } = await outside({ executionTimeoutMs: 5000 });
    const id = await jobs.run({});
    await worker.take();
    const answer = await engine.http.get(`${jobs.path}/status-sync/${id}?wait=15000`);
    expect(answer.json).toMatchObject({ id, status: 'TIMED_OUT' });
  });

  test('time in the queue does not count towards executionTimeout', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({}, { policy: { executionTimeout: 5000 } });
    const waited = await engine.http.get(`${jobs.path}/status-sync/${id}?wait=5500`);
    expect(waited.json).toMatchObject({ status: 'IN_QUEUE' });
    await worker.take();
    await worker.done(id, { output: 'in time' });
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'in time' });
  });

  test('when its ttl has passed a queued job is deleted: status answers 404 and no worker gets it', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({}, { policy: { ttl: 10_000 } });
    await gone(jobs, id);
    const next = await jobs.run({});
    expect((await worker.take())?.id).toBe(next);
  });

  test('when its ttl has passed a running job is deleted too, and its worker is told to stop it', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({}, { policy: { ttl: 10_000 } });
    await worker.take();
    const stopping = worker.stops();
    await gone(jobs, id);
    expect((await stopping).json).toEqual({ jobsToStop: [id] });
  });
});
