import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { chunkSchema, isTerminal, streamEnvelopeSchema } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { until } from '../../support/core/until.ts';
import { apiKeyCreatedSchema } from '#contract/local/engine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const bareSchema = z.array(chunkSchema);

/** The address that waits for a chunk as long as one can: no slow machine outlasts it. */
const longPoll = (stream: string): string => `${stream}?wait=${limits.waitMs.max}`;

async function started(): Promise<{ jobs: Jobs; worker: OutsideWorker; id: string; stream: string }> {
  const endpoint = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, endpoint.id);
  const worker = createOutsideWorker(engine, endpoint.id);
  const id = await jobs.run({});
  await worker.take();
  return { jobs, worker, id, stream: `${jobs.path}/stream/${id}` };
}

describe('GET /stream/{job}', () => {
  test('is a JSON array of the chunks not yet read, in the order they were sent', async () => {
    const { worker, id, stream } = await started();
    for (const n of [0, 1, 2]) await worker.stream(id, { output: { n } });
    const first = await engine.http.get(stream);
    expect(first.status).toBe(200);
    expect(first.json).toEqual([{ output: { n: 0 } }, { output: { n: 1 } }, { output: { n: 2 } }]);
    await worker.stream(id, { output: 'next' });
    expect((await engine.http.get(stream)).json).toEqual([{ output: 'next' }]);
  });

  test('answers a waiting reader the moment a chunk arrives', async () => {
    const { worker, id, stream } = await started();
    const empty = await started();
    const leaving = new AbortController();
    const waitingRead = engine.http.get(longPoll(empty.stream), { signal: leaving.signal });
    const reading = engine.http.get(longPoll(stream));
    await worker.stream(id, { output: 'now' });
    // The one that gets no chunk began to wait earlier, and is still held.
    expect((await Promise.race([reading, waitingRead])).json).toEqual([{ output: 'now' }]);
    leaving.abort();
    await expect(waitingRead).rejects.toThrow();
  });

  test('tells a key that may only read what there is, and keeps it for who takes it', async () => {
    const { worker, id, stream } = await started();
    const { key } = apiKeyCreatedSchema.parse(
      accepted(await engine.http.post('/local/v1/api-keys', { name: 'reader', scope: 'read' })),
    );
    const read = async () => (await engine.http.get(`${stream}?envelope=true`, { authorization: key })).json;
    for (const n of [0, 1]) await worker.stream(id, { output: n });
    const both = { status: 'IN_PROGRESS', stream: [{ output: 0 }, { output: 1 }] };
    expect(await read()).toEqual(both);
    expect(await read()).toEqual(both);
    await worker.done(id, { output: 'whole' });
    expect(await read()).toEqual({ ...both, status: 'COMPLETED' });
    expect((await engine.http.get(`${stream}?envelope=true`)).json).toEqual({ ...both, status: 'COMPLETED' });
    expect(await read()).toEqual({ status: 'COMPLETED', stream: [] });
  });

  test('metrics of a chunk stay beside its output', async () => {
    const { worker, id, stream } = await started();
    const chunk = { output: { text: 'a' }, metrics: { stream_index: 0, scenario: 'stream' } };
    await worker.stream(id, chunk);
    expect((await engine.http.get(stream)).json).toEqual([chunk]);
  });

  test('a drained job keeps answering: an empty array, and the envelope with its final status', async () => {
    const { worker, id, stream } = await started();
    await worker.stream(id, { output: 1 });
    await worker.done(id, { output: [] }, '&isStream=true');
    expect((await engine.http.get(stream)).json).toEqual([{ output: 1 }]);
    for (let again = 0; again < 3; again++) {
      expect((await engine.http.get(stream)).json).toEqual([]);
      expect((await engine.http.get(`${stream}?envelope=true`)).json).toMatchObject({
        status: 'COMPLETED',
        stream: [],
      });
    }
  });

  test('chunks that arrived before the end can be read after it', async () => {
    const { worker, id, stream } = await started();
    await worker.stream(id, { output: 'a' });
    await worker.done(id, { error: 'broke half-way' });
    expect((await engine.http.get(`${stream}?envelope=true`)).json).toEqual({
      status: 'FAILED',
      stream: [{ output: 'a' }],
    });
  });

  test('answers POST as it answers GET', async () => {
    const { worker, id, stream } = await started();
    await worker.stream(id, { output: 7 });
    expect((await engine.http.post(stream)).json).toEqual([{ output: 7 }]);
  });

  test.each([
    ['RunPod-JS-SDK/1.1.2 (Unknown Environment)'],
    ['RunPod-Python-SDK/1.12.0(Linux 6.1; x86_64) Language/Python 3.11'],
    ['runpod-cli/1.14.4 (linux; amd64)'],
    ['runpod-go/0.1.0'],
    ['runpod-mcp-server/1.1.0'],
  ])('the public client %s is served the envelope {status, stream}', async (userAgent) => {
    const { worker, id, stream } = await started();
    await worker.stream(id, { output: 'x' });
    const answer = await engine.http.get(stream, { headers: { 'user-agent': userAgent } });
    expect(answer.json).toMatchObject({ status: 'IN_PROGRESS', stream: [{ output: 'x' }] });
  });

  test.each([
    ['the blocking client of the Python SDK', 'python-requests/2.32.3'],
    ['a client on aiohttp', 'Python/3.12 aiohttp/3.11.11'],
    ["the cloud's MCP server", 'node'],
    ["the cloud's MCP server on an older Node", 'undici'],
  ])('%s, which does not say who it is, is served the envelope too', async (_client, userAgent) => {
    const { worker, id, stream } = await started();
    await worker.stream(id, { output: 'x' });
    const agent = { 'user-agent': userAgent };
    const asSdk = await engine.http.get(stream, { headers: { ...agent, 'content-type': 'application/json' } });
    expect(asSdk.json).toMatchObject({ stream: [{ output: 'x' }] });
    await worker.stream(id, { output: 'y' });
    expect((await engine.http.get(stream, { headers: agent })).json).toEqual([{ output: 'y' }]);
  });

  test('the status of the job stands in a header, for readers of the list', async () => {
    const { worker, id, stream } = await started();
    const statusOf = async () => (await engine.http.get(stream)).headers['x-hangar-job-status'];
    await worker.stream(id, { output: 'x' });
    expect(await statusOf()).toBe('IN_PROGRESS');
    await worker.done(id, { output: 'whole' });
    expect(await statusOf()).toBe('COMPLETED');
  });

  test('the settings say for a whole machine what is answered, and a request for itself', async () => {
    const change = async (answer: string) =>
      accepted(await engine.http.send('PATCH', '/local/v1/settings', { answers: { stream: answer } }));
    const { worker, id, stream } = await started();
    const sdk = { 'user-agent': 'RunPod-JS-SDK/1.1.2 (Unknown Environment)' };
    try {
      await change('envelope');
      await worker.stream(id, { output: 1 });
      expect((await engine.http.get(stream)).json).toMatchObject({ stream: [{ output: 1 }] });
      await worker.stream(id, { output: 2 });
      expect((await engine.http.get(`${stream}?envelope=false`)).json).toEqual([{ output: 2 }]);
      await change('array');
      await worker.stream(id, { output: 3 });
      expect((await engine.http.get(stream, { headers: sdk })).json).toEqual([{ output: 3 }]);
    } finally {
      await change('auto');
    }
  });

  test('?envelope=true serves the envelope to anybody', async () => {
    const { worker, id, stream } = await started();
    await worker.stream(id, { output: 'x' });
    expect(streamEnvelopeSchema.parse((await engine.http.get(`${stream}?envelope=true`)).json)).toMatchObject({
      status: 'IN_PROGRESS',
      stream: [{ output: 'x' }],
    });
  });
});

