import runpodSdk from 'runpod-sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { makeEndpoint, UNTIL_ABORTED } from '../../support/resources/resources.ts';
import { DEADLINE_MS, until } from '../../support/core/until.ts';

let engine: TestEngine;
/** The SDK gives a request up after 3 s: its calls are given the shared deadline, which a slow machine keeps. */
let endpoint: NonNullable<ReturnType<ReturnType<typeof runpodSdk>['endpoint']>>;

const handler = `${UNTIL_ABORTED}
  import { setTimeout as pause } from 'node:timers/promises';
  async function* words(job) {
    for (const word of job.input.text.split(' ')) { yield { word }; await pause(20); }
  }
  export default (job, context) => {
    if (job.input.fail) throw new Error('the handler said no');
    if (job.input.text) return words(job);
    if (job.input.hang) return untilAborted(context.signal);
    return { sum: job.input.a + job.input.b };
  };`;

beforeAll(async () => {
  // The SDK prints each status it polls.
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  engine = await startEngine();
  const made = await makeEndpoint(engine, { 'handler.mjs': handler });
  const opened = runpodSdk(engine.key, { baseUrl: `${engine.address}/v2` }).endpoint(made.endpoint.id);
  if (opened === null) throw new Error('The SDK made no endpoint');
  endpoint = opened;
});
afterAll(async () => {
  vi.restoreAllMocks();
  await engine.close();
});

describe('the public JavaScript SDK, unmodified', () => {
  test('runSync returns the output with its times', async () => {
    expect(await endpoint.runSync({ input: { a: 20, b: 22 } })).toMatchObject({
      started: true,
      completed: true,
      succeeded: true,
      status: 'COMPLETED',
      output: { sum: 42 },
      delayTime: expect.any(Number),
      executionTime: expect.any(Number),
    });
  });

  test('runSync of a failing handler ends FAILED', async () => {
    expect(await endpoint.runSync({ input: { fail: true } })).toMatchObject({
      completed: true,
      succeeded: false,
      status: 'FAILED',
      error: expect.stringContaining('the handler said no'),
    });
  });

  test('run, then status until it is completed', async () => {
    const { id, status } = await endpoint.run({ input: { a: 1, b: 2 } }, DEADLINE_MS);
    expect(status).toBe('IN_QUEUE');
    const view = await until(
      'the job to complete',
      () => endpoint.status(id, DEADLINE_MS),
      (job) => job.status === 'COMPLETED',
    );
    expect(view).toMatchObject({ id, output: { sum: 3 } });
  });

  test('an error tells its reason in the status line, which is all that the SDK hands on', async () => {
    const wrong = endpoint.run({ input: { a: 1 }, policy: { ttl: 5 } }, DEADLINE_MS);
    await expect(wrong).rejects.toMatchObject({
      response: { status: 400, statusText: 'policy.ttl must be a whole number from 10000 to 604800000; got 5.' },
    });
    await expect(endpoint.status(encodeURIComponent('é\r\nSet-Cookie: a=b'), DEADLINE_MS)).rejects.toMatchObject({
      response: {
        status: 404,
        statusText: expect.stringContaining('This endpoint has no job "?\\r\\nSet-Cookie: a=b"'),
      },
    });
  });

  test('stream yields every chunk in order and ends with the job', async () => {
    const words = Array.from({ length: 15 }, (_, n) => `w${n}`);
    const { id } = await endpoint.run({ input: { text: words.join(' ') } }, DEADLINE_MS);
    const chunks: unknown[] = [];
    for await (const chunk of endpoint.stream(id)) chunks.push(chunk);
    expect(chunks).toEqual(words.map((word) => ({ output: { word } })));
  });

  test('cancel ends a running job', async () => {
    const { id } = await endpoint.run({ input: { hang: true } }, DEADLINE_MS);
    await until('the job to run', async () => (await endpoint.status(id, DEADLINE_MS)).status, 'IN_PROGRESS');
    expect(await endpoint.cancel(id, DEADLINE_MS)).toMatchObject({ id, status: 'CANCELLED' });
    expect(await endpoint.statusSync(id)).toMatchObject({ id, status: 'CANCELLED', completed: true, succeeded: false });
  });

  test('health tells jobs and workers', async () => {
    expect(await endpoint.health(DEADLINE_MS)).toMatchObject({
      jobs: { completed: expect.any(Number), inQueue: expect.any(Number) },
      workers: { idle: expect.any(Number), throttled: expect.any(Number) },
    });
  });
});
