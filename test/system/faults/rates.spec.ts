import { once } from 'node:events';
import { connect } from 'node:net';
import runpodSdk from 'runpod-sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import type { Answer } from '../../support/http/client.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { DEADLINE_MS, until } from '../../support/core/until.ts';

const RUNS = 6;
const HELD = 2;

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
  // A test that took longer than a window would see the next one begin.
  await engine.hold();
  // Small numbers show the same edges without thousands of requests; the windows themselves are tried in
  // rateLimit.spec.ts.
  await changeSettings(engine, {
    rates: {
      requestsPerWorker: 4,
      operations: {
        run: { requests: RUNS },
        runsync: { concurrent: HELD },
        status: { requests: 5 },
        stream: { concurrent: HELD },
        cancel: { requests: 3 },
      },
    },
  });
});
afterAll(() => engine.close());

async function outside(): Promise<{ jobs: Jobs; worker: OutsideWorker; id: string }> {
  const { id } = await makeIdleEndpoint(engine);
  return { id, jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

const submit = (jobs: Jobs) => engine.http.post(`${jobs.path}/run`, { input: {} });

/** Checks a refusal for its rate and returns the message for a person. */
function refusedForRate(answer: Answer): string {
  expect(answer.status).toBe(429);
  const seconds = Number(answer.headers['retry-after']);
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 10).toBe(true);
  const { error, message, status } = answer.json as { error: string; message: string; status: number };
  expect(status).toBe(429);
  expect(error).toBe(message);
  return message;
}

test('fault 25: an operation takes exactly its number of requests; the next is a 429 with Retry-After and words for a person', async () => {
  const { jobs } = await outside();
  const answers = await Promise.all(Array.from({ length: RUNS + 4 }, () => submit(jobs)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(RUNS);
  for (const refused of answers.filter(({ status }) => status !== 200)) {
    expect(refusedForRate(refused)).toMatch(
      /\/run takes at most 6 requests .*6 came in the last 10 s.*Try again in \d+ s/,
    );
  }
  expect((await jobs.health()).jobs.inQueue).toBe(RUNS);
});

test('fault 25: other operations and other endpoints go on; status-sync and a POST count as status', async () => {
  const { jobs } = await outside();
  const id = await jobs.run({});
  await jobs.cancel(id);
  for (const [method, path] of [
    ['GET', 'status'],
    ['POST', 'status'],
    ['GET', 'status-sync'],
    ['POST', 'status-sync'],
    ['GET', 'status'],
  ] as const) {
    expect((await engine.http.send(method, `${jobs.path}/${path}/${id}`)).status).toBe(200);
  }
  refusedForRate(await engine.http.get(`${jobs.path}/status-sync/${id}`));
  refusedForRate(await engine.http.get(`${jobs.path}/status/${id}`));
  expect((await submit(jobs)).status).toBe(200);
  const other = await outside();
  expect(await other.jobs.status(await other.jobs.run({}))).toMatchObject({ status: 'IN_QUEUE' });
});

test('fault 25: in a storm of refusals health, cancel and the worker protocol work', async () => {
  const { jobs, worker } = await outside();
  const ids: string[] = [];
  for (let each = 0; each < RUNS; each++) ids.push(await jobs.run({}));
  const storm = Array.from({ length: 300 }, () => submit(jobs));
  for (let each = 0; each < 20; each++) expect((await jobs.health()).jobs.inQueue).toBeGreaterThan(0);
  expect(await jobs.cancel(ids[0] ?? '')).toMatchObject({ status: 'CANCELLED' });
  for (const id of ids.slice(1)) {
    expect((await worker.take())?.id).toBe(id);
    expect((await worker.ping([id])).status).toBe(200);
    expect((await worker.done(id, { output: 1 })).status).toBe(200);
  }
  const answers = await Promise.all(storm);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
  expect((await jobs.health()).jobs).toMatchObject({ completed: RUNS - 1, inQueue: 0 });
});

test('a wrong key, a wrong method and an unknown endpoint count nothing', async () => {
  const { jobs } = await outside();
  for (let each = 0; each < RUNS; each++) {
    expect((await engine.http.post(`${jobs.path}/run`, {}, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await engine.http.get(`${jobs.path}/run`)).status).toBe(405);
    expect((await engine.http.post('/v2/nobody/run', { input: {} })).status).toBe(404);
  }
  for (let each = 0; each < RUNS; each++) expect((await submit(jobs)).status).toBe(200);
  refusedForRate(await submit(jobs));
});

test('each running worker raises the limit once theirs together is higher', async () => {
  const { jobs, id } = await outside();
  for (let each = 0; each < RUNS; each++) expect((await submit(jobs)).status).toBe(200);
  refusedForRate(await submit(jobs));
  const workers = [createOutsideWorker(engine, id), createOutsideWorker(engine, id)];
  for (const worker of workers) await worker.ping();
  // 2 workers × 4 requests are 2 more than the base of 6.
  for (let each = 0; each < 2; each++) expect((await submit(jobs)).status).toBe(200);
  expect(refusedForRate(await submit(jobs))).toMatch(
    /at most 8 requests .*the higher of 6 and 4 for each of 2 running workers/,
  );
});

test('fault 25: what is held open counts until it is answered, and only so many are held', async () => {
  const { jobs, worker } = await outside();
  const waiting = Array.from({ length: HELD }, () => engine.http.post(`${jobs.path}/runsync`, { input: {} }));
  const taken = [await worker.take(), await worker.take()];
  const refused = refusedForRate(await engine.http.post(`${jobs.path}/runsync`, { input: {} }));
  expect(refused).toMatch(/\/runsync answers at most 2 requests .* 2 are being answered now/);
  for (const job of taken) await worker.done(job?.id ?? '', { output: 'done' });
  for (const answer of await Promise.all(waiting)) expect(answer.json).toMatchObject({ status: 'COMPLETED' });
  const again = engine.http.post(`${jobs.path}/runsync`, { input: {} });
  await worker.done((await worker.take())?.id ?? '', { output: 'done' });
  expect((await again).status).toBe(200);
});

test('fault 25: a client that goes away gives its place back, pipelined requests included', async () => {
  const { jobs } = await outside();
  const id = await jobs.run({});
  const path = `${jobs.path}/stream/${id}?wait=60000`;
  const socket = connect(engine.port, '127.0.0.1');
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\n\r\n`;
  socket.write(request.repeat(HELD));
  await until(
    'both places to be taken',
    async () => (await engine.http.get(`${jobs.path}/stream/nothing`)).status,
    429,
  );
  socket.destroy();
  await once(socket, 'close');
  await until(
    'the places to be free again',
    async () => (await engine.http.get(`${jobs.path}/stream/nothing`)).status,
    404,
  );
});

test('fault 25: a body that is sent to a refusing operation is not taken for the next request', async () => {
  const { jobs } = await outside();
  for (let each = 0; each < RUNS; each++) await submit(jobs);
  const socket = connect(engine.port, '127.0.0.1');
  const body = JSON.stringify({ input: { pad: 'x'.repeat(100_000) } });
  const headers = `Host: localhost\r\nAuthorization: ${engine.key}\r\n`;
  let output = '';
  socket.setEncoding('utf8').on('data', (text: string) => (output += text));
  socket.write(`POST ${jobs.path}/run HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
  socket.write(`GET ${jobs.path}/health HTTP/1.1\r\n${headers}\r\n`);
  await until('both answers', () => output.match(/HTTP\/1\.1 \d+/g)?.length, 2);
  expect(output.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 429', 'HTTP/1.1 200']);
  socket.destroy();
  await once(socket, 'close');
});

test('fault 25: the public JavaScript SDK sees a 429 as such', async () => {
  const { jobs, id } = await outside();
  for (let each = 0; each < RUNS; each++) await submit(jobs);
  const endpoint = runpodSdk(engine.key, { baseUrl: `${engine.address}/v2` }).endpoint(id);
  await expect(endpoint?.run({ input: {} }, DEADLINE_MS)).rejects.toMatchObject({
    response: {
      status: 429,
      statusText: expect.stringMatching(/^\/run takes at most 6 requests of one endpoint in 10 s/),
    },
  });
});

test('a change of the settings takes effect with the next request', async () => {
  const { jobs } = await outside();
  for (let each = 0; each < RUNS; each++) await submit(jobs);
  refusedForRate(await submit(jobs));
  await changeSettings(engine, { rates: { operations: { run: { requests: RUNS + 1 } } } });
  expect((await submit(jobs)).status).toBe(200);
  refusedForRate(await submit(jobs));
  await changeSettings(engine, { rates: { enabled: false } });
  for (let each = 0; each < RUNS; each++) expect((await submit(jobs)).status).toBe(200);
  await changeSettings(engine, { rates: { enabled: true, operations: { run: { requests: RUNS } } } });
  refusedForRate(await submit(jobs));
});
