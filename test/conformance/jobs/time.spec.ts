/** Rules that speak of minutes, hours and days: on an engine whose clock stands still and is put forward. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobViewSchema, type JobView } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import type { Answer } from '../../support/http/client.ts';
import { allCommitted, jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { until } from '../../support/core/until.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
  await engine.hold();
});
afterAll(() => engine.close());

interface Stage {
  jobs: Jobs;
  worker: OutsideWorker;
}

async function stage(endpoint: object = {}): Promise<Stage> {
  const { id } = await makeIdleEndpoint(engine, endpoint);
  return { jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

/** Puts the clock forward while the worker stays in touch, as one does whose handler takes that long. */
async function workOn(worker: OutsideWorker, ms: number): Promise<void> {
  const stepMs = limits.workerSilenceMs - 1;
  for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
    await engine.advance(Math.min(leftMs, stepMs));
    await worker.ping();
  }
}

const statusOf = async (jobs: Jobs, id: string): Promise<number> =>
  (await engine.http.get(`${jobs.path}/status/${id}`)).status;

/** Readable until `ms` from now, and a 404 on every operation afterwards. */
async function expectKeptFor(jobs: Jobs, id: string, ms: number): Promise<void> {
  const awakeMs = Math.min(ms, HOUR_MS);
  await engine.sleep(ms - awakeMs);
  await engine.advance(awakeMs - 1);
  expect(await statusOf(jobs, id)).toBe(200);
  await engine.advance(1);
  for (const operation of ['status', 'status-sync', 'stream']) {
    expect((await engine.http.get(`${jobs.path}/${operation}/${id}`)).status, operation).toBe(404);
  }
  expect((await engine.http.post(`${jobs.path}/cancel/${id}`)).status).toBe(404);
}

/** A /runsync that its worker finishes; the answer. */
async function runSync({ jobs, worker }: Stage, query = ''): Promise<JobView> {
  const answering = engine.http.post(`${jobs.path}/runsync${query}`, { input: {} });
  const taken = await worker.take();
  await worker.done(taken?.id ?? '', { output: 'kept' });
  return jobViewSchema.parse(accepted(await answering));
}

/** Whether an answer has arrived; a request that follows shows that the engine had its turn. */
async function arrived(jobs: Jobs, answering: Promise<Answer>): Promise<boolean> {
  let there = false;
  void answering.then(() => (there = true));
  await jobs.health();
  return there;
}

describe('results', () => {
  test.each<[string, (stage: Stage, id: string) => Promise<unknown>]>([
    ['COMPLETED', ({ worker }, id) => worker.done(id, { output: 1 })],
    ['FAILED', ({ worker }, id) => worker.done(id, { error: 'no' })],
    ['CANCELLED', ({ jobs }, id) => jobs.cancel(id)],
    ['TIMED_OUT', () => engine.advance(5 * SECOND_MS)],
  ])('of /run are kept for 30 minutes after the end, then they are a 404: %s', async (status, end) => {
    const made = await stage();
    const policy = status === 'TIMED_OUT' ? { policy: { executionTimeout: 5 * SECOND_MS } } : {};
    const id = await made.jobs.run({}, policy);
    await made.worker.take();
    await end(made, id);
    expect((await made.jobs.status(id)).status).toBe(status);
    await expectKeptFor(made.jobs, id, 30 * MINUTE_MS);
  });

  test('of /runsync are kept for 1 minute after the end', async () => {
    const made = await stage();
    await expectKeptFor(made.jobs, (await runSync(made)).id, MINUTE_MS);
  });

  test('of /runsync with wait are kept for 5 minutes after the end', async () => {
    const made = await stage();
    await expectKeptFor(made.jobs, (await runSync(made, '?wait=1000')).id, 5 * MINUTE_MS);
  });

  test('are kept from the end on, however long the job took before', async () => {
    const { jobs, worker } = await stage();
    const id = await jobs.run({}, { policy: { executionTimeout: 2 * HOUR_MS } });
    await worker.take();
    await workOn(worker, HOUR_MS);
    await worker.done(id, { output: 1 });
    await expectKeptFor(jobs, id, 30 * MINUTE_MS);
  });

  test('are gone earlier when the ttl of the job passes before', async () => {
    const { jobs, worker } = await stage();
    const id = await jobs.run({}, { policy: { ttl: MINUTE_MS } });
    await worker.take();
    await worker.done(id, { output: 1 });
    await expectKeptFor(jobs, id, MINUTE_MS);
  });
});

