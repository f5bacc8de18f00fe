import runpodSdk from 'runpod-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgedSchema } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { DEADLINE_MS, until } from '../../support/core/until.ts';

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
});
afterAll(() => engine.close());

interface Stage {
  id: string;
  jobs: Jobs;
  worker: OutsideWorker;
}

async function stage(): Promise<Stage> {
  const { id } = await makeIdleEndpoint(engine);
  return { id, jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

const purge = async (jobs: Jobs, body?: object) =>
  purgedSchema.parse(accepted(await engine.http.post(`${jobs.path}/purge-queue`, body)));

describe('/purge-queue', () => {
  test('removes only the jobs that wait, and tells how many; jobs in progress go on', async () => {
    const { jobs, worker } = await stage();
    const running = await jobs.run({});
    await worker.take();
    const waiting = await Promise.all(Array.from({ length: 5 }, () => jobs.run({})));
    expect(await purge(jobs)).toEqual({ removed: 5, status: 'completed' });
    for (const id of waiting) expect((await jobs.status(id)).status).toBe('CANCELLED');
    expect((await jobs.status(running)).status).toBe('IN_PROGRESS');
    await worker.done(running, { output: 'went on' });
    expect(await jobs.status(running)).toMatchObject({ status: 'COMPLETED', output: 'went on' });
    expect((await jobs.health()).jobs).toMatchObject({ inQueue: 0, inProgress: 0, completed: 1, failed: 0 });
  });

  test('of an empty queue removes nothing, with {} as its body or without one', async () => {
    const { jobs } = await stage();
    expect(await purge(jobs)).toEqual({ removed: 0, status: 'completed' });
    expect(await purge(jobs, {})).toEqual({ removed: 0, status: 'completed' });
  });

  test('is taken twice in 10 seconds, not more often', async () => {
    const { jobs } = await stage();
    await purge(jobs);
    await engine.advance(9_000);
    await purge(jobs);
    const refused = await engine.http.post(`${jobs.path}/purge-queue`);
    expect(refused.status).toBe(429);
    await engine.advance(Number(refused.headers['retry-after']) * 1000);
    expect(await purge(jobs)).toMatchObject({ removed: 0 });
  });

  test('leaves ended jobs and the queues of other endpoints alone', async () => {
    const one = await stage();
    const other = await stage();
    const done = await one.jobs.run({});
    await one.worker.take();
    await one.worker.done(done, { output: 1 });
    const elsewhere = await other.jobs.run({});
    expect(await purge(one.jobs)).toMatchObject({ removed: 0 });
    expect((await one.jobs.status(done)).status).toBe('COMPLETED');
    expect((await other.jobs.status(elsewhere)).status).toBe('IN_QUEUE');
  });

  test('takes jobs that were queued again too, whatever their age', async () => {
    const { jobs, worker } = await stage();
    const retried = await jobs.run({});
    await worker.take();
    await worker.done(retried, { error: 'no' });
    await engine.http.post(`${jobs.path}/retry/${retried}`);
    await jobs.run({});
    expect(await purge(jobs)).toMatchObject({ removed: 2 });
    expect(await jobs.status(retried)).toMatchObject({ status: 'CANCELLED' });
  });

  test('a purged job stays readable until its retention ends, and cannot be retried', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({});
    await purge(jobs);
    expect((await engine.http.post(`${jobs.path}/retry/${id}`)).status).toBe(400);
    await engine.advance(limits.retentionMs.run - 10_000);
    expect((await jobs.status(id)).status).toBe('CANCELLED');
    await engine.advance(10_000);
    expect((await engine.http.get(`${jobs.path}/status/${id}`)).status).toBe(404);
  });

  test('answers at once who waits for a purged job', async () => {
    const { jobs } = await stage();
    const waiting = engine.http.post(`${jobs.path}/runsync`, { input: {} });
    await until('the job to be queued', async () => (await jobs.health()).jobs.inQueue, 1);
    expect(await purge(jobs)).toMatchObject({ removed: 1 });
    expect((await waiting).json).toMatchObject({ status: 'CANCELLED' });
  });

  test('jobs that are sent afterwards run', async () => {
    const { jobs, worker } = await stage();
    await jobs.run({ n: 1 });
    await purge(jobs);
    const later = await jobs.run({ n: 2 });
    expect(await worker.take()).toMatchObject({ id: later, input: { n: 2 } });
  });

  test('clears a long queue while other requests are answered', async () => {
    const { jobs, worker } = await stage();
    for (let sent = 0; sent < 900; sent += 100) await Promise.all(Array.from({ length: 100 }, () => jobs.run({})));
    const purging = purge(jobs);
    expect((await jobs.health()).jobs.inProgress).toBe(0);
    expect(await purging).toMatchObject({ removed: 900 });
    const later = await jobs.run({});
    expect((await worker.take())?.id).toBe(later);
  });

  test('is understood by the public JavaScript SDK', async () => {
    const { id, jobs } = await stage();
    await jobs.run({});
    const endpoint = runpodSdk(engine.key, { baseUrl: `${engine.address}/v2` }).endpoint(id);
    expect(await endpoint?.purgeQueue(DEADLINE_MS)).toMatchObject({ removed: 1, status: 'completed' });
  });

  test('needs a key that may send jobs, and is a POST', async () => {
    const { jobs } = await stage();
    const id = await jobs.run({});
    const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: 'r', scope: 'read' })) as {
      key: string;
    };
    const authorization = `Bearer ${key}`;
    expect((await engine.http.post(`${jobs.path}/purge-queue`, {}, { authorization })).status).toBe(403);
    expect((await engine.http.get(`${jobs.path}/purge-queue`)).status).toBe(405);
    expect((await jobs.status(id)).status).toBe('IN_QUEUE');
  });
});
