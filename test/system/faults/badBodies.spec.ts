/**
 * Bodies that are too large, too deep or no JSON at all; connections that are ended half-way; thousands that ask for
 * nothing.
 */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { storedFiles } from '../../support/jobs/largeBodies.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { cutAll, HEALTH_REQUEST, openMany } from '../../support/http/manyConnections.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { startWorkedEndpoint } from '../../support/workers/workedEndpoint.ts';

let engine: TestEngine;
let jobs: Jobs;
let worker: OutsideWorker;
beforeAll(async () => {
  ({ engine, jobs, worker } = await startWorkedEndpoint());
});
afterAll(() => engine.close());

const head = (method: string, path: string, ...more: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', `authorization: ${engine.key}`, ...more, '', ''].join('\r\n');

/** Settles when more can be written, or the connection is gone. */
const writable = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });

const served = async (): Promise<void> => {
  expect((await engine.http.get(`${jobs.path}/health`)).status).toBe(200);
};

describe('fault 22: a body without end', () => {
  test('is refused early, is not kept, and leaves no file behind', async () => {
    const part = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        using raw = await openSocket(engine.port);
        raw.send(
          head('POST', `${jobs.path}/run`, 'transfer-encoding: chunked') + '1a\r\n{"input":{"a":"aaaaaaaaaaa\r\n',
        );
        let sentBytes = 0;
        while (sentBytes < limits.runBodyBytes * 10 && raw.received === '' && !raw.socket.destroyed) {
          sentBytes += part.length;
          if (!raw.socket.write(part)) await writable(raw.socket);
        }
        // What the engine was sent bounds what it can hold; the rest is in the buffers of the connection.
        expect(sentBytes).toBeLessThan(limits.runBodyBytes * 4);
        expect(await raw.heard(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 413 /);
      }),
    );
    expect(await storedFiles(engine.dataDir)).toEqual([]);
    await served();
  });

  test('that announces itself as too large is refused before it is sent', async () => {
    using raw = await openSocket(engine.port);
    raw.send(head('POST', `${jobs.path}/run`, 'content-length: 3000000000', 'expect: 100-continue'));
    expect(await raw.heard(/413[^]*\r\n\r\n/)).toContain('3000000000 were announced');
  });

  test('that is packed is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, '['));
    const answer = await engine.http.post(`${jobs.path}/run`, bomb, { headers: { 'content-encoding': 'gzip' } });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('Content-Encoding gzip is not accepted');
  });

  test('is not taken for the next request of its connection, which is served', async () => {
    using raw = await openSocket(engine.port);
    const inner = head('DELETE', `/v1/endpoints/${jobs.path.split('/')[2]}`);
    raw.send(head('POST', `${jobs.path}/nothing`, `content-length: ${inner.length}`) + inner);
    raw.send(head('GET', '/health', 'connection: close'));
    const answers = await raw.closed();
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200']);
    await served();
  });
});

describe('fault 23:', () => {
  const tooDeep = 100_000;
  test.each<[string, string | Uint8Array]>([
    ['100,000 open brackets', `{"input":{"a":${'['.repeat(tooDeep)}`],
    ['100,000 open objects', '{"input":'.repeat(tooDeep)],
    ['a million open brackets and nothing else', '['.repeat(1_000_000)],
    ['a NUL between the fields', '{"input":{}\u0000}'],
    ['a NUL inside a text', '{"input":{"a":"x\u0000y"}}'],
    ['a byte order mark', '\ufeff{"input":{}}'],
    ['UTF-16', Buffer.from('{"input":{}}', 'utf16le')],
    ['bytes that are no UTF-8', Buffer.from('7b22696e707574223a7b2261223a22ffc0af227d7d', 'hex')],
    ['half a surrogate pair as bytes', Buffer.from('7b22696e707574223a7b2261223a22eda080227d7d', 'hex')],
    ['single quotes', "{'input':{}}"],
    ['a comment', '{"input":{}/**/}'],
    ['a comma too many', '{"input":{},}'],
    ['NaN', '{"input":{"n":NaN}}'],
    ['a name without quotes', '{input:{}}'],
    ['two bodies', '{"input":{}}{"input":{}}'],
    ['input given twice, the last time as text', '{"input":{},"input":"x"}'],
    ['input as a list', '{"input":[]}'],
    ['input behind __proto__', '{"__proto__":{"input":{}}}'],
  ])('%s is a 400 in the shape of errors, and nothing of the inside is told', async (_, body) => {
    const answer = await engine.http.post(`${jobs.path}/run`, body);
    expect(answer.status, answer.text.slice(0, 300)).toBe(400);
    expect(answer.json).toEqual({ error: expect.any(String), message: expect.any(String), status: 400 });
    expect(answer.text).not.toMatch(/\bat .*:\d+:\d+|node:|SQLITE|Zod|stack/i);
    expect(answer.text.length).toBeLessThan(1000);
    await served();
  });

  test.each<[string, string]>([
    ['nested 100,000 deep', `{"a":${'['.repeat(tooDeep)}${']'.repeat(tooDeep)}}`],
    ['with numbers beyond all numbers', '{"a":1e999,"b":-1E-999,"c":123456789012345678901234567890.1234567890e+1}'],
    ['with half a surrogate pair as an escape', '{"a":"\\ud83d","b":"\\udc00x","\\ud800":1}'],
    ['with an escaped NUL, also in a name', '{"a\\u0000b":"\\u0000"}'],
    ['with __proto__, constructor and the same name twice', '{"__proto__":null,"constructor":1,"a":1,"a":{"a":2}}'],
    ['with an empty name and names that look like numbers', '{"":0,"1":1,"0":0,"-0":2}'],
    ['with white space of every kind', '{\t"a"\r\n:\n[ 1 ,\t2 ]\r}'],
  ])('an input %s is taken, and comes back byte for byte from a worker that returns it', async (_, text) => {
    const answer = await engine.http.post(`${jobs.path}/run`, `{"input":${text}}`);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    const { id } = answer.json as { id: string };
    expect((await worker.takeAnswer()).text).toContain(`"input":${text}`);
    expect((await worker.done(id, `{"output":${text}}`)).status).toBe(200);
    expect((await engine.http.get(`${jobs.path}/status/${id}`)).text).toContain(`"output":${text}`);
  });
});

