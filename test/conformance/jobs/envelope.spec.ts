import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { messageOf, type Answer } from '../../support/http/client.ts';
import { allCommitted, jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeEndpoint, makeIdleEndpoint, UNTIL_ABORTED } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

/** Its clock stands still: some jobs here live for ten seconds only. */
let engine: ClockedEngine;
/** Starts workers of its own, which need a clock that runs. */
let starting: ClockedEngine;
let jobs: Jobs;
let worker: OutsideWorker;
beforeAll(async () => {
  engine = await startClockedEngine();
  await engine.hold();
  starting = await startClockedEngine();
  const { id } = await makeIdleEndpoint(engine);
  jobs = jobsOf(engine, id);
  worker = createOutsideWorker(engine, id);
});
afterAll(async () => {
  await engine.close();
  await starting.close();
});

/** A 400 that names the field, what it may be, and what was sent. */
function expectRefused(answer: Answer, words: (string | number)[]): void {
  expect(answer.status, answer.text).toBe(400);
  for (const word of words) expect(messageOf(answer)).toContain(String(word));
}

/** What may be said in milliseconds, as it is published. */
const ranges = {
  wait: { min: 1000, max: 300_000 },
  executionTimeout: { min: 5000, max: 604_800_000 },
  ttl: { min: 10_000, max: 604_800_000 },
};

/** JSON text of things that are no whole number. */
const notWhole: [string, string][] = [
  ['a text', '"60000"'],
  ['an empty text', '""'],
  ['a fraction', '60000.5'],
  ['a negative number', '-60000'],
  ['a number beyond all numbers', '1e999'],
  ['more than a number holds', '9007199254740993'],
  ['null', 'null'],
  ['true', 'true'],
  ['a list', '[60000]'],
  ['an object', '{"ms":60000}'],
];

