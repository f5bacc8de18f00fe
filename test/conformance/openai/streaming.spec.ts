/** /openai/* with "stream": true: server-sent events while the worker writes them. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { keepJobs } from '../../support/engine/settings.ts';
import { allCommitted, jobsOf } from '../../support/jobs/jobs.ts';
import { openaiClient, openaiErrorSchema, type OpenStream } from '../../support/openai/client.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint, makeIdleEndpoint, UNTIL_ABORTED } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { needsPython } from '../../support/core/skip.ts';

/** Far less than a stream that nobody reads: an engine that kept it in memory would not survive. */
const HEAP = '--max-old-space-size=48';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine({ env: { NODE_OPTIONS: HEAP } });
  await keepJobs(engine);
});
afterAll(() => engine.close());

interface Started {
  worker: OutsideWorker;
  id: string;
  endpointId: string;
  /** Settles with the headers. */
  streaming: Promise<OpenStream>;
}

/** A request for a stream whose job a worker has taken. */
async function started(): Promise<Started> {
  const { id: endpointId } = await makeIdleEndpoint(engine);
  const worker = createOutsideWorker(engine, endpointId);
  const streaming = openaiClient(engine, endpointId).stream('/v1/chat/completions', { model: 'm' });
  const taken = await worker.take();
  return { worker, id: taken?.id ?? '', endpointId, streaming };
}

const part = (content: string): string => JSON.stringify({ choices: [{ delta: { content } }] });
const contentOf = (data: string): string =>
  (JSON.parse(data) as { choices: { delta: { content: string } }[] }).choices[0]!.delta.content;

const errorOf = (data: string) => openaiErrorSchema.parse(JSON.parse(data)).error;

describe('a handler that yields the text of the stream', () => {
  test('has each piece sent as it is written, byte for byte, wherever it was cut', async () => {
    const { worker, id, streaming } = await started();
    await worker.stream(id, { output: `data: ${part('One')}\n\n` });
    const stream = await streaming;
    expect(stream.status).toBe(200);
    expect(stream.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(stream.jobId).toBe(id);
    expect(contentOf((await stream.next())!.data)).toBe('One');
    // The rest is written only now: what came before did not wait for it.
    const rest = `data: ${part('Zwei grün 🙂')}\r\n\r\n: a comment\n\nevent: x\ndata: 1\ndata: 2\n\ndata: [DONE]\n\n`;
    for (const piece of rest.match(/.{1,7}/gsu) ?? []) await worker.stream(id, { output: piece });
    await worker.done(id, { output: [] });
    const events = await stream.rest();
    expect(stream.text()).toBe(`data: ${part('One')}\n\n${rest}`);
    expect(contentOf(events[0]!.data)).toBe('Zwei grün 🙂');
    expect(events.slice(1)).toEqual([
      { event: 'x', data: '1\n2' },
      { event: null, data: '[DONE]' },
    ]);
  });

  test('may cut between the halves of a character', async () => {
    const { worker, id, streaming } = await started();
    for (const half of ['"data: \\ud83d"', '"\\ude42\\ud83d"', '"\\ude43\\n\\n"']) {
      await worker.stream(id, `{"output":${half}}`);
    }
    await worker.done(id, { output: [] });
    expect(await (await streaming).rest()).toEqual([{ event: null, data: '🙂🙃' }]);
  });

  test('brings its own end: nothing is added to it', async () => {
    const { worker, id, streaming } = await started();
    const text = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
    await worker.stream(id, { output: text });
    await worker.done(id, { output: [] });
    const stream = await streaming;
    await stream.rest();
    expect(stream.text()).toBe(text);
  });

  test('in Node reaches an OpenAI client', async () => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `
        export default async function* ({ input: { openai_route: route, openai_input: input } }) {
          if (route !== '/v1/chat/completions' || !input.stream) throw new Error('Something else was asked.');
          for (const word of input.messages[0].content.split(/(?<= )/)) {
            yield 'data: ' + JSON.stringify({ choices: [{ delta: { content: word } }] }) + '\\n\\n';
          }
          yield 'data: [DONE]\\n\\n';
        }`,
    });
    const content = 'Grüße an alle 🙂 auf See';
    const messages = [{ role: 'user', content }];
    const stream = await openaiClient(engine, endpoint.id).stream('/v1/chat/completions', { messages });
    const events = await stream.rest();
    expect(events.pop()?.data).toBe('[DONE]');
    expect(events.map(({ data }) => contentOf(data)).join('')).toBe(content);
    expect(events.length).toBeGreaterThan(3);
  });

  test(
    'in Python, as an async generator that joins parts to batches, reaches an OpenAI client',
    needsPython(),
    async () => {
      const { endpoint } = await makeEndpoint(engine, {
        'handler.py': `
import asyncio, json, runpod

async def handler(job):
    route = job["input"]["openai_route"]
    if route == "/v1/models":
        yield {"object": "list", "data": [{"id": "words", "object": "model"}]}
        return
    request = job["input"]["openai_input"]
    words = request["prompt"].split(" ")
    if not request.get("stream"):
        yield {"object": "text_completion", "choices": [{"text": request["prompt"]}]}
        return
    batch = ""
    for index, word in enumerate(words):
        batch += "data: " + json.dumps({"choices": [{"text": word}]}) + "\\n\\n"
        if index % 2:
            yield batch
            batch = ""
            await asyncio.sleep(0)
    yield batch + "data: [DONE]\\n\\n"

runpod.serverless.start({"handler": handler, "return_aggregate_stream": True})
`,
      });
      const client = openaiClient(engine, endpoint.id);
      expect((await client.get('/v1/models')).json).toMatchObject({ data: [{ id: 'words' }] });
      const prompt = 'zwölf Möwen und ein 🙂 Boot';
      expect((await client.post('/v1/completions', { prompt })).json).toMatchObject({ choices: [{ text: prompt }] });
      const stream = await client.stream('/v1/completions', { prompt });
      const events = await stream.rest();
      expect(events.pop()?.data).toBe('[DONE]');
      const words = events.map(({ data }) => (JSON.parse(data) as { choices: { text: string }[] }).choices[0]!.text);
      expect(words.join(' ')).toBe(prompt);
    },
  );
});