test('fault 24: a policy that is out of range is never stored, and no timer runs over', async () => {
  for (const policy of [
    { ttl: 2 ** 31 },
    { ttl: 2 ** 53 },
    { ttl: -1 },
    { executionTimeout: 2 ** 31 },
    { executionTimeout: 1e300 },
    { executionTimeout: 0 },
  ]) {
    expect((await engine.http.post(`${jobs.path}/run`, { input: {}, policy })).status).toBe(400);
  }
  const most = { ttl: limits.ttlMs.max, executionTimeout: limits.executionTimeoutMs.max };
  const id = await jobs.run({}, { policy: most });
  await worker.take();
  await served();
  expect((await jobs.status(id)).status).toBe('IN_PROGRESS');
  await jobs.cancel(id);
});

describe('fault 21: a client that ends its own side', () => {
  test('while it waits is let go: its connection is closed and its job goes on', async () => {
    const id = await jobs.run({});
    await worker.take();
    using raw = await openSocket(engine.port);
    raw.send(head('GET', `${jobs.path}/status-sync/${id}`));
    await served();
    raw.socket.end();
    await raw.closed();
    await worker.done(id, { output: 'kept' });
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'kept' });
  });

  test('before its body is complete leaves no job', async () => {
    const before = await jobs.health();
    for (const [more, part] of [
      ['content-length: 100', '{"input":{}}'],
      ['transfer-encoding: chunked', 'c\r\n{"input":{}}\r\n'],
    ] as const) {
      using raw = await openSocket(engine.port);
      raw.send(head('POST', `${jobs.path}/run`, more) + part);
      raw.socket.end();
      await raw.closed();
    }
    expect(await jobs.health()).toEqual(before);
  });

  test('as a parked worker gets no job, and its place is free', async () => {
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const own = jobsOf(engine, endpointId);
    using raw = await openSocket(engine.port);
    raw.send(head('GET', `${own.path}/job-take/gone?gpu=none`));
    await until('the worker to be known', async () => (await own.health()).workers.idle, 1);
    raw.socket.end();
    await raw.closed();
    const id = await own.run({});
    expect((await createOutsideWorker(engine, endpointId).take())?.id).toBe(id);
  });
});

describe('fault 21: thousands of connections', () => {
  const MANY = 10_000;

  test.each([
    ['that never ask', false],
    ['that asked once and say no more', true],
  ])('%s do not keep others from being served', async (_, asking) => {
    const sockets = await openMany(engine.port, MANY, asking ? HEALTH_REQUEST : '');
    try {
      for (let n = 0; n < 100; n++) expect((await engine.http.get(`${jobs.path}/health`)).status).toBe(200);
      const id = await jobs.run({});
      await jobs.cancel(id);
      // Those that are too many were let go.
      await until(
        'no more connections than the limit',
        () => sockets.filter(({ closed }) => !closed),
        ({ length }) => length <= limits.connection.most,
      );
    } finally {
      await cutAll(sockets);
    }
  });
});
