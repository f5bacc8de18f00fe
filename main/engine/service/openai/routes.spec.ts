/** How a stream is kept alive while nothing is written: by the clock, so with a fake one, over a real socket. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { defaultLimits } from '#contract/local/settings.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { createFakeClock, createFakeJobStore, silentLogger } from '../../../../test/support/core/fakes.ts';
import { until } from '../../../../test/support/core/until.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import { createLoadedJobs } from '../../../../test/support/jobs/loadedJobs.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { createBodyBudget } from '../http/bodies/budget.ts';
import { createBodyIntake } from '../http/bodies/parser.ts';
import { createOpenaiRoutes } from './routes.ts';

const ENDPOINT = 'ep';
const nothing = (): void => undefined;

function setUp() {
  const clock = createFakeClock();
  const store = createFakeJobStore();
  const jobs = createLoadedJobs({
    clock,
    store,
    executionTimeoutMs: () => limits.executionTimeoutMs.max,
  });
  // Nothing here is large.
  const texts = {} as LargeTexts;
  const intake = createBodyIntake(texts, createBodyBudget(1), silentLogger, defaultLimits);
  const { routes } = createOpenaiRoutes({ clock, jobs, intake, texts, logger: silentLogger, limits: defaultLimits });
  const worker = jobs.workers.addOwn('own', ENDPOINT);
  const handed: Job[] = [];
  const server = createServer((incoming, response) => {
    const endpoint = { id: ENDPOINT } as Endpoint;
    const caller = { kind: 'key', name: null, scope: 'all', endpointIds: [] } as const;
    routes['openai']!.run({
      request: incoming,
      response,
      endpoint,
      caller,
      first: '',
      second: '',
      rest: 'v1/x',
      query: null,
    });
  });
  return { clock, store, jobs, worker, handed, server };
}

let world: ReturnType<typeof setUp>;
beforeEach(async () => {
  world = setUp();
  world.server.listen(0, '127.0.0.1');
  await once(world.server, 'listening');
});
afterEach(async () => {
  await new Promise((resolve) => world.server.close(resolve));
  world.jobs.stop();
  expect(world.clock.pending()).toBe(0);
});

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

/** A request for a stream, and the job that was made of it. */
async function startStream(server: Server): Promise<{ job: Job; answer: Promise<IncomingMessage>; text(): string }> {
  const { jobs, store, worker, handed } = world;
  jobs.take(worker, 1, (taken) => handed.push(...taken));
  const { port } = server.address() as AddressInfo;
  const outgoing = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
  outgoing.end('{"stream":true}');
  let text = '';
  const answer = once(outgoing, 'response').then(([incoming]) => {
    const response = incoming as IncomingMessage;
    return response.setEncoding('utf8').on('data', (more: string) => (text += more));
  });
  await until(
    'the job',
    () => handed,
    ({ length }) => length > 0,
  );
  store.commit();
  return { job: handed[0]!, answer, text: () => text };
}

test('a stream whose job waits or works in silence says every 15 s that it lives, in comments', async () => {
  const { clock, store, jobs, server } = world;
  const { job, answer, text } = await startStream(server);
  clock.advance(limits.eventStreamPulseMs);
  expect((await answer).statusCode).toBe(200);
  await until('the first comment', () => text(), ': waiting\n\n');
  clock.advance(limits.eventStreamPulseMs);
  await until('the second comment', () => text(), ': waiting\n\n'.repeat(2));
  jobs.append(job, 'own', ['{"output":"data: 1\\n\\n"}'], nothing);
  clock.advance(limits.eventStreamPulseMs - 1);
  jobs.append(job, 'own', ['{"output":"data: 2\\n"}'], nothing);
  // Within an event a comment could do harm.
  clock.advance(2 * limits.eventStreamPulseMs);
  jobs.append(job, 'own', ['{"output":"\\n"}'], nothing);
  jobs.result(job, 'own', { progress: false, output: null, error: null, stopWorker: false }, nothing);
  store.commit();
  await until('the end', async () => (await answer).readableEnded);
  expect(text()).toBe(': waiting\n\n: waiting\n\ndata: 1\n\ndata: 2\n\n');
});

test('an error after such a comment is told as an event', async () => {
  const { clock, store, jobs, server } = world;
  const { job, answer, text } = await startStream(server);
  clock.advance(limits.eventStreamPulseMs);
  await answer;
  jobs.result(job, 'own', { progress: false, output: null, error: 'No.', stopWorker: false }, nothing);
  store.commit();
  await until('the end', async () => (await answer).readableEnded);
  expect(text()).toMatch(/^: waiting\n\ndata: \{"error":\{.*"message":"No\."/);
});

test('an error that arrives together with text comes after the text, as an event', async () => {
  const { store, jobs, server } = world;
  const { job, answer, text } = await startStream(server);
  jobs.append(job, 'own', ['{"output":"data: 1\\n\\n"}', '{"output":{"error":{"message":"No."}}}'], nothing);
  store.commit();
  await until('the end', async () => (await answer).readableEnded);
  expect((await answer).statusCode).toBe(200);
  expect(text()).toMatch(/^data: 1\n\ndata: \{"error":\{.*"message":"No\."/);
});

test.each([
  ['goes on', 'data: {"n":1}\n\n', 'CANCELLED'],
  ['is over', 'data: {"n":1}\n\ndata: [DONE]\n\n', 'COMPLETED'],
  ['is over, with other line breaks', 'data: [DONE]\r\n\r\n', 'COMPLETED'],
])('a caller who disconnects while the answer %s', async (_, sent, status) => {
  const { store, jobs, server } = world;
  const { job, answer, text } = await startStream(server);
  jobs.append(job, 'own', [JSON.stringify({ output: sent })], nothing);
  store.commit();
  await until('what was sent', async () => (await answer) && text(), sent);
  (await answer).destroy();
  await until('no connection', () => connectionsOf(server), 0);
  jobs.result(job, 'own', { progress: false, output: null, error: null, stopWorker: false }, nothing);
  store.commit();
  expect(job.status).toBe(status);
});
