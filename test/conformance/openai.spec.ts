/** /openai/*: requests that are answered in one piece, and errors in the shape of OpenAI's clients. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import type { Answer } from '../support/http.ts';
import { jobsOf } from '../support/jobs.ts';
import { openaiClient, openaiErrorSchema, type OpenaiClient } from '../support/openai.ts';
import { createOutsideWorker, type OutsideWorker, type Taken } from '../support/outsideWorker.ts';
import { makeEndpoint, makeIdleEndpoint } from '../support/resources.ts';
import { changeSettings, raiseRates } from '../support/settings.ts';
import { until } from '../support/until.ts';

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

interface Setting {
  client: OpenaiClient;
  worker: OutsideWorker;
  endpointId: string;
}

async function setUp(): Promise<Setting> {
  const { id } = await makeIdleEndpoint(engine);
  return { client: openaiClient(engine, id), worker: createOutsideWorker(engine, id), endpointId: id };
}

async function take(worker: OutsideWorker): Promise<Taken> {
  const taken = await worker.take();
  if (!taken) throw new Error('There was no job.');
  return taken;
}

/** One request, and what its worker does with the job. */
async function answered(work: (worker: OutsideWorker, job: Taken) => Promise<unknown>): Promise<Answer> {
  const { client, worker } = await setUp();
  const answering = client.post('/v1/chat/completions', { model: 'm' });
  await work(worker, await take(worker));
  return answering;
}

function errorOf(answer: Answer, status: number) {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  return openaiErrorSchema.parse(answer.json).error;
}

describe('a request below /openai', () => {
  test('becomes a job with the path and the body exactly as they were sent', async () => {
    const { client, worker } = await setUp();
    const body = '{ "model": "grün 🙂", "seed": 12345678901234567890, "stream": false, "n":1.0 }';
    const answering = client.post('/v1/chat/completions', body);
    const taken = await worker.takeAnswer();
    const { id } = taken.json as Taken;
    expect(taken.text).toBe(
      `{"input":{"openai_route":"/v1/chat/completions","openai_input":${body}},"id":${JSON.stringify(id)}}`,
    );
    await worker.stream(id, '{"output":{"id":"c","seed":12345678901234567890}}');
    await worker.done(id, { output: [] });
    const answer = await answering;
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['x-request-id']).toBe(id);
    expect(id).toMatch(/^sync-/);
    expect(answer.text).toBe('{"id":"c","seed":12345678901234567890}');
  });

  test('by GET becomes a job with the path alone; a query is not part of the path', async () => {
    const { client, worker } = await setUp();
    const answering = client.get('/v1/models?limit=20');
    const taken = await take(worker);
    expect(taken.input).toEqual({ openai_route: '/v1/models' });
    await worker.stream(taken.id, { output: { object: 'list', data: [{ id: 'm', object: 'model' }] } });
    await worker.done(taken.id, { output: [] });
    expect((await answering).json).toEqual({ object: 'list', data: [{ id: 'm', object: 'model' }] });
  });

  test('may have any path', async () => {
    const { client, worker } = await setUp();
    for (const path of [
      '/v1/completions',
      '/v1/responses',
      '/v1/embeddings',
      '/v1/messages',
      '/v1/messages/count_tokens',
      '/v2/not/known/to/anybody',
      '/chat/completions',
      '/v1/models/org%2Fname%20x',
    ]) {
      const answering = client.post(path, { n: 1 });
      const { id, input } = await take(worker);
      expect(input).toEqual({ openai_route: decodeURIComponent(path), openai_input: { n: 1 } });
      await worker.done(id, { output: { path } });
      expect((await answering).json).toEqual({ path });
    }
  });

  test('is served by a handler of this machine like any job', async () => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `
        export default async function* ({ input }) {
          if (input.openai_route === '/v1/models') yield { object: 'list', data: [{ id: 'echo' }] };
          else yield { object: 'list', data: input.openai_input.input.map((text, index) => ({ index, embedding: [text.length] })) };
        }`,
    });
    const client = openaiClient(engine, endpoint.id);
    expect((await client.get('/v1/models')).json).toEqual({ object: 'list', data: [{ id: 'echo' }] });
    const embeddings = await client.post('/v1/embeddings', { model: 'echo', input: ['a', 'bcd'] });
    expect(embeddings.json).toMatchObject({ data: [{ embedding: [1] }, { embedding: [3] }] });
  });

  test('takes 20 MB and refuses one byte more', async () => {
    const sized = (bytes: number) => `{"input":"${'x'.repeat(bytes - 12)}"}`;
    const { client, worker } = await setUp();
    const body = sized(limits.runsyncBodyBytes);
    const answering = client.post('/v1/embeddings', body);
    const taken = await worker.takeAnswer();
    const { id } = taken.json as Taken;
    // Not compared by the matcher: a difference of 20 MB would be no message.
    const whole = `{"input":{"openai_route":"/v1/embeddings","openai_input":${body}},"id":"${id}"}`;
    expect(taken.text === whole).toBe(true);
    await worker.done(id, { output: { object: 'list' } });
    expect((await answering).status).toBe(200);
    const refused = errorOf(await client.post('/v1/embeddings', sized(limits.runsyncBodyBytes + 1)), 413);
    expect(refused.message).toContain('20 MB');
  });
});

