/** What workers and callers notice of a job whose time is over. The clock stands still and is put forward. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';

const EXECUTION_TIMEOUT_MS = 5_000;
const TTL_MS = 10_000;

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
  await engine.hold();
});
afterAll(() => engine.close());

async function outside(endpoint: object = {}): Promise<{ jobs: Jobs; worker: OutsideWorker }> {
  const { id } = await makeIdleEndpoint(engine, endpoint);
  return { jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

test.each([
  ['of its policy', {}, { policy: { executionTimeout: EXECUTION_TIMEOUT_MS } }],
  ['of its endpoint', { executionTimeoutMs: EXECUTION_TIMEOUT_MS }, {}],
])(
  'a job that runs longer than the executionTimeout %s ends TIMED_OUT, its worker is told to stop it, and a later result changes nothing',
  async (_, endpoint, envelope) => {
    const { jobs, worker } = await outside(endpoint);
    const id = await jobs.run({}, envelope);
    await worker.take();
    const stopping = worker.stops();
    await engine.advance(EXECUTION_TIMEOUT_MS);
    const view = await jobs.status(id);
    expect(view).toMatchObject({
      status: 'TIMED_OUT',
      error: expect.stringContaining(String(EXECUTION_TIMEOUT_MS)),
      executionTime: EXECUTION_TIMEOUT_MS,
    });
    expect((await stopping).json).toEqual({ jobsToStop: [id] });
    await worker.done(id, { output: 'too late' });
    expect(await jobs.status(id)).toEqual(view);
  },
);

test('when its ttl has passed a queued job is deleted: status answers 404 and no worker gets it', async () => {
  const { jobs, worker } = await outside();
  const id = await jobs.run({}, { policy: { ttl: TTL_MS } });
  await engine.advance(TTL_MS);
  expect((await engine.http.get(`${jobs.path}/status/${id}`)).status).toBe(404);
  const next = await jobs.run({});
  expect((await worker.take())?.id).toBe(next);
});

test('when its ttl has passed a running job is deleted too, and its worker is told to stop it', async () => {
  const { jobs, worker } = await outside();
  const id = await jobs.run({}, { policy: { ttl: TTL_MS } });
  await worker.take();
  const stopping = worker.stops();
  await engine.advance(TTL_MS);
  expect((await stopping).json).toEqual({ jobsToStop: [id] });
  expect((await worker.done(id, { output: 'too late' })).status).toBe(404);
});
