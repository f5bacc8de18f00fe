import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
  await engine.hold();
});
afterAll(() => engine.close());

interface Stage {
  jobs: Jobs;
  worker: OutsideWorker;
  id: string;
}

async function queued(envelope: object = {}): Promise<Stage> {
  const endpoint = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, endpoint.id);
  return { jobs, worker: createOutsideWorker(engine, endpoint.id), id: await jobs.run({ secret: 'input' }, envelope) };
}

async function running(envelope: object = {}): Promise<Stage> {
  const made = await queued(envelope);
  await made.worker.take();
  return made;
}

/** The status object as it is sent. It must be the same on /status and /status-sync. */
async function view({ jobs, id }: Stage, ended: boolean): Promise<Record<string, unknown>> {
  const status = accepted(await engine.http.get(`${jobs.path}/status/${id}`)) as Record<string, unknown>;
  if (ended) expect(accepted(await engine.http.get(`${jobs.path}/status-sync/${id}`))).toEqual(status);
  return status;
}

const whole = expect.toSatisfy((value) => Number.isInteger(value) && Number(value) >= 0, 'a whole number, 0 or more');

describe('the status object of a job', () => {
  test('that is IN_QUEUE has id and status, nothing else', async () => {
    const made = await queued();
    expect(await view(made, false)).toEqual({ id: made.id, status: 'IN_QUEUE' });
  });

  test('that is IN_PROGRESS has delayTime and workerId besides', async () => {
    const made = await running();
    expect(await view(made, false)).toEqual({
      id: made.id,
      status: 'IN_PROGRESS',
      delayTime: whole,
      workerId: made.worker.id,
    });
  });

  test('that reported progress has it as output, and no other field is added', async () => {
    const made = await running();
    await made.worker.done(made.id, { status: 'IN_PROGRESS', output: { percent: 10 } });
    expect(await view(made, false)).toEqual({
      id: made.id,
      status: 'IN_PROGRESS',
      delayTime: whole,
      workerId: made.worker.id,
      output: { percent: 10 },
    });
  });

  test('that is COMPLETED has id, status, delayTime, executionTime, workerId and output', async () => {
    const made = await running();
    await made.worker.done(made.id, { output: { n: 1 } });
    expect(await view(made, true)).toEqual({
      id: made.id,
      status: 'COMPLETED',
      delayTime: whole,
      executionTime: whole,
      workerId: made.worker.id,
      output: { n: 1 },
    });
  });

  test('that is COMPLETED without a result has no output', async () => {
    const made = await running();
    await made.worker.done(made.id, {});
    expect(await view(made, true)).toEqual({
      id: made.id,
      status: 'COMPLETED',
      delayTime: whole,
      executionTime: whole,
      workerId: made.worker.id,
    });
  });

  test('that is FAILED has error as text, and output only where the worker sent both', async () => {
    const made = await running();
    await made.worker.done(made.id, { error: 'no such model' });
    expect(await view(made, true)).toEqual({
      id: made.id,
      status: 'FAILED',
      delayTime: whole,
      executionTime: whole,
      workerId: made.worker.id,
      error: 'no such model',
    });
    const both = await running();
    await both.worker.done(both.id, { error: 'half-way', output: [1] });
    expect(await view(both, true)).toMatchObject({ status: 'FAILED', error: 'half-way', output: [1] });
  });

  test('that was CANCELLED in the queue has executionTime 0 and an empty workerId', async () => {
    const made = await queued();
    await made.jobs.cancel(made.id);
    expect(await view(made, true)).toEqual({
      id: made.id,
      status: 'CANCELLED',
      delayTime: whole,
      executionTime: 0,
      workerId: '',
    });
  });

  test('that was CANCELLED while it ran keeps its worker and its times, and loses its progress', async () => {
    const made = await running();
    await made.worker.done(made.id, { status: 'IN_PROGRESS', output: 'half' });
    await made.jobs.cancel(made.id);
    expect(await view(made, true)).toEqual({
      id: made.id,
      status: 'CANCELLED',
      delayTime: whole,
      executionTime: whole,
      workerId: made.worker.id,
    });
  });

  test('that is TIMED_OUT has an error that names its executionTimeout', async () => {
    const made = await running({ policy: { executionTimeout: limits.executionTimeoutMs.min } });
    await engine.advance(limits.executionTimeoutMs.min);
    expect(await view(made, true)).toEqual({
      id: made.id,
      status: 'TIMED_OUT',
      delayTime: whole,
      executionTime: whole,
      workerId: made.worker.id,
      error: expect.stringContaining(String(limits.executionTimeoutMs.min)),
    });
  });

  test('has retries only after its worker was lost, and then its delayTime counts anew', async () => {
    const made = await queued();
    await engine.advance(20_000);
    await made.worker.take();
    await engine.advance(limits.workerSilenceMs);
    expect(await view(made, false)).toMatchObject({ status: 'IN_QUEUE', retries: 1 });
    await made.worker.take();
    expect(await view(made, false)).toMatchObject({ status: 'IN_PROGRESS', retries: 1, delayTime: 0 });
  });

  test('never shows the input, the policy, the webhook or the s3Config', async () => {
    const s3Config = { accessId: 'a', accessSecret: 'b', bucketName: 'c', endpointUrl: 'https://s3.example' };
    const made = await running({ s3Config, policy: { ttl: 60_000 }, batchId: 'b-1' });
    await made.worker.done(made.id, { output: 1 });
    const endpoint = await view(made, true);
    for (const field of ['input', 'policy', 'webhook', 's3Config', 'batchId'])
      expect(endpoint).not.toHaveProperty(field);
  });

  test('has one of the six states as its status', async () => {
    const ids = new Set<unknown>();
    const made = await queued();
    ids.add((await view(made, false)).status);
    await made.worker.take();
    ids.add((await view(made, false)).status);
    await made.worker.done(made.id, { output: 1 });
    ids.add((await view(made, true)).status);
    const failed = await running();
    await failed.worker.done(failed.id, { error: 'x' });
    ids.add((await view(failed, true)).status);
    const cancelled = await queued();
    await cancelled.jobs.cancel(cancelled.id);
    ids.add((await view(cancelled, true)).status);
    const late = await running({ policy: { executionTimeout: limits.executionTimeoutMs.min } });
    await engine.advance(limits.executionTimeoutMs.min);
    ids.add((await view(late, true)).status);
    expect([...ids].sort()).toEqual(['CANCELLED', 'COMPLETED', 'FAILED', 'IN_PROGRESS', 'IN_QUEUE', 'TIMED_OUT']);
  });
});