describe('a large request', () => {
  const text = 'é🙂'.repeat(100_000);

  test.each<[string, string]>([
    ['not JSON', `{"a":"${text}`],
    ['not an object', JSON.stringify([text])],
    ['more than one object', `{"a":"${text}"},"openai_route":{}`],
  ])('that is %s is refused like a small one', async (_, body) => {
    const { client, endpointId } = await setUp();
    expect(errorOf(await client.post('/v1/x', body), 400)).toMatchObject({ code: 'bad_request' });
    expect((await jobsOf(engine, endpointId).health()).jobs).toMatchObject({ inQueue: 0 });
  });

  test('may ask for a stream', async () => {
    const { client, worker } = await setUp();
    const streaming = client.stream('/v1/x', { text });
    const { id, input } = await take(worker);
    // Texts as large as these are not shown where they differ.
    expect(isDeepStrictEqual(input, { openai_route: '/v1/x', openai_input: { stream: true, text } })).toBe(true);
    // What a handler returns to it may be as large: then it is the only event.
    await worker.done(id, { output: { text } });
    const stream = await streaming;
    const [first, last] = (await stream.rest()).map(({ data }) => data);
    expect([first === JSON.stringify({ text }), last]).toEqual([true, '[DONE]']);
  });
});

describe('the answer in one piece', () => {
  test.each<[string, unknown, string]>([
    ['object', { text: 'é🙂'.repeat(100_000) }, 'application/json'],
    ['text', 'é🙂'.repeat(100_000), 'text/plain; charset=utf-8'],
  ])('is a large %s that was returned', async (_, output, type) => {
    const answer = await answered((worker, { id }) => worker.done(id, { output }));
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.text === (typeof output === 'string' ? output : JSON.stringify(output))).toBe(true);
    expect(answer.headers['x-request-id']).toMatch(/^sync-/);
  });

  test('is what the handler returned where it yielded nothing', async () => {
    const answer = await answered((worker, { id }) => worker.done(id, '{"output":{"n":1.0}}'));
    expect([answer.status, answer.text]).toEqual([200, '{"n":1.0}']);
  });

  test('is the one object that was yielded, also above the limit of a chunk', async () => {
    const text = 'é🙂'.repeat(400_000);
    const answer = await answered(async (worker, { id }) => {
      await worker.stream(id, { output: { object: 'list', text } });
      await worker.done(id, { output: [] });
    });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(isDeepStrictEqual(answer.json, { object: 'list', text })).toBe(true);
  });

  test('is plain text where the texts that were yielded are not JSON', async () => {
    const answer = await answered(async (worker, { id }) => {
      for (const output of ['All ', 'is ', 'wéll']) await worker.stream(id, { output });
      await worker.done(id, { output: [] });
    });
    expect(answer.headers['content-type']).toMatch(/^text\/plain; charset=utf-8/);
    expect(answer.text).toBe('All is wéll');
  });

  test('is a list where several objects were yielded', async () => {
    const answer = await answered(async (worker, { id }) => {
      for (const n of [1, 2]) await worker.stream(id, { output: { n } });
      await worker.done(id, { output: [] });
    });
    expect(answer.json).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('may hold an error as one of its fields', async () => {
    const response = { object: 'response', status: 'failed', error: { code: 'server_error', message: 'x' } };
    const answer = await answered((worker, { id }) => worker.done(id, { output: response }));
    expect([answer.status, answer.json]).toEqual([200, response]);
  });
});

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
    const answer = await answered(async (worker, { id }) => {
      if (chunk) await worker.stream(id, { output: chunk });
      await worker.done(id, done ?? { output: [] });
    });
    expect(errorOf(answer, status)).toEqual(error);
    expect(answer.json).toMatchObject({ message: (error as { message: string }).message, status });
    expect(answer.headers['x-request-id']).toMatch(/^sync-/);
  });
  test('in a handler of this machine is told without its traceback', async () => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `export default () => { throw new RangeError('The dice fell off the table.'); };`,
    });
    const answer = await openaiClient(engine, endpoint.id).post('/v1/completions', {});
    expect(errorOf(answer, 500)).toEqual({
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
    expect(errorOf(answer, 504)).toMatchObject({
      code: 'job_timed_out',
      message: expect.stringContaining('executionTimeout of 5000 ms') as string,
    });
    expect(answer.headers['x-should-retry']).toBe('false');
  });

  test('cancelled by somebody who has its id is a 409 that says so', async () => {
    const { client, worker, endpointId } = await setUp();
    const answering = client.post('/v1/completions', {});
    await jobsOf(engine, endpointId).cancel((await take(worker)).id);
    const answer = await answering;
    expect(errorOf(answer, 409)).toMatchObject({ code: 'job_cancelled' });
    expect(answer.headers['x-should-retry']).toBe('false');
  });

  test('removed with its endpoint is a 504', async () => {
    const { client, worker, endpointId } = await setUp();
    const answering = client.post('/v1/completions', {});
    await take(worker);
    await engine.http.send('DELETE', `/v1/endpoints/${endpointId}`);
    expect(errorOf(await answering, 504)).toMatchObject({ code: 'job_removed' });
  });

  test('without any answer is a 502', async () => {
    const answer = await answered((worker, { id }) => worker.done(id, { output: null }));
    expect(errorOf(answer, 502)).toMatchObject({ code: 'no_answer' });
  });
});