describe('a handler that yields objects', () => {
  test('has an event made of each, as its worker wrote it, and the end told', async () => {
    const { worker, id, streaming } = await started();
    await worker.stream(id, '{"output":{"n":1.0,\n"big":12345678901234567890}}');
    const stream = await streaming;
    expect(await stream.next()).toEqual({ event: null, data: '{"n":1.0, "big":12345678901234567890}' });
    await worker.stream(id, { output: [{ n: 2 }, { n: 3 }] });
    await worker.done(id, { output: [] });
    expect((await stream.rest()).map(({ data }) => data)).toEqual(['{"n":2}', '{"n":3}', '[DONE]']);
  });

  test('or returns one has it sent as the only event', async () => {
    const { worker, id, streaming } = await started();
    await worker.done(id, { output: { n: 1 } });
    expect((await (await streaming).rest()).map(({ data }) => data)).toEqual(['{"n":1}', '[DONE]']);
  });
});

describe('an error', () => {
  test('before the stream has begun has an HTTP status of its own', async () => {
    const { worker, id, streaming } = await started();
    await worker.stream(id, { output: { error: { message: 'No such model.', type: 'NotFoundError', code: 404 } } });
    const stream = await streaming;
    expect(stream.status).toBe(404);
    await stream.rest();
    expect(errorOf(stream.text())).toMatchObject({ message: 'No such model.', code: 404 });
  });

  test('after it has begun is an event, also in the middle of another one, and the stream ends', async () => {
    const { worker, id, streaming } = await started();
    await worker.stream(id, { output: `data: ${part('One')}` });
    await worker.done(id, { error: 'Ran out of ink.' });
    const events = await (await streaming).rest();
    expect(events).toHaveLength(2);
    expect(contentOf(events[0]!.data)).toBe('One');
    expect(errorOf(events[1]!.data)).toMatchObject({ message: 'Ran out of ink.', type: 'server_error' });
  });

  test('that is yielded after it has begun is the last event, and the job is stopped', async () => {
    const { worker, id, endpointId, streaming } = await started();
    await worker.stream(id, { output: { n: 1 } });
    const stream = await streaming;
    await worker.stream(id, { output: { error: { message: 'Broken.' } } });
    const events = await stream.rest();
    expect(events.map(({ data }) => JSON.parse(data) as object)).toEqual([
      { n: 1 },
      expect.objectContaining({ message: 'Broken.' }),
    ]);
    await jobsOf(engine, endpointId).reached(id, 'CANCELLED');
  });

  test('is the end of a stream whose job begins anew: it is not told twice', async () => {
    const { endpoint, template } = await makeEndpoint(engine, {
      'handler.mjs': `
        import { existsSync } from 'node:fs';
        import { setTimeout as later } from 'node:timers/promises';
        export default async function* ({ input }) {
          yield 'data: "one"\\n\\n';
          while (!existsSync('read')) await later(5);
          process.exit(3);
        }`,
    });
    const stream = await openaiClient(engine, endpoint.id).stream('/v1/completions', {});
    expect((await stream.next())?.data).toBe('"one"');
    writeFileSync(join(new URL(template.imageName).pathname, 'read'), '');
    const events = await stream.rest();
    expect(events).toHaveLength(1);
    expect(errorOf(events[0]!.data)).toMatchObject({ code: 'stream_interrupted' });
    await jobsOf(engine, endpoint.id).reached(stream.jobId, 'CANCELLED');
  });

  test('is no matter of a worker that dies before it has written anything: the next one answers', async () => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `
        import { existsSync, writeFileSync } from 'node:fs';
        export default async function* ({ input }) {
          if (!existsSync('died')) { writeFileSync('died', ''); process.exit(3); }
          yield 'data: "second"\\n\\n';
        }`,
    });
    const stream = await openaiClient(engine, endpoint.id).stream('/v1/completions', {});
    expect(await stream.rest()).toEqual([{ event: null, data: '"second"' }]);
    expect(await jobsOf(engine, endpoint.id).status(stream.jobId)).toMatchObject({ status: 'COMPLETED', retries: 1 });
  });
});

