/** /openai/*: requests that are answered in one piece. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { answeredWith, openaiClient, openaiErrorOf, openaiSetting, takeOne } from '../../support/openai/client.ts';
import type { Taken } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

describe('a request below /openai', () => {
  test('becomes a job with the path and the body exactly as they were sent', async () => {
    const { client, worker } = await openaiSetting(engine);
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
    const { client, worker } = await openaiSetting(engine);
    const answering = client.get('/v1/models?limit=20');
    const taken = await takeOne(worker);
    expect(taken.input).toEqual({ openai_route: '/v1/models' });
    await worker.stream(taken.id, { output: { object: 'list', data: [{ id: 'm', object: 'model' }] } });
    await worker.done(taken.id, { output: [] });
    expect((await answering).json).toEqual({ object: 'list', data: [{ id: 'm', object: 'model' }] });
  });

  test('may have any path', async () => {
    const { client, worker } = await openaiSetting(engine);
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
      const { id, input } = await takeOne(worker);
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
    const { client, worker } = await openaiSetting(engine);
    const body = sized(limits.runsyncBodyBytes);
    const answering = client.post('/v1/embeddings', body);
    // A slow machine takes longer for the body than a worker waits for a job.
    const taken = await until(
      'the job to be taken',
      () => worker.takeAnswer(),
      ({ status }) => status === 200,
    );
    const { id } = taken.json as Taken;
    // Not compared by the matcher: a difference of 20 MB would be no message.
    const whole = `{"input":{"openai_route":"/v1/embeddings","openai_input":${body}},"id":"${id}"}`;
    expect(taken.text === whole).toBe(true);
    await worker.done(id, { output: { object: 'list' } });
    expect((await answering).status).toBe(200);
    const refused = openaiErrorOf(await client.post('/v1/embeddings', sized(limits.runsyncBodyBytes + 1)), 413);
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
    const { client, endpointId } = await openaiSetting(engine);
    expect(openaiErrorOf(await client.post('/v1/x', body), 400)).toMatchObject({ code: 'bad_request' });
    expect((await jobsOf(engine, endpointId).health()).jobs).toMatchObject({ inQueue: 0 });
  });

  test('may ask for a stream', async () => {
    const { client, worker } = await openaiSetting(engine);
    const streaming = client.stream('/v1/x', { text });
    const { id, input } = await takeOne(worker);
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
    const answer = await answeredWith(engine, (worker, { id }) => worker.done(id, { output }));
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.text === (typeof output === 'string' ? output : JSON.stringify(output))).toBe(true);
    expect(answer.headers['x-request-id']).toMatch(/^sync-/);
  });

  test('is what the handler returned where it yielded nothing', async () => {
    const answer = await answeredWith(engine, (worker, { id }) => worker.done(id, '{"output":{"n":1.0}}'));
    expect([answer.status, answer.text]).toEqual([200, '{"n":1.0}']);
  });

  test('is the one object that was yielded, also above the limit of a chunk', async () => {
    const text = 'é🙂'.repeat(400_000);
    const answer = await answeredWith(engine, async (worker, { id }) => {
      await worker.stream(id, { output: { object: 'list', text } });
      await worker.done(id, { output: [] });
    });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(isDeepStrictEqual(answer.json, { object: 'list', text })).toBe(true);
  });

  test('is a list, however many objects were yielded, and however large they are together', async () => {
    const text = 'é🙂'.repeat(20_000);
    const values = Array.from({ length: 8 }, (_, n) => ({ n, text }));
    const answer = await answeredWith(engine, async (worker, { id }) => {
      for (const output of values) await worker.stream(id, { output });
      await worker.done(id, { output: [] });
    });
    expect(answer.headers['content-type']).toBe('application/json');
    expect(isDeepStrictEqual(answer.json, values)).toBe(true);
  });

  test('is the error that came last, however much was yielded before it', async () => {
    const answer = await answeredWith(engine, async (worker, { id }) => {
      for (let n = 0; n < 3; n++) await worker.stream(id, { output: 'x'.repeat(200_000) });
      await worker.stream(id, { output: { error: { message: 'Broken.', code: 503 } } });
      await worker.done(id, { output: [] });
    });
    expect(openaiErrorOf(answer, 503)).toMatchObject({ message: 'Broken.' });
  });

  test('is plain text where the texts that were yielded are not JSON', async () => {
    for (const pieces of [
      ['All ', 'is ', 'wéll'],
      ['[1] ', 'a'.repeat(300_000), 'wéll'],
    ]) {
      const answer = await answeredWith(engine, async (worker, { id }) => {
        for (const output of pieces) await worker.stream(id, { output });
        await worker.done(id, { output: [] });
      });
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(answer.text === pieces.join('')).toBe(true);
    }
  });

  test('is a list where several objects were yielded', async () => {
    const answer = await answeredWith(engine, async (worker, { id }) => {
      for (const n of [1, 2]) await worker.stream(id, { output: { n } });
      await worker.done(id, { output: [] });
    });
    expect(answer.json).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('may hold an error as one of its fields', async () => {
    const response = { object: 'response', status: 'failed', error: { code: 'server_error', message: 'x' } };
    const answer = await answeredWith(engine, (worker, { id }) => worker.done(id, { output: response }));
    expect([answer.status, answer.json]).toEqual([200, response]);
  });
});

describe('a caller who goes away', () => {
  test('takes a running job along, and its worker is told to stop', async () => {
    const { client, worker, endpointId } = await openaiSetting(engine);
    const leaving = new AbortController();
    const answering = client.post('/v1/completions', {}, leaving.signal);
    const { id } = await takeOne(worker);
    const stopping = worker.stops();
    leaving.abort();
    await expect(answering).rejects.toThrow('abort');
    expect((await stopping).json).toEqual({ jobsToStop: [id] });
    expect(await jobsOf(engine, endpointId).status(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('takes a waiting job along: the queue is empty again', async () => {
    const { client, endpointId } = await openaiSetting(engine);
    const jobs = jobsOf(engine, endpointId);
    const leaving = new AbortController();
    const answering = client.post('/v1/completions', {}, leaving.signal);
    await until('the job to wait', async () => (await jobs.health()).jobs.inQueue, 1);
    leaving.abort();
    await expect(answering).rejects.toThrow('abort');
    await until('it to be gone', async () => (await jobs.health()).jobs.inQueue, 0);
  });
});
