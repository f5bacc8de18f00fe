import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { laneSchema, logPageSchema, type Lane, type LogPage } from '#contract/local/log.ts';
import * as z from 'zod';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { openLogEvents, type LogEvent } from '../../support/logs/events.ts';
import { accepted, makeEndpoint, UNTIL_ABORTED } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
});
afterAll(() => engine.close());

/** Writes what its input says, in order, and returns; `wait` runs until it is told to stop, `exit` ends the worker. */
const WRITER = `
  ${UNTIL_ABORTED}
  export default async ({ input }, { signal }) => {
    for (const line of input.lines ?? []) console.log(line);
    for (const line of input.errors ?? []) console.error(line);
    if (input.count) for (let i = 0; i < input.count; i += 1) console.log('line ' + i + ' ' + 'x'.repeat(input.width ?? 0));
    if (input.last) console.log(input.last);
    if (input.exit) process.exit(7);
    if (input.wait) await untilAborted(signal);
    return true;
  };
`;

const makeWriter = async (endpoint: object = {}, on: TestEngine = engine): Promise<string> =>
  (await makeEndpoint(on, { 'handler.mjs': WRITER }, { endpoint: { workersMax: 1, idleTimeout: 600, ...endpoint } }))
    .endpoint.id;

interface Ran {
  id: string;
  status: string;
}
const run = async (endpointId: string, input: object, on: TestEngine = engine): Promise<Ran> =>
  accepted(await on.http.post(`/v2/${endpointId}/runsync?wait=120000`, { input })) as Ran;
const begin = async (endpointId: string, input: object): Promise<string> =>
  (accepted(await engine.http.post(`/v2/${endpointId}/run`, { input })) as Ran).id;

const page = async (query: string, on: TestEngine = engine): Promise<LogPage> =>
  logPageSchema.parse(accepted(await on.http.get(`/local/v1/logs?${query}`)));
const texts = async (query: string): Promise<string[]> => (await page(query)).lines.map(({ text }) => text);
const lanesOf = async (endpointId: string): Promise<Lane[]> =>
  z
    .array(laneSchema)
    .parse(accepted(await engine.http.get(`/local/v1/workers/lanes?endpointId=${endpointId}&sinceMs=600000`)));

const lineOf = (endpointId: string, text: string, on: TestEngine = engine) =>
  until(`the line ${JSON.stringify(text)}`, async () =>
    (await page(`endpointId=${endpointId}`, on)).lines.find((line) => line.text === text),
  );