describe('the reader of a stream', () => {
  test('who goes away takes the job along, and its handler is told', async () => {
    const { endpoint, template } = await makeEndpoint(engine, {
      'handler.mjs': `
        import { writeFileSync } from 'node:fs';
        ${UNTIL_ABORTED}
        export default async function* ({ input }, { signal }) {
          yield 'data: 1\\n\\n';
          await untilAborted(signal);
          writeFileSync('stopped', '');
        }`,
    });
    const stream = await openaiClient(engine, endpoint.id).stream('/v1/completions', {});
    expect((await stream.next())?.data).toBe('1');
    stream.abort();
    await jobsOf(engine, endpoint.id).reached(stream.jobId, 'CANCELLED');
    await until('the handler to be told', () => existsSync(join(new URL(template.imageName).pathname, 'stopped')));
  });

  test('does not take the chunks away from /stream', async () => {
    const { worker, id, endpointId, streaming } = await started();
    await worker.stream(id, { output: 'data: 1\n\n' });
    const stream = await streaming;
    await stream.next();
    expect((await engine.http.get(`/v2/${endpointId}/stream/${id}`)).json).toEqual([{ output: 'data: 1\n\n' }]);
    await worker.stream(id, { output: 'data: 2\n\n' });
    await worker.done(id, { output: [] });
    expect((await stream.rest()).map(({ data }) => data)).toEqual(['2']);
  });

  test('who does not read fills no memory: what was written waits on disk, and is all there later', async () => {
    // 30 MB: more than the sockets of both sides and the engine, which keeps 8 MB of texts, hold in memory.
    const lines = 120;
    const line = 250_000;
    const { endpoint, template } = await makeEndpoint(engine, {
      'handler.mjs': `
        import { writeFileSync } from 'node:fs';
        export default async function* ({ input }) {
          yield 'data: begin\\n\\n';
          for (let i = 0; i < ${lines}; i++) yield 'data: ' + i + ' ' + 'x'.repeat(${line}) + '\\n\\n';
          writeFileSync('written', '');
        }`,
    });
    const stream = await openaiClient(engine, endpoint.id).stream('/v1/completions', {});
    expect((await stream.next())?.data).toBe('begin');
    // Nobody reads: the handler goes on to its end all the same. The engine gives up a reader that takes nothing for
    // `unreadMs`, so on a machine that needs longer for the job, a line is read now and then.
    const events: Awaited<ReturnType<typeof stream.next>>[] = [];
    let readAt = performance.now();
    const status = async (): Promise<string> => {
      if (performance.now() - readAt > limits.connection.unreadMs / 4) {
        events.push(await stream.next());
        readAt = performance.now();
      }
      return (await jobsOf(engine, endpoint.id).status(stream.jobId)).status;
    };
    await until('the job to be completed', status, 'COMPLETED');
    expect(existsSync(join(new URL(template.imageName).pathname, 'written'))).toBe(true);
    events.push(...(await stream.rest()));
    expect(events).toHaveLength(lines);
    events.forEach((event, index) => expect(event?.data.length).toBe(line + `${index} `.length));
  });
});

describe('an engine that goes', () => {
  test('ends a stream with an error event when it is stopped, and its job does not begin anew', async () => {
    const stopping = await startEngine();
    try {
      await keepJobs(stopping);
      const { id: endpointId } = await makeIdleEndpoint(stopping);
      const worker = createOutsideWorker(stopping, endpointId);
      const client = openaiClient(stopping, endpointId);
      const streaming = client.stream('/v1/completions', {});
      const first = await worker.take();
      await worker.stream(first?.id ?? '', { output: 'data: 1\n\n' });
      const stream = await streaming;
      await stream.next();
      const waiting = client.post('/v1/completions', {});
      await until('it to wait', async () => (await jobsOf(stopping, endpointId).health()).jobs.inQueue, 1);
      // Before that it is not accepted, and may break off.
      await allCommitted(stopping);
      await stopping.stop();
      expect(errorOf((await stream.next())!.data)).toMatchObject({ code: 'engine_stopping' });
      expect(await stream.next()).toBeNull();
      expect((await waiting).status).toBe(503);

      await stopping.restart();
      const again = client.post('/v1/completions', {});
      again.catch(() => undefined);
      const killed = (await worker.take())!.id;
      await stopping.kill9();
      await expect(again).rejects.toThrow();
      await stopping.restart();
      const jobs = jobsOf(stopping, endpointId);
      expect(await jobs.status(stream.jobId)).toMatchObject({ status: 'CANCELLED' });
      expect(await jobs.status(killed)).toMatchObject({ status: 'CANCELLED' });
      expect((await jobs.health()).jobs).toMatchObject({ inQueue: 0, inProgress: 0 });
    } finally {
      await stopping.close();
    }
  });
});