describe.each([
  ['executionTimeout', ranges.executionTimeout],
  ['ttl', ranges.ttl],
] as const)('policy.%s', (field, { min, max }) => {
  const sent = (text: string) => engine.http.post(`${jobs.path}/run`, `{"input":{},"policy":{"${field}":${text}}}`);

  test.each(notWhole)('that is %s is a 400 that names the field and its range', async (_, text) => {
    const answer = await sent(text);
    expectRefused(answer, [field, min, max]);
    if (/^[-"\d.]+$|null|true/.test(text)) expect(messageOf(answer)).toContain(text.replace('993', '992'));
  });

  test('is taken at both ends of its range and refused one beyond, on /run and /runsync', async () => {
    for (const value of [min, max]) {
      expect((await sent(String(value))).status).toBe(200);
      const { inQueue } = (await jobs.health()).jobs;
      const path = `${jobs.path}/runsync?wait=1000`;
      const answering = engine.http.post(path, { input: {}, policy: { [field]: value } });
      await until('the job to be there', async () => (await jobs.health()).jobs.inQueue, inQueue + 1);
      // Its wait begins once the job is stored.
      await allCommitted(engine);
      await engine.advance(1000);
      expect((await answering).status).toBe(200);
    }
    for (const value of [min - 1, max + 1]) {
      expectRefused(await sent(String(value)), [field, min, max, value]);
      const body = { input: {}, policy: { [field]: value } };
      expectRefused(await engine.http.post(`${jobs.path}/runsync`, body), [field, min, max, value]);
    }
  });

  test('written as 1e5 or 100000.0 is the whole number that it is', async () => {
    expect((await sent('1e5')).status).toBe(200);
    expect((await sent('100000.0')).status).toBe(200);
  });
});

describe('wait', () => {
  test('is taken at both ends of its range and refused one beyond, on /runsync, /status-sync and /stream', async () => {
    const { min, max } = ranges.wait;
    const id = await jobs.run({});
    await jobs.cancel(id);
    for (const value of [min, max]) {
      for (const operation of ['status-sync', 'stream']) {
        const answer = await engine.http.get(`${jobs.path}/${operation}/${id}?wait=${value}`);
        expect(answer.status, operation).toBe(200);
      }
    }
    for (const value of [min - 1, max + 1]) {
      for (const answer of [
        await engine.http.post(`${jobs.path}/runsync?wait=${value}`, { input: {} }),
        await engine.http.get(`${jobs.path}/status-sync/${id}?wait=${value}`),
        await engine.http.get(`${jobs.path}/stream/${id}?wait=${value}`),
      ]) {
        expectRefused(answer, ['wait', min, max, value]);
      }
    }
  });

  test('that is refused makes no job', async () => {
    const before = await jobs.health();
    await engine.http.post(`${jobs.path}/runsync?wait=1`, { input: {} });
    expect(await jobs.health()).toEqual(before);
  });
});

describe('ttl of /status', () => {
  test('is taken at both ends of its range and refused one beyond, by GET and by POST', async () => {
    const { min, max } = ranges.ttl;
    const id = await jobs.run({});
    for (const method of ['GET', 'POST']) {
      const statusWithTtl = (value: number) => engine.http.send(method, `${jobs.path}/status/${id}?ttl=${value}`);
      for (const value of [min, max]) expect((await statusWithTtl(value)).status).toBe(200);
      for (const value of [min - 1, max + 1, 0, -min])
        expectRefused(await statusWithTtl(value), ['ttl', min, max, value]);
    }
  });

  test.each([['abc'], ['1e5'], ['20000.5'], [''], ['0x4e20'], ['20000ms'], ['null'], ['%00']])(
    'that is "%s" is a 400, and the job keeps the one it has',
    async (ttl) => {
      const id = await jobs.run({}, { policy: { ttl: 3_600_000 } });
      expectRefused(await engine.http.get(`${jobs.path}/status/${id}?ttl=${ttl}`), ['ttl', ranges.ttl.min]);
      await engine.advance(1_800_000);
      expect((await jobs.status(id)).status).toBe('IN_QUEUE');
    },
  );
});

describe('fields of the envelope', () => {
  test('that nobody knows are kept for the handler, at the top and inside policy and s3Config', async () => {
    const { id } = await makeIdleEndpoint(engine);
    const own = jobsOf(engine, id);
    const envelope = {
      input: { a: 1 },
      timeout: 5,
      webhookV2: 'x',
      nested: { deep: [null, { b: true }] },
      policy: { ttl: 60_000, priority: 'high' },
      s3Config: { accessId: 'a', objectPath: 'folder/' },
    };
    const answer = await engine.http.post(`${own.path}/run`, envelope);
    expect(answer.status).toBe(200);
    expect(await createOutsideWorker(engine, id).take()).toEqual({
      ...envelope,
      id: (answer.json as { id: string }).id,
    });
  });

  test('named id do not give the job an id of their own', async () => {
    const { id } = await makeIdleEndpoint(engine);
    const own = jobsOf(engine, id);
    const job = await own.run({}, { id: 'mine' });
    expect(job).not.toBe('mine');
    expect((await createOutsideWorker(engine, id).take())?.id).toBe(job);
  });

  test('named __proto__ or constructor have no effect on what is checked', async () => {
    const body = `{"input":{},"__proto__":{"policy":{"ttl":1,"executionTimeout":1}},"constructor":{"prototype":{"x":1}}}`;
    const answer = await engine.http.post(`${jobs.path}/run`, body);
    expect(answer.status).toBe(200);
    const { id } = answer.json as { id: string };
    await engine.advance(60_000);
    expect((await jobs.status(id)).status).toBe('IN_QUEUE');
    expectRefused(await engine.http.post(`${jobs.path}/run`, '{"__proto__":{"input":{}}}'), ['input']);
  });

  test.each([['accessId'], ['accessSecret'], ['bucketName'], ['endpointUrl']])(
    's3Config.%s must be text: anything else is a 400 that names it',
    async (field) => {
      for (const value of [5, true, null, ['x'], { x: 1 }]) {
        const body = { input: {}, s3Config: { [field]: value } };
        expectRefused(await engine.http.post(`${jobs.path}/run`, body), ['s3Config', field]);
      }
    },
  );

  test.each([['text'], ['5'], ['null'], ['[]'], ['true']])(
    'policy and s3Config must be objects: %s is a 400 that names the field',
    async (value) => {
      const text = value === 'text' ? '"text"' : value;
      for (const field of ['policy', 's3Config']) {
        expectRefused(await engine.http.post(`${jobs.path}/run`, `{"input":{},"${field}":${text}}`), [field]);
      }
    },
  );

  test.each([['"true"'], ['0'], ['1'], ['null'], ['[]']])(
    'policy.lowPriority must be true or false: %s is a 400',
    async (value) => {
      expectRefused(await engine.http.post(`${jobs.path}/run`, `{"input":{},"policy":{"lowPriority":${value}}}`), [
        'lowPriority',
        'true or false',
      ]);
    },
  );

  test('may be empty: a policy and an s3Config without fields are taken', async () => {
    expect((await engine.http.post(`${jobs.path}/run`, { input: {}, policy: {}, s3Config: {} })).status).toBe(200);
  });
});

test('query parameters that nobody knows are ignored on every operation', async () => {
  const id = await jobs.run({});
  const query = '?_t=1&x[]=2&wait2=abc&%E0%A4%A=1&=&&';
  for (const [method, operation] of [
    ['POST', 'run'],
    ['GET', `status/${id}`],
    ['GET', 'health'],
    ['POST', `cancel/${id}`],
    ['GET', `status-sync/${id}`],
    ['GET', `stream/${id}`],
    ['POST', 'runsync'],
  ] as const) {
    const body = method === 'POST' ? { input: {}, policy: { lowPriority: true } } : undefined;
    const answering = engine.http.send(method, `${jobs.path}/${operation}${query}`, body);
    if (operation === 'runsync') {
      const taken = await takeUntil((job) => job.status === 'IN_PROGRESS');
      await worker.done(taken, { output: 1 });
    }
    expect((await answering).status, operation).toBe(200);
  }
});

/** Takes and finishes jobs until the newest one, which nobody has finished, is in hand. */
async function takeUntil(wanted: (job: { status: string }) => boolean): Promise<string> {
  for (;;) {
    const taken = await worker.take();
    if (!taken) continue;
    const { inQueue } = (await jobs.health()).jobs;
    if (inQueue === 0 && taken.id.startsWith('sync-') && wanted(await jobs.status(taken.id))) return taken.id;
    await worker.done(taken.id, { output: null });
  }
}

test('every method that an operation does not take is a 405 that names those it takes', async () => {
  const id = await jobs.run({});
  const operations: [string, string[]][] = [
    ['run', ['POST']],
    ['runsync', ['POST']],
    [`status/${id}`, ['GET', 'POST']],
    [`status-sync/${id}`, ['GET', 'POST']],
    [`stream/${id}`, ['GET', 'POST']],
    [`cancel/${id}`, ['POST']],
    ['health', ['GET']],
    ['job-take/w', ['GET']],
    ['job-take-batch/w', ['GET']],
    [`job-done/w/${id}`, ['POST']],
    [`job-stream/w/${id}`, ['POST']],
    ['job-stop/w', ['GET']],
    ['ping/w', ['GET']],
  ];
  for (const [operation, taken] of operations) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (taken.includes(method)) continue;
      const answer = await engine.http.send(method, `${jobs.path}/${operation}`);
      expect(answer.status, `${method} ${operation}`).toBe(405);
      expect(answer.headers.allow).toBe(taken.join(', '));
      expect(answer.json).toMatchObject({ status: 405, error: expect.stringContaining(taken.join(' or ')) });
    }
  }
  expect((await jobs.status(id)).status).toBe('IN_QUEUE');
});