describe('GET /local/v1/logs', () => {
  test('tells each line with its worker, its job, its stream and its level, and finds them by these', async () => {
    const endpointId = await makeWriter();
    const sdk = JSON.stringify({ requestId: 'job-of-the-line', message: 'from the SDK', level: 'WARN' });
    const { id } = await run(endpointId, { lines: ['Loading', sdk], errors: ['ERROR: broken'] });
    const broken = await lineOf(endpointId, 'ERROR: broken');
    await lineOf(endpointId, 'from the SDK');
    expect(broken).toMatchObject({ endpointId, jobId: id, stream: 'stderr', level: 'error' });
    const { workerId } = broken;
    const mine = `workerId=${workerId}`;
    expect(await texts(`${mine}&level=warn`)).toHaveLength(2);
    expect(await texts(`${mine}&jobId=${id}&level=debug`)).toEqual(['ERROR: broken']);
    expect(await texts(`${mine}&jobId=${id}&text=LOAD`)).toEqual(['Loading']);
    expect(await texts(`${mine}&jobId=job-of-the-line`)).toEqual(['from the SDK']);
    expect(await texts(`endpointId=${endpointId}&text=broken&workerId=w-other`)).toEqual([]);
  });

  test('pages back from the newest line to the oldest', async () => {
    const endpointId = await makeWriter();
    await run(endpointId, { count: 25, last: 'the last' });
    await lineOf(endpointId, 'the last');
    const texts: string[] = [];
    let query = `endpointId=${endpointId}&text=line&limit=10`;
    const sizes: number[] = [];
    for (;;) {
      const { lines, more, next } = await page(query);
      sizes.push(lines.length);
      texts.unshift(...lines.map(({ text }) => text));
      expect(more).toBe(next !== null);
      if (next === null) break;
      query = `endpointId=${endpointId}&text=line&limit=10&before=${next}`;
    }
    expect(sizes).toEqual([10, 10, 5]);
    expect(texts).toEqual(Array.from({ length: 25 }, (_, i) => `line ${i} `));
  });

  test('tells why a worker was stopped and how one died', async () => {
    const endpointId = await makeWriter({ idleTimeout: 1 });
    await run(endpointId, {});
    await engine.advance(1500);
    const ended = await lineOf(endpointId, 'The worker has ended: it was idle.');
    expect(ended).toMatchObject({ stream: 'engine', level: 'info', jobId: null });
    expect(await texts(`workerId=${ended.workerId}`)).toEqual([
      'The worker is started.',
      'The worker is being stopped: it was idle.',
      'The worker has ended: it was idle.',
    ]);
    await begin(endpointId, { exit: true });
    const died = await until('a worker to die', async () =>
      (await page(`endpointId=${endpointId}&level=error`)).lines.find(({ stream }) => stream === 'engine'),
    );
    expect(died.text).toContain('exit code 7');
  });

  test('still has the lines of a job whose worker is gone, after a restart of the engine as well', async () => {
    await using own = await startEngine();
    const endpointId = await makeWriter({}, own);
    const { id } = await run(endpointId, { lines: ['kept'] }, own);
    const { n } = await lineOf(endpointId, 'kept', own);
    await own.stop();
    await own.restart();
    expect((await page(`jobId=${id}`, own)).lines).toMatchObject([{ n, text: 'kept', endpointId, jobId: id }]);
    const later = await run(endpointId, { lines: ['after it'] }, own);
    const next = await lineOf(endpointId, 'after it', own);
    expect(next.n).toBeGreaterThan(n);
    expect(next.jobId).toBe(later.id);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=x', 'limit'],
    ['before=-1', 'before'],
    ['level=loud', 'level'],
    ['unknown=1', 'unknown'],
  ])('?%s is a 400 that names it', async (query, name) => {
    const answer = await engine.http.get(`/local/v1/logs?${query}`);
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain(name);
  });

  test('takes a key', async () => {
    for (const path of ['logs', 'logs/events', 'workers/lanes?endpointId=x']) {
      expect((await engine.http.get(`/local/v1/${path}`, { authorization: null })).status).toBe(401);
    }
  });
});