describe('chunks', () => {
  test('a chunk of more than 1 MB is split over several whose texts together are what was sent', async () => {
    const { worker, id, stream } = await started();
    const text = `${'é🙂 large '.repeat(220_000)}end`;
    await worker.stream(id, { output: text });
    const chunks = bareSchema.parse((await engine.http.get(stream)).json);
    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) {
      expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThanOrEqual(limits.chunkBytes + 64);
    }
    expect(chunks.map((chunk) => z.string().parse(chunk.output)).join('')).toBe(text);
  });

  test('a chunk of at most 1 MB is one chunk', async () => {
    const { worker, id, stream } = await started();
    const text = 'x'.repeat(limits.chunkBytes - 100);
    await worker.stream(id, { output: text });
    expect(bareSchema.parse((await engine.http.get(stream)).json)).toEqual([{ output: text }]);
  });

  test('chunks of a finished job are refused and change nothing', async () => {
    const { worker, id, stream } = await started();
    await worker.done(id, { output: 'done' });
    expect((await worker.stream(id, { output: 'late' })).status).toBeGreaterThanOrEqual(400);
    expect((await engine.http.get(stream)).json).toEqual([]);
  });

  test('one open request with a chunk a line streams each chunk as it is written', async () => {
    const { jobs, worker, id, stream } = await started();

    const sending = request(`${engine.address}${jobs.path}/job-stream/${worker.id}/${id}?gpu=none&ndjson=1`, {
      method: 'POST',
      headers: { authorization: engine.key, 'content-type': 'application/x-ndjson' },
    });
    const answered = new Promise<number>((resolve, reject) => {
      sending.on('error', reject);
      sending.on('response', (incoming) => {
        incoming.resume().on('end', () => {
          resolve(incoming.statusCode ?? 0);
        });
      });
    });
    for (const n of [0, 1, 2]) {
      sending.write(`{"output":{"n":${n}}}\n`);
      expect((await engine.http.get(longPoll(stream))).json).toEqual([{ output: { n } }]);
    }
    sending.write('{"output":"split');
    sending.write(' anywhere"}\n{"output":"last"}');
    sending.end();
    expect(await answered).toBe(200);
    const rest = bareSchema.parse((await engine.http.get(stream)).json);
    expect(rest).toEqual([{ output: 'split anywhere' }, { output: 'last' }]);
  });

  test('many lines that come at once, cut anywhere and in any language, are read as they were sent', async () => {
    const { jobs, worker, id, stream } = await started();
    const outputs = Array.from({ length: 3000 }, (_, n) => `${n} ${'é漢🙂"\\\n'.repeat(n % 50)}`);
    const body = Buffer.from(outputs.map((output) => `${JSON.stringify({ output })}\n`).join(''));
    const sending = request(`${engine.address}${jobs.path}/job-stream/${worker.id}/${id}?gpu=none&ndjson=1`, {
      method: 'POST',
      headers: { authorization: engine.key },
    });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    for (let at = 0; at < body.length; at += 997) sending.write(body.subarray(at, at + 997));
    sending.end();
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(200);
    const read: unknown[] = [];
    for (;;) {
      const chunks = bareSchema.parse((await engine.http.get(stream)).json);
      if (chunks.length === 0) break;
      read.push(...chunks.map(({ output }) => output));
    }
    expect(read).toEqual(outputs);
  });

  test('a line that is no chunk is refused; those before it were taken', async () => {
    const { jobs, worker, id, stream } = await started();
    const path = `${jobs.path}/job-stream/${worker.id}/${id}?gpu=none&ndjson=1`;
    const lines = '{"output":1}\n{"output":2}\n{"input":3}\n{"output":4}\n';
    const answer = await engine.http.post(path, lines, { authorization: engine.key });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('`output`')]);
    expect((await engine.http.get(stream)).json).toEqual([{ output: 1 }, { output: 2 }]);
  });
});

