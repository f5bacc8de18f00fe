/** Clients that send or read as slowly as they can. Everything that takes its time runs side by side, once. */
import { readFileSync } from 'node:fs';
import { request, type ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import type { Answer } from '../../support/http/client.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { until } from '../../support/core/until.ts';
import { openSocket, type RawSocket } from '../../support/http/rawSocket.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { needsLinux } from '../../support/core/skip.ts';

const LARGE_BYTES = 20_000_000;
const { bodyGraceMs, bodyWindowMs, bodyBytesPerSecond } = limits.connection;
/** Longer than a body may come in without a word. */
const LONG_MS = bodyGraceMs + bodyWindowMs + 2000;

let engine: TestEngine;
let jobs: Jobs;
let worker: OutsideWorker;

/** Sends the start at once and then the bytes, one each second, until the other side has closed; what it answered. */
async function drip(start: string, byte = 'x'): Promise<string> {
  using raw = await openSocket(engine.port);
  const closing = raw.closed();
  let open = true;
  void closing.finally(() => (open = false)).catch(() => undefined);
  raw.send(start);
  while (open) {
    raw.send(byte);
    await Promise.race([pause(1000), closing]);
  }
  return await closing;
}

const head = (method: string, path: string, ...more: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', `authorization: ${engine.key}`, ...more, '', ''].join('\r\n');

/** Sends the text of a JSON string over `LONG_MS`, `bytesPerSecond`, also where the machine lets each pause take longer. */
async function steady(sending: ClientRequest, bytesPerSecond: number): Promise<Answer['status']> {
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (incoming) => incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0)));
  });
  sending.write('{"input":{"a":"');
  const startedAt = performance.now();
  for (let sent = 0; performance.now() - startedAt < LONG_MS;) {
    const due = Math.ceil(((performance.now() - startedAt) / 1000) * bytesPerSecond) - sent;
    sending.write('x'.repeat(due));
    sent += due;
    await Promise.race([pause(100), answered]);
  }
  sending.end('"}}');
  return answered;
}

const open = (path: string): ClientRequest =>
  request(`${engine.address}${path}`, { method: 'POST', agent: false, headers: { authorization: engine.key } });

/** One open request of a worker that says nothing for long. */
async function openChunks(): Promise<{ status: number; stream: unknown }> {
  const { id: endpointId } = await makeIdleEndpoint(engine);
  const own = jobsOf(engine, endpointId);
  const busy = createOutsideWorker(engine, endpointId);
  const id = await own.run({});
  await busy.take();
  const sending = open(`${own.path}/job-stream/${busy.id}/${id}?gpu=none&ndjson=1`);
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (incoming) => incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0)));
  });
  sending.write('{"output":1}\n');
  await pause(LONG_MS);
  sending.end('{"output":2}\n');
  return { status: await answered, stream: (await engine.http.get(`${own.path}/stream/${id}`)).json };
}

/** Whether the system has the end of a connection that is in the hands of the engine. Only Linux tells it. */
function isOpenAtEngine({ socket: { localPort = 0 } }: RawSocket): boolean {
  const at = (port: number): string => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8').includes(`${at(engine.port)} ${at(localPort)} 01 `);
}

/** Asks for 20 MB and takes none of it. Null where the system does not tell when the engine closes the connection. */
async function unread(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const id = await jobs.run({});
  const reader = createOutsideWorker(engine, jobs.path.split('/')[2] ?? '');
  for (let taken = await reader.take(); taken?.id !== id;) taken = await reader.take();
  await reader.done(id, `{"output":"${'x'.repeat(LARGE_BYTES)}"}`);
  using raw = await openSocket(engine.port);
  raw.socket.pause();
  raw.send(head('GET', `${jobs.path}/status/${id}`));
  await until('the engine to have the connection', () => isOpenAtEngine(raw));
  await until('the engine to close the connection', () => !isOpenAtEngine(raw));
  // What it gave up is not among what is left to read.
  raw.socket.resume();
  return (await raw.closed()).length;
}

interface Seen {
  /** The answers to those that were cut. */
  cuts: Record<string, string>;
  steady: number;
  chunks: Awaited<ReturnType<typeof openChunks>>;
  /** How much of the large answer was left to read. */
  unread: number | null;
  poll: boolean;
  wait: Answer;
  idle: string;
  health: number[];
}
let outcome: Seen;