describe('GET /local/v1/logs/events', () => {
  test('tells each line as it is written, with its number as the id of the event', async () => {
    const endpointId = await makeWriter();
    await using events = await openLogEvents(engine, `?endpointId=${endpointId}`);
    expect(events.status).toBe(200);
    expect(events.headers['content-type']).toMatch(/^text\/event-stream/);
    const job = await begin(endpointId, { lines: ['first'], wait: true });
    const [started, first] = [await events.next(), await events.next()];
    expect(started.line).toMatchObject({ stream: 'engine', endpointId });
    expect(first.line).toMatchObject({ text: 'first', jobId: job, n: first.id });
    await engine.http.post(`/v2/${endpointId}/cancel/${job}`);
  });

  test('replays what came after a line, and goes on with what comes', async () => {
    const endpointId = await makeWriter();
    await run(endpointId, { lines: ['a', 'b', 'c'] });
    const { n } = await lineOf(endpointId, 'a');
    await lineOf(endpointId, 'c');
    await using laterEvents = await openLogEvents(engine, `?endpointId=${endpointId}&after=${n}`);
    // A browser comes back to the address it had first, with the number of the last event it saw.
    await using again = await openLogEvents(engine, `?endpointId=${endpointId}&after=0`, {
      'last-event-id': String(n),
    });
    await run(endpointId, { lines: ['d'] });
    for (const events of [laterEvents, again]) {
      expect((await events.upTo('d')).map(({ line }) => line.text)).toEqual(['b', 'c', 'd']);
    }
  });

  test('replays from disk after a restart', async () => {
    await using own = await startEngine();
    const endpointId = await makeWriter({}, own);
    await run(endpointId, { count: 2000, last: 'over' }, own);
    await lineOf(endpointId, 'over', own);
    await own.stop();
    await own.restart();
    await using events = await openLogEvents(own, `?endpointId=${endpointId}&text=line%201&after=0`);
    const texts: string[] = [];
    while (texts.at(-1) !== 'line 1999 ') texts.push((await events.next()).line.text);
    expect(texts).toHaveLength(1111);
  });

  test('lets a slow reader miss nothing, and holds up nobody for it', async () => {
    const endpointId = await makeWriter();
    await using slow = await openLogEvents(engine, `?endpointId=${endpointId}`);
    slow.pause();
    await using quick = await openLogEvents(engine, `?endpointId=${endpointId}`);
    const all: LogEvent[] = [];
    const read: LogEvent[] = [];
    let readAt = performance.now();
    // The engine gives up a reader that takes nothing for `unreadMs`: on a slow machine this one reads in between.
    const readInTime = async (): Promise<void> => {
      if (performance.now() - readAt < limits.connection.unreadMs / 2) return;
      slow.resume();
      while (read.length < all.length) read.push(await slow.next());
      slow.pause();
      readAt = performance.now();
    };
    let last = '';
    for (let part = 0; all.length <= 20_000; part++) {
      await readInTime();
      await run(endpointId, { count: 5000, width: 400 });
      last = `part ${part} is over`;
      // Where a slow machine does not keep up with a worker, lines of it are left out, this one perhaps among them.
      await until(`the line "${last}"`, async () => {
        await readInTime();
        await run(endpointId, { last });
        return (await texts(`endpointId=${endpointId}&text=${encodeURIComponent(last)}`)).length;
      });
      all.push(...(await quick.upTo(last)));
    }
    slow.resume();
    read.push(...(await slow.upTo(last)));
    expect(read.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  test('says that it is there while nothing is written', async () => {
    await using events = await openLogEvents(engine, '?endpointId=nobody');
    const comments = (least: number) => until(`comment ${least}`, events.comments, (count) => count >= least);
    await comments(1);
    await engine.advance(2 * limits.eventStreamPulseMs + 1);
    await comments(3);
  });

  test('a Last-Event-ID that is no number is a 400', async () => {
    const answer = await engine.http.get('/local/v1/logs/events', { headers: { 'last-event-id': 'x' } });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain('Last-Event-ID');
  });
});

describe('GET /local/v1/workers/lanes', () => {
  test('tells what each worker was over time, with its jobs, and how it ended', async () => {
    const endpointId = await makeWriter({ idleTimeout: 1 });
    const job = await begin(endpointId, { wait: true });
    const busy = await until(
      'a running worker',
      async () => (await lanesOf(endpointId))[0],
      (lane) => lane?.spans.at(-1)?.state === 'running' && lane,
    );
    expect(busy.end).toBeNull();
    expect(busy.spans.at(-1)).toMatchObject({ to: null, jobIds: [job] });
    await engine.http.post(`/v2/${endpointId}/cancel/${job}`);
    await until(
      'an idle worker',
      async () => (await lanesOf(endpointId))[0]?.spans,
      (spans) => spans?.some(({ state }) => state === 'idle'),
    );
    await engine.advance(1500);
    const ended = await until('its end', async () => (await lanesOf(endpointId)).find(({ end }) => end !== null));
    expect(ended).toMatchObject({
      workerId: busy.workerId,
      endpointId,
      end: { reason: 'it was idle', unhealthy: false },
    });
    expect(ended.spans.map(({ state }) => state)).toEqual(['starting', 'running', 'idle', 'stopping']);
    for (const [index, { to }] of ended.spans.entries()) expect(to).toBe(ended.spans[index + 1]?.from ?? ended.end?.at);
    expect(await lanesOf('another')).toEqual([]);
  });

  test('an endpoint has to be named', async () => {
    const answer = await engine.http.get('/local/v1/workers/lanes');
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain('endpointId');
  });
});