describe('ttl', () => {
  test('is 24 hours unless said otherwise, counted from submission', async () => {
    const { jobs } = await stage();
    await expectKeptFor(jobs, await jobs.run({}), DAY_MS);
  });

  test('may be as long as 7 days', async () => {
    const { jobs } = await stage();
    await expectKeptFor(jobs, await jobs.run({}, { policy: { ttl: 7 * DAY_MS } }), 7 * DAY_MS);
  });

  test('covers queue and execution: what a job waits is taken from what it may run', async () => {
    const { jobs, worker } = await stage();
    const id = await jobs.run({}, { policy: { ttl: 10 * MINUTE_MS, executionTimeout: 10 * MINUTE_MS } });
    await engine.advance(9 * MINUTE_MS);
    await worker.take();
    await workOn(worker, MINUTE_MS - 1);
    expect((await jobs.status(id)).status).toBe('IN_PROGRESS');
    await engine.advance(1);
    expect(await statusOf(jobs, id)).toBe(404);
    expect((await worker.stops()).json).toEqual({ jobsToStop: [id] });
    expect((await worker.done(id, { output: 'too late' })).status).toBe(404);
  });

  test('of /status replaces that of the job, still counted from submission', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({});
    await engine.advance(4 * MINUTE_MS);
    const answer = await engine.http.get(`${jobs.path}/status/${id}?ttl=${5 * MINUTE_MS}`);
    expect(answer.json).toMatchObject({ id, status: 'IN_QUEUE' });
    await expectKeptFor(jobs, id, MINUTE_MS);
  });

  test('of /status may be longer than the one before, which then no longer holds', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({}, { policy: { ttl: MINUTE_MS } });
    accepted(await engine.http.get(`${jobs.path}/status/${id}?ttl=${3 * MINUTE_MS}`));
    await expectKeptFor(jobs, id, 3 * MINUTE_MS);
  });

  test('of /status that is less than the age of the job removes it at once', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({});
    await engine.advance(HOUR_MS);
    await engine.http.get(`${jobs.path}/status/${id}?ttl=${MINUTE_MS}`);
    await engine.advance(1);
    expect(await statusOf(jobs, id)).toBe(404);
  });

  test('that has passed while someone waits for the job is a 404 to them', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({}, { policy: { ttl: MINUTE_MS } });
    const waiting = engine.http.get(`${jobs.path}/status-sync/${id}`);
    const reading = engine.http.get(`${jobs.path}/stream/${id}?wait=300000`);
    expect(await arrived(jobs, waiting)).toBe(false);
    await engine.advance(MINUTE_MS);
    expect((await waiting).status).toBe(404);
    expect((await reading).status).toBe(404);
  });
});

describe('executionTimeout', () => {
  /** Runs a job; it is to be in progress until `ms` have passed, and TIMED_OUT then. */
  async function expectTimeOut({ jobs, worker }: Stage, envelope: object, ms: number): Promise<void> {
    const id = await jobs.run({}, envelope);
    await worker.take();
    await workOn(worker, ms - 1);
    expect((await jobs.status(id)).status).toBe('IN_PROGRESS');
    await engine.advance(1);
    const view = await jobs.status(id);
    expect(view).toMatchObject({ status: 'TIMED_OUT', error: expect.stringContaining(String(ms)) });
    expect(view.executionTime).toBe(ms);
  }

  test('is 10 minutes unless said otherwise', async () => {
    await expectTimeOut(await stage(), {}, 10 * MINUTE_MS);
  });

  test('of the policy overrides that of the endpoint for this job only', async () => {
    const made = await stage({ executionTimeoutMs: MINUTE_MS });
    await expectTimeOut(made, { policy: { executionTimeout: 3 * MINUTE_MS } }, 3 * MINUTE_MS);
    await expectTimeOut(made, {}, MINUTE_MS);
  });

  test('does not count what a job waits in the queue', async () => {
    const made = await stage();
    const id = await made.jobs.run({}, { policy: { executionTimeout: MINUTE_MS } });
    await engine.advance(HOUR_MS);
    await made.worker.take();
    await made.worker.done(id, { output: 'in time' });
    expect(await made.jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'in time' });
  });
});

