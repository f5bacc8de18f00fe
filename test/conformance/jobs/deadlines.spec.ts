import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobViewSchema, type JobView } from '#contract/api/job.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import type { Answer } from '../../support/http/client.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

const EXECUTION_TIMEOUT_MS = 5_000;
const TTL_MS = 10_000;

let engine: TestEngine;

async function outside(endpoint: object = {}): Promise<{ jobs: Jobs; worker: OutsideWorker }> {
  const { id } = await makeIdleEndpoint(engine, endpoint);
  return { jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

const waitedFor = async (jobs: Jobs, id: string, waitMs: number): Promise<JobView> =>
  jobViewSchema.parse(accepted(await engine.http.get(`${jobs.path}/status-sync/${id}?wait=${waitMs}`)));

const gone = (jobs: Jobs, id: string): Promise<unknown> =>
  until(`job ${id} to be deleted`, async () => (await engine.http.get(`${jobs.path}/status/${id}`)).status, 404);

/** A job whose worker takes longer than the job may run. */
async function overdue(endpoint: object, policy?: object): Promise<{ view: JobView; stops: Answer; late: JobView }> {
  const { jobs, worker } = await outside(endpoint);
  const id = await jobs.run({}, policy ? { policy } : {});
  await worker.take();
  const stopping = worker.stops();
  const view = await waitedFor(jobs, id, 15_000);
  const stops = await stopping;
  await worker.done(id, { output: 'too late' });
  return { view, stops, late: await jobs.status(id) };
}

async function longQueued(): Promise<{ waiting: JobView; view: JobView }> {
  const { jobs, worker } = await outside();
  const id = await jobs.run({}, { policy: { executionTimeout: EXECUTION_TIMEOUT_MS } });
  const waiting = await waitedFor(jobs, id, EXECUTION_TIMEOUT_MS + 500);
  await worker.take();
  await worker.done(id, { output: 'in time' });
  return { waiting, view: await jobs.status(id) };
}

async function expiredInQueue(): Promise<{ taken: string | undefined; next: string }> {
  const { jobs, worker } = await outside();
  await gone(jobs, await jobs.run({}, { policy: { ttl: TTL_MS } }));
  const next = await jobs.run({});
  return { taken: (await worker.take())?.id, next };
}

async function expiredRunning(): Promise<{ id: string; stops: Answer; doneStatus: number }> {
  const { jobs, worker } = await outside();
  const id = await jobs.run({}, { policy: { ttl: TTL_MS } });
  await worker.take();
  const stopping = worker.stops();
  await gone(jobs, id);
  return { id, stops: await stopping, doneStatus: (await worker.done(id, { output: 'too late' })).status };
}

interface Outcomes {
  ownTimeout: Awaited<ReturnType<typeof overdue>>;
  endpointTimeout: Awaited<ReturnType<typeof overdue>>;
  longQueued: Awaited<ReturnType<typeof longQueued>>;
  expiredInQueue: Awaited<ReturnType<typeof expiredInQueue>>;
  expiredRunning: Awaited<ReturnType<typeof expiredRunning>>;
}
let outcomes: Outcomes;

// The least the description allows is seconds: all deadlines run side by side, once.
beforeAll(async () => {
  engine = await startEngine();
  const [ownTimeout, endpointTimeout, queued, inQueue, running] = await Promise.all([
    overdue({}, { executionTimeout: EXECUTION_TIMEOUT_MS }),
    overdue({ executionTimeoutMs: EXECUTION_TIMEOUT_MS }),
    longQueued(),
    expiredInQueue(),
    expiredRunning(),
  ]);
  outcomes = { ownTimeout, endpointTimeout, longQueued: queued, expiredInQueue: inQueue, expiredRunning: running };
});
afterAll(() => engine.close());

test('a job that runs longer than its executionTimeout ends TIMED_OUT with a reason; its worker is told to stop it', () => {
  const { view, stops } = outcomes.ownTimeout;
  expect(view).toMatchObject({ status: 'TIMED_OUT', error: expect.stringContaining(String(EXECUTION_TIMEOUT_MS)) });
  expect(view.executionTime).toBeGreaterThanOrEqual(EXECUTION_TIMEOUT_MS);
  expect(view.executionTime).toBeLessThan(2 * EXECUTION_TIMEOUT_MS);
  expect(stops.json).toEqual({ jobsToStop: [view.id] });
});

test('a result that comes after the time-out changes nothing', () => {
  expect(outcomes.ownTimeout.late).toEqual(outcomes.ownTimeout.view);
});

test("the endpoint's executionTimeoutMs holds for jobs that name none", () => {
  expect(outcomes.endpointTimeout.view).toMatchObject({ status: 'TIMED_OUT' });
});

test('time in the queue does not count towards executionTimeout', () => {
  expect(outcomes.longQueued.waiting).toMatchObject({ status: 'IN_QUEUE' });
  expect(outcomes.longQueued.view).toMatchObject({ status: 'COMPLETED', output: 'in time' });
});

test('when its ttl has passed a queued job is deleted: status answers 404 and no worker gets it', () => {
  expect(outcomes.expiredInQueue.taken).toBe(outcomes.expiredInQueue.next);
});

test('when its ttl has passed a running job is deleted too, and its worker is told to stop it', () => {
  const { id, stops, doneStatus } = outcomes.expiredRunning;
  expect(stops.json).toEqual({ jobsToStop: [id] });
  expect(doneStatus).toBe(404);
});