describe('a caller who goes away', () => {
  test('takes a running job along, and its worker is told to stop', async () => {
    const { client, worker, endpointId } = await setUp();
    const leaving = new AbortController();
    const answering = client.post('/v1/completions', {}, leaving.signal);
    const { id } = await take(worker);
    const stopping = worker.stops();
    leaving.abort();
    await expect(answering).rejects.toThrow('abort');
    expect((await stopping).json).toEqual({ jobsToStop: [id] });
    expect(await jobsOf(engine, endpointId).status(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('takes a waiting job along: the queue is empty again', async () => {
    const { client, endpointId } = await setUp();
    const jobs = jobsOf(engine, endpointId);
    const leaving = new AbortController();
    const answering = client.post('/v1/completions', {}, leaving.signal);
    await until('the job to wait', async () => (await jobs.health()).jobs.inQueue === 1);
    leaving.abort();
    await expect(answering).rejects.toThrow('abort');
    await until('it to be gone', async () => (await jobs.health()).jobs.inQueue === 0);
  });
});

describe('what Hangar itself refuses on these paths', () => {
  const refused = (answer: Answer, status: number, type: string, code: string) => {
    const error = errorOf(answer, status);
    expect(error).toMatchObject({ type, code, param: null });
    expect(answer.json).toMatchObject({ message: error.message, status });
  };

  test('has the shape that OpenAI clients read, and the fields of every other error', async () => {
    const { client } = await setUp();
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
    const { client } = await setUp();
    await changeSettings(engine, { rates: { operations: { openai: { requests: 1, concurrent: null } } } });
    const leaving = new AbortController();
    const first = client.post('/v1/completions', {}, leaving.signal);
    first.catch(() => undefined);
    try {
      const answer = await until('a request too many', async () => {
        const next = await client.post('/v1/completions', {}, leaving.signal);
        return next.status === 429 ? next : null;
      });
      refused(answer, 429, 'rate_limit_error', 'too_many_requests');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      leaving.abort();
      await raiseRates(engine);
    }
    await expect(first).rejects.toThrow('abort');
  });

  test('leaves errors of every other path as they are', async () => {
    expect((await engine.http.get('/v2/nobody/status/openai')).json).toMatchObject({
      error: expect.any(String) as string,
    });
  });
});