describe('wait', () => {
  test.each<[string, string, number]>([
    ['is 90 seconds unless said otherwise', '', 90 * SECOND_MS],
    ['may be as long as 300 seconds', '?wait=300000', 300 * SECOND_MS],
  ])('of /runsync %s, then the answer is the job as it is', async (_, query, ms) => {
    const { jobs } = await stage();
    const answering = engine.http.post(`${jobs.path}/runsync${query}`, { input: {} });
    await jobsInQueue(jobs, 1);
    // Its wait begins once the job is stored.
    await allCommitted(engine);
    await engine.advance(ms - 1);
    expect(await arrived(jobs, answering)).toBe(false);
    await engine.advance(1);
    expect(accepted(await answering)).toMatchObject({ status: 'IN_QUEUE' });
  });

  test('of /runsync says nothing on how long the job may take: it goes on', async () => {
    const { jobs, worker } = await stage();
    const answering = engine.http.post(`${jobs.path}/runsync?wait=1000`, { input: {} });
    const taken = await worker.take();
    await engine.advance(1000);
    expect(accepted(await answering)).toMatchObject({ id: taken?.id, status: 'IN_PROGRESS' });
    await worker.done(taken?.id ?? '', { output: 'later' });
    expect(await jobs.status(taken?.id ?? '')).toMatchObject({ status: 'COMPLETED', output: 'later' });
  });

  test('of /status-sync is 90 seconds unless said otherwise', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({});
    const answering = engine.http.get(`${jobs.path}/status-sync/${id}`);
    expect(await arrived(jobs, answering)).toBe(false);
    await engine.advance(90 * SECOND_MS - 1);
    expect(await arrived(jobs, answering)).toBe(false);
    await engine.advance(1);
    expect(accepted(await answering)).toMatchObject({ id, status: 'IN_QUEUE' });
  });

  test('of an empty /stream is 5 seconds at most, less than what public SDKs read', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({});
    const answering = engine.http.get(`${jobs.path}/stream/${id}`);
    expect(await arrived(jobs, answering)).toBe(false);
    await engine.advance(5 * SECOND_MS);
    expect(accepted(await answering)).toEqual([]);
  });

  test('of an empty /stream is as long as the request says', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({});
    const answering = engine.http.get(`${jobs.path}/stream/${id}?wait=1000`);
    expect(await arrived(jobs, answering)).toBe(false);
    await engine.advance(SECOND_MS - 1);
    expect(await arrived(jobs, answering)).toBe(false);
    await engine.advance(1);
    expect(accepted(await answering)).toEqual([]);
  });
});

test('an empty job-take is held for less than 90 seconds, then answered 204', async () => {
  const { jobs, worker } = await stage();
  const answering = worker.takeAnswer();
  expect(await arrived(jobs, answering)).toBe(false);
  await engine.advance(89 * SECOND_MS);
  expect((await answering).status).toBe(204);
});

test('delayTime is what the job waited and executionTime what it ran, in whole milliseconds', async () => {
  const { jobs, worker } = await stage();
  const id = await jobs.run({});
  await engine.advance(20 * SECOND_MS);
  await worker.take();
  await engine.advance(30 * SECOND_MS);
  await worker.done(id, { output: 1 });
  expect(await jobs.status(id)).toMatchObject({ delayTime: 20 * SECOND_MS, executionTime: 30 * SECOND_MS });
});

test('a worker that is not heard of for 45 seconds loses its job once to the queue, the second time the job fails', async () => {
  const { jobs, worker } = await stage();
  const id = await jobs.run({});
  await worker.take();
  await workOn(worker, 2 * MINUTE_MS);
  expect(await jobs.status(id)).toMatchObject({ status: 'IN_PROGRESS', workerId: worker.id });
  await engine.advance(limits.workerSilenceMs);
  expect(await jobs.status(id)).toMatchObject({ status: 'IN_QUEUE', retries: 1 });
  expect((await jobs.health()).jobs).toMatchObject({ retried: 1, inQueue: 1, failed: 0 });
  expect((await worker.take())?.id).toBe(id);
  await engine.advance(limits.workerSilenceMs);
  expect(await jobs.status(id)).toMatchObject({
    status: 'FAILED',
    retries: 1,
    error: expect.stringMatching(/no ping for 45 s.*lost 2 workers/),
  });
  expect((await jobs.health()).jobs).toMatchObject({ retried: 1, inQueue: 0, failed: 1 });
});

const jobsInQueue = (jobs: Jobs, count: number): Promise<number> =>
  until(`${count} jobs in the queue`, async () => (await jobs.health()).jobs.inQueue, count);
