/** /openai/*: what goes wrong, in the shape of OpenAI's errors. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import type { Answer } from '../../support/http/client.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { answeredWith, openaiClient, openaiErrorOf, openaiSetting, takeOne } from '../../support/openai/client.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
/** A job that runs longer than it may takes five seconds: it runs beside everything else. */
let timedOut: Promise<Answer>;
beforeAll(async () => {
  engine = await startEngine();
  const { id } = await makeIdleEndpoint(engine, { executionTimeoutMs: limits.executionTimeoutMs.min });
  timedOut = openaiClient(engine, id).post('/v1/completions', {});
  await createOutsideWorker(engine, id).take();
});
afterAll(() => engine.close());

interface Work {
  chunk?: object;
  done?: object;
}

describe('an error of the worker', () => {
  const notFound = { message: 'The model "x" does not exist.', type: 'NotFoundError', param: null, code: 404 };

  test.each<[string, Work, number, object]>([
    ['yielded', { chunk: { error: notFound } }, 404, notFound],
    ['in the older form', { chunk: { object: 'error', ...notFound, code: 400 } }, 400, { ...notFound, code: 400 }],
    ['returned as text of JSON', { done: { error: JSON.stringify(notFound) } }, 404, notFound],
    ['wrapped once more', { done: { error: JSON.stringify({ error: notFound }) } }, 404, notFound],
    [
      'named by its type only',
      { chunk: { error: { message: 'Slow down.', type: 'rate_limit_error' } } },
      429,
      { message: 'Slow down.', type: 'rate_limit_error', param: null, code: null },
    ],
    [
      'named by its code only',
      { chunk: { error: { message: 'Too long.', code: 'context_length_exceeded', param: 'messages' } } },
      400,
      { message: 'Too long.', type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    ],
    [
      'in the form of messages',
      { chunk: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
      503,
      { message: 'Overloaded', type: 'overloaded_error', param: null, code: null },
    ],
    [
      'that is only a text',
      { done: { error: 'CUDA is not available.' } },
      500,
      { message: 'CUDA is not available.', type: 'server_error', param: null, code: null },
    ],
    [
      'that was thrown',
      {
        done: { error: JSON.stringify({ error_type: 'E', error_message: 'The dice fell.', error_traceback: 'at …' }) },
      },
      500,
      { message: 'The dice fell.', type: 'server_error', param: null, code: null },
    ],
  ])('%s becomes the status that fits and an error that clients read', async (_, { chunk, done }, status, error) => {
    const answer = await answeredWith(engine, async (worker, { id }) => {
      if (chunk) await worker.stream(id, { output: chunk });
      await worker.done(id, done ?? { output: [] });
    });
    expect(openaiErrorOf(answer, status)).toEqual(error);
    expect(answer.json).toMatchObject({ message: (error as { message: string }).message, status });
    expect(answer.headers['x-request-id']).toMatch(/^sync-/);
  });
  test('in a handler of this machine is told without its traceback', async () => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `export default () => { throw new RangeError('The dice fell off the table.'); };`,
    });
    const answer = await openaiClient(engine, endpoint.id).post('/v1/completions', {});
    expect(openaiErrorOf(answer, 500)).toEqual({
      message: 'The dice fell off the table.',
      type: 'server_error',
      param: null,
      code: null,
    });
  });
});

describe('a job that ends otherwise', () => {
  test('by its executionTimeout is a 504 that clients do not try again', async () => {
    const answer = await timedOut;
    expect(openaiErrorOf(answer, 504)).toMatchObject({
      code: 'job_timed_out',
      message: expect.stringContaining('executionTimeout of 5000 ms') as string,
    });
    expect(answer.headers['x-should-retry']).toBe('false');
  });

  test('cancelled by somebody who has its id is a 409 that says so', async () => {
    const { client, worker, endpointId } = await openaiSetting(engine);
    const answering = client.post('/v1/completions', {});
    await jobsOf(engine, endpointId).cancel((await takeOne(worker)).id);
    const answer = await answering;
    expect(openaiErrorOf(answer, 409)).toMatchObject({ code: 'job_cancelled' });
    expect(answer.headers['x-should-retry']).toBe('false');
  });

  test('removed with its endpoint is a 504', async () => {
    const { client, worker, endpointId } = await openaiSetting(engine);
    const answering = client.post('/v1/completions', {});
    await takeOne(worker);
    await engine.http.send('DELETE', `/v1/endpoints/${endpointId}`);
    expect(openaiErrorOf(await answering, 504)).toMatchObject({ code: 'job_removed' });
  });

  test('without any answer is a 502', async () => {
    const answer = await answeredWith(engine, (worker, { id }) => worker.done(id, { output: null }));
    expect(openaiErrorOf(answer, 502)).toMatchObject({ code: 'no_answer' });
  });
});

describe('what Hangar itself refuses on these paths', () => {
  const refused = (answer: Answer, status: number, type: string, code: string) => {
    const error = openaiErrorOf(answer, status);
    expect(error).toMatchObject({ type, code, param: null });
    expect(answer.json).toMatchObject({ message: error.message, status });
  };

  test('has the shape that OpenAI clients read, and the fields of every other error', async () => {
    const { client } = await openaiSetting(engine);
    const path = `${client.path}/v1/models`;
    refused(await engine.http.get(path, { authorization: null }), 401, 'authentication_error', 'unauthorized');
    refused(await engine.http.get('/v2/nobody/openai/v1/models'), 404, 'not_found_error', 'not_found');
    refused(await engine.http.get(client.path), 404, 'not_found_error', 'not_found');
    refused(await engine.http.send('DELETE', path), 405, 'invalid_request_error', 'method_not_allowed');
    for (const body of ['{"a":', '', '[1]', '"x"', 'null']) {
      refused(await client.post('/v1/completions', body), 400, 'invalid_request_error', 'bad_request');
    }
  });

  test('more than the rate of an endpoint has that shape too, and says when to come again', async () => {
    // Its clock stands still: the ten seconds that one request fills do not pass before the next one.
    await using own = await startClockedEngine();
    await own.hold();
    const { client, endpointId } = await openaiSetting(own);
    await changeSettings(own, { rates: { operations: { openai: { requests: 1, concurrent: null } } } });
    const leaving = new AbortController();
    const first = client.post('/v1/completions', {}, leaving.signal);
    first.catch(() => undefined);
    await until('the first to wait', async () => (await jobsOf(own, endpointId).health()).jobs.inQueue, 1);
    const answer = await client.post('/v1/completions', {});
    refused(answer, 429, 'rate_limit_error', 'too_many_requests');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    leaving.abort();
    await expect(first).rejects.toThrow('abort');
  });

  test('a form with a file is refused with the true reason, and no job is made of it', async () => {
    const { id } = await makeIdleEndpoint(engine);
    const form = new FormData();
    form.set('model', 'whisper-1');
    form.set('file', new Blob([new Uint8Array(4 * 2 ** 20)], { type: 'audio/wav' }), 'speech.wav');
    const answer = await fetch(`${engine.address}/v2/${id}/openai/v1/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${engine.http.key}` },
    });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: { type: string; message: string } };
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toContain('multipart/form-data');
    expect((await jobsOf(engine, id).health()).jobs.inQueue).toBe(0);
  });

  test('leaves errors of every other path as they are', async () => {
    expect((await engine.http.get('/v2/nobody/status/openai')).json).toMatchObject({
      error: expect.any(String) as string,
    });
  });
});