test.each<[string, unknown, string]>([
  ['text', 'out of memory', 'out of memory'],
  ['an object', { code: 7 }, '{"code":7}'],
  ['a number', 7, '7'],
  ['true', true, 'true'],
  ['a list', ['a', 1], '["a",1]'],
])('an error that is %s is told as text', async (_, error, text) => {
  const made = await running();
  await made.worker.done(made.id, { error });
  expect(await view(made, true)).toMatchObject({ status: 'FAILED', error: text });
});

test('an error with quotes, line ends and a NUL comes back as it was, also after a restart; half a character is replaced', async () => {
  await using own = await startEngine();
  const endpoint = await makeIdleEndpoint(own);
  const jobs = jobsOf(own, endpoint.id);
  const worker = createOutsideWorker(own, endpoint.id);
  const id = await jobs.run({});
  await worker.take();
  const error = (half: string): string => `first "line"\r\n\u0000 then ${half} and ünicode 🙂`;
  await worker.done(id, JSON.stringify({ error: error('\ud83d') }));
  expect(await jobs.status(id)).toMatchObject({ status: 'FAILED', error: error('\ufffd') });
  await own.stop();
  await own.restart();
  expect(await jobs.status(id)).toMatchObject({ status: 'FAILED', error: error('\ufffd') });
});

test('/runsync answers the same object as /status', async () => {
  const endpoint = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, endpoint.id);
  const worker = createOutsideWorker(engine, endpoint.id);
  const answering = engine.http.post(`${jobs.path}/runsync`, { input: {} });
  const taken = await worker.take();
  await worker.done(taken?.id ?? '', { output: [null] });
  expect(accepted(await answering)).toEqual(await view({ jobs, worker, id: taken?.id ?? '' }, true));
});
