import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { streamEnvelopeSchema } from '#contract/api/job.ts';
import { jobTimelineSchema } from '#contract/local/engine.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import type { Answer } from '../../support/http/client.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';

const MINUTE_MS = 60_000;

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
});
afterAll(() => engine.close());

interface Stage {
  jobs: Jobs;
  worker: OutsideWorker;
}

async function stage(of: TestEngine = engine): Promise<Stage> {
  const { id } = await makeIdleEndpoint(of);
  return { jobs: jobsOf(of, id), worker: createOutsideWorker(of, id) };
}

const retry = (jobs: Jobs, id: string, body?: object, of: TestEngine = engine): Promise<Answer> =>
  of.http.post(`${jobs.path}/retry/${id}`, body);

const messageOf = (answer: Answer): string => z.looseObject({ message: z.string() }).parse(answer.json).message;

/** A job that one attempt has failed. */
async function failed({ jobs, worker }: Stage, envelope: object = {}): Promise<string> {
  const id = await jobs.run({}, envelope);
  await worker.take();
  await worker.done(id, { error: 'the first attempt failed' });
  return id;
}

async function timedOut({ jobs, worker }: Stage): Promise<string> {
  const id = await jobs.run({}, { policy: { executionTimeout: limits.executionTimeoutMs.min } });
  await worker.take();
  await engine.advance(limits.executionTimeoutMs.min);
  expect((await jobs.status(id)).status).toBe('TIMED_OUT');
  return id;
}

