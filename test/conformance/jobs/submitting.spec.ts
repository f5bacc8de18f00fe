import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** An endpoint of its own for each test, so that no test takes another one's jobs. */
async function outside(): Promise<{ jobs: Jobs; worker: OutsideWorker }> {
  const { id } = await makeIdleEndpoint(engine);
  return { jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

describe('POST /run', () => {
  test('answers 200 with id and IN_QUEUE, nothing else', async () => {
    const { jobs } = await outside();
    const answer = await engine.http.post(`${jobs.path}/run`, { input: { prompt: 'x' } });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ id: expect.any(String), status: 'IN_QUEUE' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  test('ids are made of letters, digits, - and _, and differ', async () => {
    const { jobs } = await outside();
    const ids = await Promise.all(Array.from({ length: 20 }, () => jobs.run({})));
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  test('an empty input object is a job like any other', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({});
    expect(await worker.take()).toEqual({ id, input: {} });
  });

  test('what the envelope carries besides input reaches the worker', async () => {
    const { jobs, worker } = await outside();
    const s3Config = {
      accessId: 'a',
      accessSecret: 'b',
      bucketName: 'c',
      endpointUrl: 'https://s3.example',
      deep: [1],
    };
    const id = await jobs.run({ a: 1 }, { s3Config, batchId: 'b-1' });
    const taken = await worker.take();
    expect(taken).toMatchObject({ id, input: { a: 1 }, s3Config, batchId: 'b-1' });
  });

  test('unknown query parameters and content types do not matter', async () => {
    const { jobs } = await outside();
    const answer = await engine.http.post(`${jobs.path}/run?_t=123`, '{"input":{},"timeout":5}', {
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(200);
  });

  test('jobs of one endpoint are handed out in the order they were accepted', async () => {
    const { jobs, worker } = await outside();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await jobs.run({ n }));
    const taken: string[] = [];
    for (let n = 0; n < 5; n++) taken.push((await worker.take())?.id ?? 'none');
    expect(taken).toEqual(ids);
  });
});

describe('GET and POST /status/{job}', () => {
  test('tells id and status of a queued job and leaves out what is not known yet', async () => {
    const { jobs } = await outside();
    const id = await jobs.run({});
    const view = await jobs.status(id);
    expect(view).toMatchObject({ id, status: 'IN_QUEUE' });
    for (const field of ['output', 'error', 'workerId', 'retries', 'executionTime'])
      expect(view).not.toHaveProperty(field);
  });

  test('a job in progress has its delayTime and workerId', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({});
    await worker.take();
    expect(await jobs.status(id)).toMatchObject({
      id,
      status: 'IN_PROGRESS',
      delayTime: expect.any(Number),
      workerId: worker.id,
    });
  });

  test('a completed job has output, whole delayTime and executionTime, and workerId', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({});
    await worker.take();
    await worker.done(id, { output: { answer: 42 } });
    const view = await jobs.status(id);
    expect(view).toMatchObject({ id, status: 'COMPLETED', output: { answer: 42 }, workerId: worker.id });
    expect(view.delayTime).toBeTypeOf('number');
    expect(view.executionTime).toBeTypeOf('number');
    expect(Number.isInteger(view.delayTime) && Number.isInteger(view.executionTime)).toBe(true);
    expect(view).not.toHaveProperty('error');
  });

  test('answers POST as it answers GET', async () => {
    const { jobs } = await outside();
    const id = await jobs.run({});
    const answer = await engine.http.post(`${jobs.path}/status/${id}`, {});
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ id, status: 'IN_QUEUE' });
  });

  test('ids in the address may be percent-encoded', async () => {
    const { jobs } = await outside();
    const id = await jobs.run({});
    const encoded = id.replaceAll('-', '%2D');
    expect((await engine.http.get(`${jobs.path}/status/${encoded}`)).json).toMatchObject({ id });
  });

  test('a job of one endpoint is not found under another', async () => {
    const { jobs } = await outside();
    const other = await outside();
    const id = await jobs.run({});
    expect((await engine.http.get(`${other.jobs.path}/status/${id}`)).status).toBe(404);
  });
});

describe('POST /runsync', () => {
  test('waits for the end and returns the full result in one response', async () => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': 'export default (job) => ({ doubled: job.input.n * 2 });\n',
    });
    const answer = await engine.http.post(`/v2/${endpoint.id}/runsync`, { input: { n: 21 } });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      id: expect.stringMatching(/^sync-/),
      status: 'COMPLETED',
      output: { doubled: 42 },
      delayTime: expect.any(Number),
      executionTime: expect.any(Number),
      workerId: expect.any(String),
    });
  });

  test('answers the moment the job ends', async () => {
    const { jobs, worker } = await outside();
    const answering = engine.http.post(`${jobs.path}/runsync`, { input: {} });
    const taken = await worker.take();
    await worker.done(taken?.id ?? '', { output: 'ok' });
    expect((await answering).json).toMatchObject({ id: taken?.id, status: 'COMPLETED', output: 'ok' });
  });

  test('a failed job is a 200 whose status is FAILED and whose error is text', async () => {
    const { jobs, worker } = await outside();
    const answering = engine.http.post(`${jobs.path}/runsync`, { input: {} });
    const taken = await worker.take();
    await worker.done(taken?.id ?? '', { error: 'no such model' });
    const answer = await answering;
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ status: 'FAILED', error: 'no such model' });
  });

  test('when the wait runs out it answers 200 with the job still queued, and the job goes on', async () => {
    const { jobs, worker } = await outside();
    const startedAt = performance.now();
    const answer = await engine.http.post(`${jobs.path}/runsync?wait=1000`, { input: { late: true } });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(950);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ id: expect.any(String), status: 'IN_QUEUE' });
    const taken = await worker.take();
    await worker.done(taken?.id ?? '', { output: 1 });
    expect(await jobs.status(taken?.id ?? '')).toMatchObject({ status: 'COMPLETED', output: 1 });
  });

  test('a client that goes away leaves the job running', async () => {
    const { jobs, worker } = await outside();
    const leaving = new AbortController();
    const answering = engine.http.post(`${jobs.path}/runsync`, { input: {} }, { signal: leaving.signal });
    const taken = await worker.take();
    leaving.abort();
    await expect(answering).rejects.toThrow();
    await worker.done(taken?.id ?? '', { output: 'kept' });
    expect(await jobs.status(taken?.id ?? '')).toMatchObject({ status: 'COMPLETED', output: 'kept' });
  });
});

describe('GET and POST /status-sync/{job}', () => {
  test('is answered the moment the job ends', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({});
    await worker.take();
    const answering = [
      engine.http.get(`${jobs.path}/status-sync/${id}`),
      engine.http.post(`${jobs.path}/status-sync/${id}?wait=90000`),
    ];
    await worker.done(id, { output: [1, 2] });
    for (const answer of await Promise.all(answering)) {
      expect(answer.json).toMatchObject({ id, status: 'COMPLETED', output: [1, 2] });
    }
  });

  test('answers with the status as it is when its wait runs out', async () => {
    const { jobs, worker } = await outside();
    const id = await jobs.run({});
    await worker.take();
    const answer = await engine.http.get(`${jobs.path}/status-sync/${id}?wait=1000`);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ id, status: 'IN_PROGRESS' });
  });
});