describe('a generator handler in the Node harness', () => {
  test('its yields are stream chunks, each of which can be read before the next one is made', async () => {
    // It goes on once the test has read the word: it makes a file of that name.
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `
        import { existsSync } from 'node:fs';
        import { setTimeout as pause } from 'node:timers/promises';
        export default async function* ({ input: { words, folder } }) {
          for (const word of words) {
            yield { word };
            while (!existsSync(folder + '/' + word)) await pause(5);
          }
        }`,
    });
    const jobs = jobsOf(engine, endpoint.id);
    const words = Array.from({ length: 12 }, (_, n) => `word-${n}`);
    const folder = await mkdtemp(join(engine.dataDir, 'read-'));
    const id = await jobs.run({ words, folder });
    const outputs: unknown[] = [];
    await until('the stream to end', async () => {
      const answer = accepted(await engine.http.get(`${jobs.path}/stream/${id}?envelope=true`));
      const { status, stream } = streamEnvelopeSchema.parse(answer);
      for (const { output } of stream) {
        expect(status, 'the status while a chunk is read').toBe('IN_PROGRESS');
        outputs.push(output);
        await writeFile(join(folder, z.object({ word: z.string() }).parse(output).word), '');
      }
      return isTerminal(status) && stream.length === 0;
    });
    expect(outputs).toEqual(words.map((word) => ({ word })));
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED' });
  });
});