/** A worker that waits for long before there is a job. */
async function polled(): Promise<boolean> {
  const { id: endpointId } = await makeIdleEndpoint(engine);
  const taking = createOutsideWorker(engine, endpointId).take();
  await pause(LONG_MS);
  const id = await jobsOf(engine, endpointId).run({});
  return (await taking)?.id === id;
}

/** A connection that is not used for longer than a request may take is still good for one. */
async function keptAlive(): Promise<string> {
  using raw = await openSocket(engine.port);
  raw.send(head('GET', `${jobs.path}/health`));
  await raw.heard(/unhealthy/);
  await pause(LONG_MS);
  raw.send(head('GET', `${jobs.path}/health`, 'connection: close'));
  return await raw.closed();
}

/** The status of each answer that others get meanwhile. */
async function others(until: Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  let over = false;
  void until.finally(() => (over = true)).catch(() => undefined);
  while (!over) {
    statuses.push((await engine.http.get(`${jobs.path}/health`)).status);
    await Promise.race([pause(50), until]);
  }
  return statuses;
}

beforeAll(async () => {
  engine = await startEngine();
  const endpoint = await makeIdleEndpoint(engine);
  jobs = jobsOf(engine, endpoint.id);
  worker = createOutsideWorker(engine, endpoint.id);
  const waited = await jobs.run({});
  await worker.take();
  const body = (path: string, ...more: string[]) => drip(head('POST', path, ...more));
  const work = Promise.all([
    Promise.all([
      drip(`GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx: `),
      drip('', ''),
      body(`${jobs.path}/run`, 'content-length: 1000'),
      body(`${jobs.path}/runsync`, 'transfer-encoding: chunked', '', '400', '{"input":"'),
      body('/v1/templates', 'content-type: application/json', 'content-length: 1000'),
      body(`${jobs.path}/job-done/w/${waited}?gpu=none`, 'content-length: 1000'),
      drip(`POST ${jobs.path}/run HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n\r\n`),
    ]),
    steady(open(`${jobs.path}/run`), 4 * bodyBytesPerSecond),
    openChunks(),
    unread(),
    polled(),
    engine.http.get(`${jobs.path}/status-sync/${waited}?wait=${LONG_MS}`),
    keptAlive(),
  ]);
  const health = others(work);
  const [[slowHead, nothing, run, runsync, management, done, refused], sent, chunks, left, poll, wait, idle] =
    await work;
  outcome = {
    cuts: { slowHead, nothing, run, runsync, management, done, refused },
    steady: sent,
    chunks,
    unread: left,
    poll,
    wait,
    idle,
    health: await health,
  };
});
afterAll(() => engine.close());

test.each([
  ['a head that never ends', 'slowHead'],
  ['a connection that never asks', 'nothing'],
  ['a body of /run with a length', 'run'],
  ['a body of /runsync in chunks', 'runsync'],
  ['a body of the management API', 'management'],
  ["a worker's result", 'done'],
])('fault 21: %s, a byte a second, is cut with a 408 that says why', (_, name) => {
  const answer = outcome.cuts[name]!;
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  const { message, status } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
  expect(status).toBe(408);
  expect(message).toMatch(/within 10 s|too slowly/);
});

test('fault 21: a body that goes on after its request was refused is cut as well', () => {
  expect(outcome.cuts.refused).toMatch(/^HTTP\/1\.1 401 /);
});

test('fault 21: a body that comes slowly but steadily is taken', () => {
  expect(outcome.steady).toBe(200);
});

test('fault 21: a worker that yields nothing for long keeps its open request', () => {
  expect(outcome.chunks).toEqual({ status: 200, stream: [{ output: 1 }, { output: 2 }] });
});

test('fault 21: long polls are not taken for slow clients', () => {
  expect(outcome.poll).toBe(true);
  expect(outcome.wait.json).toMatchObject({ status: 'IN_PROGRESS' });
});

test('fault 21: a connection that is kept alive between requests is not cut', () => {
  expect(outcome.idle, outcome.idle).toMatch(/200 OK[^]*200 OK/);
  expect(outcome.idle.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
});

test('fault 21: meanwhile others are served', () => {
  expect(new Set(outcome.health)).toEqual(new Set([200]));
});

test('fault 27: a reader that takes nothing of a large answer is given up', needsLinux, () => {
  expect(outcome.unread).toBeGreaterThan(0);
  expect(outcome.unread).toBeLessThan(LARGE_BYTES);
});
