import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import type { Answer, Body } from '../../support/http/client.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';

/** Its clock stands still: a slow machine takes longer for a body of 20 MB than a worker waits for a job. */
let engine: ClockedEngine;
let jobs: Jobs;
beforeAll(async () => {
  engine = await startClockedEngine();
  await engine.hold();
  jobs = jobsOf(engine, (await makeIdleEndpoint(engine)).id);
});
afterAll(() => engine.close());

const errorSchema = z.strictObject({ error: z.string().min(1), message: z.string().min(1), status: z.int() });

/** Checks the error shape of fixed-points section 4 and returns the message for a person. */
function refusal(answer: Answer, status: number): string {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const body = errorSchema.parse(answer.json);
  expect(body.status).toBe(status);
  expect(body.error).toBe(body.message);
  expect(body.message).not.toMatch(/\bat .*:\d+:\d+|node:internal|SQLITE|Zod/);
  return body.message;
}

const run = (body: Body) => engine.http.post(`${jobs.path}/run`, body);

describe('a body that is not a job', () => {
  test.each<[string, Body]>([
    ['nothing at all', undefined],
    ['empty text', ''],
    ['broken JSON', '{"input":{}'],
    ['a word', 'hello'],
    ['trailing garbage', '{"input":{}} x'],
    ['a number that JSON does not know', '{"input":{"n":01}}'],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0x69, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    [
      'invalid UTF-8 inside a string',
      Buffer.concat([Buffer.from('{"input":{"a":"'), Buffer.from([0xff]), Buffer.from('"}}')]),
    ],
  ])('%s is a 400 that says what is wrong with the JSON', async (_, body) => {
    expect(refusal(await run(body), 400)).toMatch(/json|body|utf-8/i);
  });

  test.each<[string, Body]>([
    ['an array', '[]'],
    ['a string', '"input"'],
    ['null', 'null'],
    ['an object without input', '{}'],
    ['input null', '{"input":null}'],
    ['input text', '{"input":"x"}'],
    ['input number', '{"input":1}'],
    ['input array', '{"input":[{}]}'],
  ])('%s is a 400', async (_, body) => {
    refusal(await run(body), 400);
  });

  test('a missing input is named', async () => {
    expect(refusal(await run({ prompt: 'x' }), 400)).toMatch(/input/);
  });

  test.each<[string, object, RegExp]>([
    ['policy of the wrong type', { policy: 'fast' }, /policy/],
    ['executionTimeout as text', { policy: { executionTimeout: '5000' } }, /executionTimeout/],
    ['executionTimeout not whole', { policy: { executionTimeout: 5000.5 } }, /executionTimeout/],
    ['lowPriority as text', { policy: { lowPriority: 'yes' } }, /lowPriority/],
    ['ttl null', { policy: { ttl: null } }, /ttl/],
    ['webhook of the wrong type', { webhook: 5 }, /webhook/],
    ['webhook that is no address', { webhook: 'not an address' }, /webhook/],
    ['webhook of another scheme', { webhook: 'file:///etc/passwd' }, /webhook/],
    ['s3Config of the wrong type', { s3Config: [] }, /s3Config/],
    ['s3Config with a number for a name', { s3Config: { bucketName: 5 } }, /bucketName/],
  ])('%s is a 400 that names the field', async (_, envelope, field) => {
    expect(refusal(await run({ input: {}, ...envelope }), 400)).toMatch(field);
  });

  test('deep nesting is refused or stored, but does not hurt the engine', async () => {
    const deep = `{"input":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expect([200, 400]).toContain((await run(deep)).status);
    expect((await engine.http.get(`${jobs.path}/health`)).status).toBe(200);
  });

  test('what was refused changed nothing', async () => {
    const before = await jobs.health();
    await run({ input: 'x' });
    await run({ input: {}, policy: { ttl: 1 } });
    await run('{');
    expect(await jobs.health()).toEqual(before);
  });
});

interface Ranged {
  field: string;
  min: number;
  max: number;
  send: (value: unknown) => Promise<Answer>;
}

describe('a number outside its range', () => {
  const ranged: Ranged[] = [
    {
      field: 'executionTimeout',
      ...limits.executionTimeoutMs,
      send: (executionTimeout) => run({ input: {}, policy: { executionTimeout } }),
    },
    { field: 'ttl', ...limits.ttlMs, send: (ttl) => run({ input: {}, policy: { ttl } }) },
  ];

  test.each(ranged)('$field is taken from $min to $max, and refused one beyond', async ({ field, min, max, send }) => {
    expect((await send(min)).status).toBe(200);
    expect((await send(max)).status).toBe(200);
    for (const value of [min - 1, max + 1, 0, -1]) {
      const message = refusal(await send(value), 400);
      expect(message).toContain(field);
      expect(message).toContain(String(value));
      expect(message.replaceAll(/[ ,_]/g, '')).toContain(String(min));
      expect(message.replaceAll(/[ ,_]/g, '')).toContain(String(max));
    }
  });

  test('wait is refused one below its least and one above its most, on runsync and on status-sync', async () => {
    const { min, max } = limits.waitMs;
    const id = await jobs.run({});
    for (const value of [min - 1, max + 1, 0, -5]) {
      for (const answer of [
        await engine.http.post(`${jobs.path}/runsync?wait=${value}`, { input: {} }),
        await engine.http.get(`${jobs.path}/status-sync/${id}?wait=${value}`),
      ]) {
        const message = refusal(answer, 400);
        expect(message).toContain('wait');
        expect(message).toContain(String(value));
        expect(message.replaceAll(/[ ,_]/g, '')).toContain(String(min));
        expect(message.replaceAll(/[ ,_]/g, '')).toContain(String(max));
      }
    }
  });

  test.each([['abc'], ['1e3'], ['1500.5'], [''], ['0x400'], ['1000ms']])(
    'wait=%s is not a whole number: 400',
    async (wait) => {
      const message = refusal(await engine.http.post(`${jobs.path}/runsync?wait=${wait}`, { input: {} }), 400);
      expect(message).toContain('wait');
    },
  );

  test('the most of wait is taken', async () => {
    const endpoint = await makeIdleEndpoint(engine);
    const worker = createOutsideWorker(engine, endpoint.id);
    const path = `/v2/${endpoint.id}/runsync?wait=${limits.waitMs.max}`;
    const answering = engine.http.post(path, { input: {} });
    const taken = await worker.take();
    await worker.done(taken?.id ?? '', { output: 1 });
    expect((await answering).status).toBe(200);
  });
});

describe('something that is not there', () => {
  test('the name of one endpoint in place of its id is a 404 that says the id', async () => {
    const one = await makeIdleEndpoint(engine, { name: 'count-words -fb' });
    const hint = `An endpoint is addressed by its id: "count-words" is "${one.id}".`;
    const refusedWith = async () => refusal(await engine.http.post('/v2/count-words/run', { input: {} }), 404);
    expect(await refusedWith()).toBe(`There is no endpoint "count-words". ${hint}`);
    await makeIdleEndpoint(engine, { name: 'count-words' });
    expect(await refusedWith()).toBe('There is no endpoint "count-words".');
  });

  test('an unknown endpoint is a 404 on every operation', async () => {
    for (const [method, operation] of [
      ['POST', 'run'],
      ['POST', 'runsync'],
      ['GET', 'status/some-job'],
      ['GET', 'stream/some-job'],
      ['POST', 'cancel/some-job'],
      ['GET', 'health'],
      ['GET', 'job-take/w?gpu=none'],
    ] as const) {
      const body = method === 'POST' ? { input: {} } : undefined;
      refusal(await engine.http.send(method, `/v2/no-such-endpoint/${operation}`, body), 404);
    }
  });

  test('an unknown job is a 404 on every operation', async () => {
    for (const [method, operation] of [
      ['GET', 'status'],
      ['POST', 'status'],
      ['GET', 'status-sync'],
      ['GET', 'stream'],
      ['POST', 'cancel'],
    ] as const) {
      for (const id of ['no-such-job', '00000000-0000-4000-8000-000000000000-u1', '%00', "'--"]) {
        refusal(await engine.http.send(method, `${jobs.path}/${operation}/${id}`), 404);
      }
    }
  });

  test('an id that differs from a real one in its last character is unknown', async () => {
    const id = await jobs.run({});
    const last = id.at(-1) === '1' ? '2' : '1';
    refusal(await engine.http.get(`${jobs.path}/status/${id.slice(0, -1)}${last}`), 404);
  });

  test('an unknown route is a 404, a known one with another method a 404 or 405, in the same shape', async () => {
    refusal(await engine.http.get(`${jobs.path}/no-such-operation`), 404);
    refusal(await engine.http.get('/v1/no-such-things'), 404);
    refusal(await engine.http.get('/nothing'), 404);
    const wrong = await engine.http.send('DELETE', `${jobs.path}/run`);
    expect([404, 405]).toContain(wrong.status);
    refusal(wrong, wrong.status);
  });

  test('a result for an unknown job is a 404', async () => {
    const worker = createOutsideWorker(engine, jobs.path.split('/')[2] ?? '');
    refusal(await worker.done('no-such-job', { output: 1 }), 404);
  });
});

describe('a body that is too large', () => {
  const sized = (bytes: number) => {
    const frame = '{"input":{"a":""}}';
    return `{"input":{"a":"${'x'.repeat(bytes - frame.length)}"}}`;
  };

  test('/run takes 10 MB and refuses one byte more', async () => {
    expect((await run(sized(limits.runBodyBytes))).status).toBe(200);
    const message = refusal(await run(sized(limits.runBodyBytes + 1)), 413);
    expect(message).toMatch(/10 MB|10485760|10 MiB/);
  });

  test('/runsync takes 20 MB and refuses one byte more', async () => {
    const endpoint = await makeIdleEndpoint(engine);
    const path = `/v2/${endpoint.id}/runsync`;
    const worker = createOutsideWorker(engine, endpoint.id);
    const answering = engine.http.post(path, sized(limits.runsyncBodyBytes));
    const taken = await worker.take();
    await worker.done(taken?.id ?? '', { output: 'read' });
    expect((await answering).json).toMatchObject({ status: 'COMPLETED' });
    refusal(await engine.http.post(path, sized(limits.runsyncBodyBytes + 1)), 413);
  });

  test('a result above the limit fails its job with a reason instead of losing it', async () => {
    const endpoint = await makeIdleEndpoint(engine);
    const own = jobsOf(engine, endpoint.id);
    const worker = createOutsideWorker(engine, endpoint.id);
    const id = await own.run({});
    await worker.take();
    const answer = await worker.done(id, `{"output":"${'x'.repeat(limits.runsyncBodyBytes)}"}`);
    refusal(answer, 413);
    expect(await own.status(id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringMatching(/20 MB|20971520|20 MiB/),
    });
  });
});
