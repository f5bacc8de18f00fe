/** Streams that nobody reads, or a hundred do; very many chunks; callers who go away while they wait. */
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { chunkSchema, isTerminal, streamEnvelopeSchema } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import { accepted, makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  const most = { requests: 1_000_000, concurrent: 1000 };
  const operations = { stream: most, status: most, runsync: { requests: 1_000_000 } };
  accepted(await engine.http.send('PATCH', '/local/v1/settings', { rates: { operations } }));
});
afterAll(() => engine.close());

const handler = `
  export default async function* (job) {
    const { count, bytes } = job.input;
    const filling = 'x'.repeat(bytes);
    for (let n = 0; n < count; n++) yield n + ':' + filling;
  }`;

async function producer(): Promise<Jobs> {
  const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': handler }, { endpoint: { workersMax: 1 } });
  return jobsOf(engine, endpoint.id);
}

/** The numbers of all chunks, in the order in which they were read to the end of the job. */
async function numbers(jobs: Jobs, id: string): Promise<number[]> {
  const read: number[] = [];
  for (;;) {
    const answer = await engine.http.get(`${jobs.path}/stream/${id}?envelope=true`);
    const { status, stream } = streamEnvelopeSchema.parse(accepted(answer));
    for (const { output } of stream) read.push(Number.parseInt(z.string().parse(output), 10));
    if (isTerminal(status) && stream.length === 0) return read;
  }
}

const countingTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

async function bytesOnDisk(): Promise<number> {
  const files = await readdir(engine.dataDir);
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(engine.dataDir, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('fault 27: what a producer without a reader yields is on disk, and all of it can be read later', async () => {
  const jobs = await producer();
  const count = 600;
  const bytes = 100_000;
  const bytesBefore = await bytesOnDisk();
  const id = await jobs.run({ count, bytes });
  await jobs.finished(id);
  expect((await bytesOnDisk()) - bytesBefore).toBeGreaterThan(count * bytes);
  expect(await numbers(jobs, id)).toEqual(countingTo(count));
});

test('fault 27: readers that go away in the middle of an answer do not hold up the producer or its other readers', async () => {
  const jobs = await producer();
  const id = await jobs.run({ count: 300, bytes: 100_000 });
  await jobs.reached(id, 'COMPLETED').catch(() => undefined);
  for (let reader = 0; reader < 20; reader++) {
    using raw = await openSocket(engine.port);
    raw.socket.pause();
    raw.send(`GET ${jobs.path}/status/${id} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${engine.key}\r\n\r\n`);
    raw.socket.resetAndDestroy();
  }
  expect(await numbers(jobs, id)).toEqual(countingTo(300));
});

test('fault 27: of a hundred readers of one stream each chunk goes to one', async () => {
  const jobs = await producer();
  const count = 5000;
  const id = await jobs.run({ count, bytes: 50 });
  const all = await Promise.all(Array.from({ length: 100 }, () => numbers(jobs, id)));
  expect(all.flat().sort((a, b) => a - b)).toEqual(countingTo(count));
  for (const one of all) expect(one).toEqual([...one].sort((a, b) => a - b));
});

test('fault 27: what a worker sends at once, 40 MB of chunks, is stored whole and in order', async () => {
  const endpoint = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, endpoint.id);
  const worker = createOutsideWorker(engine, endpoint.id);
  const id = await jobs.run({});
  await worker.take();
  const count = 800;
  const sending = request(`${engine.address}${jobs.path}/job-stream/${worker.id}/${id}?gpu=none&ndjson=1`, {
    method: 'POST',
    agent: false,
    headers: { authorization: engine.key },
  });
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (incoming) => incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0)));
  });
  // Without waiting for anything.
  for (let n = 0; n < count; n++) sending.write(`{"output":"${n}:${'x'.repeat(50_000)}"}\n`);
  sending.end();
  expect(await answered).toBe(200);
  await worker.done(id, {});
  expect(await numbers(jobs, id)).toEqual(countingTo(count));
});

test('fault 28: fifty thousand small chunks are stored and read in order', async () => {
  const jobs = await producer();
  const count = 50_000;
  const read = await numbers(jobs, await jobs.run({ count, bytes: 10 }));
  expect(read.length).toBe(count);
  expect(read.every((n, index) => n === index)).toBe(true);
});

test('fault 28: a chunk of many megabytes is split, and together its pieces are what was yielded', async () => {
  const jobs = await producer();
  const id = await jobs.run({ count: 1, bytes: 5_000_000 });
  await jobs.finished(id);
  let text = '';
  for (;;) {
    const answer = accepted(await engine.http.get(`${jobs.path}/stream/${id}`));
    const pieces = z.array(chunkSchema).parse(answer);
    if (pieces.length === 0) break;
    for (const piece of pieces) {
      expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThanOrEqual(limits.chunkBytes);
      text += z.string().parse(piece.output);
    }
  }
  expect(text.length).toBe(5_000_002);
});

test('fault 29: 400 callers of /runsync wait at once, are answered when their time is up, and their places are free again', async () => {
  const { id } = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, id);
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(
      Array.from({ length: 400 }, () => engine.http.post(`${jobs.path}/runsync?wait=1000`, { input: {} })),
    );
    for (const answer of answers) expect(accepted(answer)).toMatchObject({ status: 'IN_QUEUE' });
  }
  expect((await jobs.health()).jobs.inQueue).toBe(800);
});

test('fault 29: 400 callers that go away leave their jobs, and free their places', async () => {
  const { id } = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, id);
  const leaving = new AbortController();
  const gone = Array.from({ length: 400 }, () =>
    engine.http.post(`${jobs.path}/runsync`, { input: {} }, { signal: leaving.signal }).catch(() => null),
  );
  await until('all to wait', async () => (await jobs.health()).jobs.inQueue, 400);
  expect((await engine.http.post(`${jobs.path}/runsync?wait=1000`, { input: {} })).status).toBe(429);
  leaving.abort();
  await Promise.all(gone);
  const answer = await until(
    'a place to be free',
    () => engine.http.post(`${jobs.path}/runsync?wait=1000`, { input: {} }),
    (tried) => tried.status === 200,
  );
  expect(answer.json).toMatchObject({ status: 'IN_QUEUE' });
  expect((await jobs.health()).jobs.inQueue).toBe(401);
});

test('fault 29: a wait of 1000 ms for a job that takes longer is answered IN_PROGRESS, and the job goes on', async () => {
  const { id } = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, id);
  const worker = createOutsideWorker(engine, id);
  // A worker that waits has the job before the time of the caller begins to matter.
  const taking = worker.take();
  await until('the worker to wait', async () => (await jobs.health()).workers.idle, 1);
  const answering = engine.http.post(`${jobs.path}/runsync?wait=1000`, { input: {} });
  const taken = await taking;
  expect((await answering).json).toMatchObject({ id: taken?.id, status: 'IN_PROGRESS' });
  await worker.done(taken?.id ?? '', { output: 'done' });
  expect(await jobs.status(taken?.id ?? '')).toMatchObject({ status: 'COMPLETED', output: 'done' });
});