describe('a job of low priority', () => {
  test('starts no worker, and is done once there is one for other jobs', async () => {
    const { endpoint } = await makeEndpoint(starting, { 'handler.mjs': 'export default (job) => job.input;\n' });
    const own = jobsOf(starting, endpoint.id);
    const low = await own.run({ n: 1 }, { policy: { lowPriority: true } });
    await starting.advance(60_000);
    expect((await own.health()).workers).toMatchObject({ initializing: 0, idle: 0, running: 0 });
    expect((await own.status(low)).status).toBe('IN_QUEUE');
    const other = await own.run({ n: 2 }, { policy: { lowPriority: false } });
    expect(await own.finished(other)).toMatchObject({ status: 'COMPLETED', output: { n: 2 } });
    expect(await own.finished(low)).toMatchObject({ status: 'COMPLETED', output: { n: 1 } });
  });
});

test('a job waits IN_QUEUE while all workers of the maximum are busy, and while there may be none', async () => {
  const { endpoint } = await makeEndpoint(
    starting,
    { 'handler.mjs': `${UNTIL_ABORTED}\nexport default (job, { signal }) => job.input.quick || untilAborted(signal);` },
    { endpoint: { workersMax: 1 } },
  );
  const own = jobsOf(starting, endpoint.id);
  const first = await own.run({});
  await own.reached(first, 'IN_PROGRESS');
  const second = await own.run({ quick: true });
  await starting.advance(60_000);
  expect((await own.status(second)).status).toBe('IN_QUEUE');
  expect((await own.health()).jobs).toMatchObject({ inProgress: 1, inQueue: 1 });
  await own.cancel(first);
  expect((await own.finished(second)).status).toBe('COMPLETED');

  const idle = jobsOf(starting, (await makeIdleEndpoint(starting)).id);
  const never = await idle.run({});
  await starting.advance(3_600_000);
  expect((await idle.status(never)).status).toBe('IN_QUEUE');
});