describe('/retry', () => {
  test('queues a FAILED job again, with the same id', async () => {
    const made = await stage();
    const id = await failed(made);
    expect(accepted(await retry(made.jobs, id))).toEqual({ id, status: 'IN_QUEUE' });
    expect(await made.jobs.status(id)).toMatchObject({ id, status: 'IN_QUEUE', retries: 1 });
    expect((await made.worker.take())?.id).toBe(id);
    await made.worker.done(id, { output: 'second' });
    expect(await made.jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'second' });
  });

  test('is in the timeline of the job: when it was queued again, without the times of the first attempt', async () => {
    const made = await stage();
    const id = await failed(made);
    const timeline = async () => jobTimelineSchema.parse(accepted(await engine.http.get(`/local/v1/jobs/${id}`)));
    const first = await timeline();
    expect(first.queuedAt).toBe(first.submittedAt);
    await engine.advance(MINUTE_MS);
    accepted(await retry(made.jobs, id));
    const { submittedAt, queuedAt = '', ...second } = await timeline();
    expect(second).toMatchObject({ startedAt: null, workerId: null, workerStartedAt: null });
    expect(Date.parse(queuedAt) - Date.parse(submittedAt)).toBeGreaterThanOrEqual(MINUTE_MS);
  });

  test('queues a TIMED_OUT job again, with the time-out of the first attempt', async () => {
    const made = await stage();
    const id = await timedOut(made);
    expect(accepted(await retry(made.jobs, id, {}))).toEqual({ id, status: 'IN_QUEUE' });
    const second = createOutsideWorker(engine, made.jobs.path.split('/')[2] ?? '');
    expect((await second.take())?.id).toBe(id);
    await engine.advance(limits.executionTimeoutMs.min);
    expect(await made.jobs.status(id)).toMatchObject({
      status: 'TIMED_OUT',
      error: expect.stringContaining('5000 ms'),
    });
  });

  test('hands the worker the original input, to the byte', async () => {
    const { jobs, worker } = await stage();
    const body =
      '{ "input": {"n": 1.0, "big": 12345678901234567890,\n "text": "\\u00e9é\\/", "n": 2}, "extra" : [ 1,2 ] }';
    const { id } = accepted(await engine.http.post(`${jobs.path}/run`, body)) as { id: string };
    const first = (await worker.takeAnswer()).text;
    expect(first).toContain('{"n": 1.0, "big": 12345678901234567890,\n "text": "\\u00e9é\\/", "n": 2}');
    await worker.done(id, { error: 'no' });
    await retry(jobs, id);
    expect((await worker.takeAnswer()).text).toBe(first);
  });

  test('removes the previous output, error and chunks', async () => {
    const { jobs, worker } = await stage();
    const id = await jobs.run({});
    await worker.take();
    await worker.stream(id, { output: 'old and unread' });
    await worker.done(id, { output: 'half a result', error: 'no' });
    expect(await jobs.status(id)).toMatchObject({ status: 'FAILED', error: 'no' });
    await retry(jobs, id);
    const view = await jobs.status(id);
    expect(view).not.toHaveProperty('output');
    expect(view).not.toHaveProperty('error');
    expect(view).not.toHaveProperty('executionTime');
    await worker.take();
    await worker.done(id, {});
    expect(accepted(await engine.http.get(`${jobs.path}/stream/${id}`))).toEqual([]);
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('starts the stream anew, and says so', async () => {
    const { jobs, worker } = await stage();
    const read = async () =>
      streamEnvelopeSchema.parse(accepted(await engine.http.get(`${jobs.path}/stream/${id}?envelope=true`)));
    const id = await jobs.run({});
    await worker.take();
    for (const output of ['a', 'b']) await worker.stream(id, { output });
    expect((await read()).stream).toEqual([{ output: 'a' }, { output: 'b' }]);
    await worker.stream(id, { output: 'c' });
    await worker.done(id, { error: 'no' });
    await retry(jobs, id);
    await worker.take();
    for (const output of ['A', 'B', 'C']) await worker.stream(id, { output });
    await worker.done(id, { output: [] });
    expect(await read()).toEqual({
      status: 'COMPLETED',
      retries: 1,
      stream: [{ output: 'A' }, { output: 'B' }, { output: 'C' }],
    });
  });

  test.each<[string, (stage: Stage) => Promise<string>]>([
    ['IN_QUEUE', ({ jobs }) => jobs.run({})],
    [
      'IN_PROGRESS',
      async ({ jobs, worker }) => {
        const id = await jobs.run({});
        await worker.take();
        return id;
      },
    ],
    [
      'COMPLETED',
      async ({ jobs, worker }) => {
        const id = await jobs.run({});
        await worker.take();
        await worker.done(id, { output: 1 });
        return id;
      },
    ],
    [
      'CANCELLED',
      async ({ jobs }) => {
        const id = await jobs.run({});
        await jobs.cancel(id);
        return id;
      },
    ],
  ])('refuses a job that is %s with a 400 that names the state, and changes nothing', async (state, make) => {
    const made = await stage();
    const id = await make(made);
    const before = await made.jobs.status(id);
    const refused = await retry(made.jobs, id);
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toMatch(new RegExp(`${state};.*FAILED or TIMED_OUT`));
    expect(await made.jobs.status(id)).toEqual(before);
  });

  test('refuses a second retry of a job that is queued again already', async () => {
    const made = await stage();
    const id = await failed(made);
    const answers = await Promise.all([retry(made.jobs, id), retry(made.jobs, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await made.jobs.health()).jobs.inQueue).toBe(1);
  });

  test('is a 404 for a job that is unknown, or of another endpoint', async () => {
    const made = await stage();
    const id = await failed(made);
    expect((await retry((await stage()).jobs, id)).status).toBe(404);
    expect((await retry(made.jobs, `${id}0`)).status).toBe(404);
    expect((await engine.http.post(`${made.jobs.path}/retry`)).status).toBe(404);
  });

  test('is a 404 once the results have expired', async () => {
    const made = await stage();
    const id = await failed(made);
    await engine.advance(limits.retentionMs.run);
    expect((await retry(made.jobs, id)).status).toBe(404);
  });

  test('ends the retention of the first result, and not the ttl, which counts from submission', async () => {
    const made = await stage();
    const failedId = await failed(made);
    const short = await failed(made, { policy: { ttl: 25 * MINUTE_MS } });
    await engine.advance(20 * MINUTE_MS);
    for (const id of [failedId, short]) expect((await retry(made.jobs, id)).status).toBe(200);
    await engine.advance(20 * MINUTE_MS);
    expect((await made.jobs.status(failedId)).status).toBe('IN_QUEUE');
    expect((await engine.http.get(`${made.jobs.path}/status/${short}`)).status).toBe(404);
  });

  test('is counted in health, and as often as it happened in the job', async () => {
    const made = await stage();
    const id = await failed(made);
    for (const times of [1, 2]) {
      await retry(made.jobs, id);
      expect((await made.jobs.status(id)).retries).toBe(times);
      expect((await made.jobs.health()).jobs).toMatchObject({ retried: times, failed: 0, inQueue: 1 });
      await made.worker.take();
      await made.worker.done(id, { error: 'again' });
    }
    expect((await made.jobs.health()).jobs).toMatchObject({ failed: 1, inQueue: 0 });
  });

  test('gives a job that was lost with its workers all its attempts again', async () => {
    const made = await stage();
    const id = await failed(made);
    await retry(made.jobs, id);
    await made.worker.take();
    await engine.advance(limits.workerSilenceMs);
    expect(await made.jobs.status(id)).toMatchObject({ status: 'IN_QUEUE', retries: 2 });
  });

  test('survives a crash of the engine once it was answered, with the s3Config of the job', async () => {
    await using own = await startEngine();
    const made = await stage(own);
    const s3Config = { accessId: 'id', accessSecret: 'a secret', bucketName: 'b', endpointUrl: 'https://s3.invalid' };
    const id = await failed(made, { s3Config });
    expect((await retry(made.jobs, id, {}, own)).status).toBe(200);
    await own.kill9();
    await own.restart();
    expect(await made.jobs.status(id)).toMatchObject({ status: 'IN_QUEUE', retries: 1 });
    expect(await made.worker.take()).toMatchObject({ id, s3Config });
  });

  test('needs a key that may send jobs, and is a POST', async () => {
    const made = await stage();
    const id = await failed(made);
    const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: 'r', scope: 'read' })) as {
      key: string;
    };
    const authorization = `Bearer ${key}`;
    expect((await engine.http.post(`${made.jobs.path}/retry/${id}`, {}, { authorization })).status).toBe(403);
    expect((await engine.http.get(`${made.jobs.path}/retry/${id}`)).status).toBe(405);
    expect((await made.jobs.status(id)).status).toBe('FAILED');
  });
});
