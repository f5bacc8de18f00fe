/** Load-balancing endpoints: how they are reached, and what passes between a caller and a worker. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { endpointSchema } from '#contract/api/resources.ts';
import {
  receivedHeaders,
  healthAt,
  makeBalanced,
  openAnswer,
  requestOf,
} from '../../support/loadBalancing/endpoint.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: TestEngine;
let endpointId: string;
let path: string;
beforeAll(async () => {
  engine = await startEngine();
  endpointId = (await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id;
  path = `/lb/${endpointId}`;
});
afterAll(() => engine.close());

describe('an endpoint of type LB', () => {
  test('is reached at /lb/{endpoint}/ with whatever path and query its worker knows', async () => {
    const answer = await engine.http.send('PUT', `${path}/a%20b/../c?q=%20&r`, 'body', {
      headers: { 'x-own': 'yes', 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(200);
    const { method, url, bytes } = requestOf(answer);
    // Whoever builds the address resolves its dots.
    expect({ method, url, bytes }).toEqual({ method: 'PUT', url: '/c?q=%20&r', bytes: 4 });
    expect(receivedHeaders(requestOf(answer))).toMatchObject({ 'x-own': 'yes', 'content-type': 'text/plain' });
  });

  test('is reached at {endpoint}.localhost with every path, also those that the engine has itself', async () => {
    const headers = { host: `${endpointId}.localhost:${engine.port}` };
    for (const own of ['/', '/v2/x/run', '/health', '/lb/x/y']) {
      expect(requestOf(await engine.http.get(own, { headers })).url).toBe(own);
    }
  });

  test.each(['/lb/', 'host'])('needs a key, as a bearer or bare, good for jobs (%s)', async (how) => {
    const { key: reading } = (await engine.http.post('/local/v1/api-keys', { name: 'r', scope: 'read' })).json as {
      key: string;
    };
    const send = (authorization: string | null) =>
      how === '/lb/'
        ? engine.http.get(path, { authorization })
        : engine.http.get('/', { authorization, headers: { host: `${endpointId}.localhost` } });
    expect((await send(null)).status).toBe(401);
    expect((await send('wrong')).status).toBe(401);
    expect((await send(reading)).status).toBe(403);
    expect((await send(engine.key)).status).toBe(200);
    expect((await send(`Bearer ${engine.key}`)).status).toBe(200);
  });

  test('does not show the key to its worker, nor headers of one connection; it tells who asked for what', async () => {
    const headers = { connection: 'close, x-hop', 'x-hop': '1', 'x-forwarded-for': '10.0.0.9', te: 'trailers' };
    const worker = receivedHeaders(requestOf(await engine.http.get(`${path}/x`, { headers })));
    expect(JSON.stringify(worker)).not.toContain(engine.key);
    expect(worker['authorization']).toBeUndefined();
    expect(worker['x-hop']).toBeUndefined();
    expect(worker).toMatchObject({
      'x-forwarded-for': '10.0.0.9, 127.0.0.1',
      'x-forwarded-host': `127.0.0.1:${engine.port}`,
      'x-forwarded-prefix': path,
      'x-forwarded-proto': 'http',
      te: 'trailers',
    });
  });

  test('passes back the status, its words, and the headers as the worker sent them', async () => {
    const answer = await openAnswer(engine, `${path}/refuse`);
    expect(answer.statusCode).toBe(422);
    expect(answer.statusMessage).toBe('Not Like This');
    expect(answer.headersDistinct['x-own']).toEqual(['a', 'b']);
    expect(answer.headers['x-hop']).toBeUndefined();
    answer.resume();
    await once(answer, 'end');
  });

  test('passes trailers on, both ways', async () => {
    using socket = await openSocket(engine.port);
    const head = `POST ${path}/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\nConnection: close\r\n`;
    socket.send(`${head}Transfer-Encoding: chunked\r\nTrailer: x-end\r\n\r\n3\r\nabc\r\n0\r\nx-end: 7\r\n\r\n`);
    expect(await socket.closed()).toContain('"trailers":{"x-end":"7"},"bytes":3');
    const answer = await openAnswer(engine, `${path}/trailers`);
    answer.resume();
    await once(answer, 'end');
    expect(answer.trailers).toEqual({ 'x-sum': '42' });
  });

  test('asks a caller that waits for 100 Continue to go on, or refuses it before the body', async () => {
    using socket = await openSocket(engine.port);
    const head = `POST ${path}/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\nExpect: 100-continue\r\n`;
    socket.send(`${head}Content-Length: 3\r\n\r\n`);
    await socket.heard(/^HTTP\/1.1 100 /);
    socket.send('abc');
    await socket.heard(/"bytes":3/);
    using other = await openSocket(engine.port);
    other.send(`${head}Content-Length: ${limits.balancing.bodyBytes + 1}\r\n\r\n`);
    expect(await other.heard(/413/)).not.toContain('100 Continue');
  });

  test('passes HEAD on, without a body', async () => {
    const answer = await engine.http.send('HEAD', `${path}/bytes?bytes=1000&declared=true`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-length']).toBe('1000');
    expect(answer.text).toBe('');
  });

  test('passes a stream of events on as they come', async () => {
    const events = await openAnswer(engine, `${path}/events`);
    expect(events.headers['content-type']).toBe('text/event-stream');
    const read = events.setEncoding('utf8')[Symbol.asyncIterator]();
    for (const text of ['first', 'second']) {
      await engine.http.get(`${path}/event?text=${text}`);
      expect((await read.next()).value).toBe(`data: ${text}\n\n`);
    }
    events.destroy();
  });

  test('has no queue: every operation for jobs is a 400 that says so, and health counts its workers', async () => {
    const operations = ['run', 'runsync', 'cancel/x', 'retry/x', 'purge-queue', 'stream/x', 'status/x'];
    for (const operation of operations) {
      const answer = await engine.http.post(`/v2/${endpointId}/${operation}`, { input: {} });
      expect(answer.status, operation).toBe(400);
      expect(messageOf(answer)).toContain(`/lb/${endpointId}/`);
    }
    await engine.http.get(path);
    expect((await healthAt(engine, endpointId)).workers).toMatchObject({ initializing: 0, ready: 1, unhealthy: 0 });
  });

  test('scales by REQUEST_COUNT only', async () => {
    const made = await makeBalanced(engine, { endpoint: { workersMax: 0 } });
    expect(made.scalerType).toBe('REQUEST_COUNT');
    const answer = await engine.http.send('PATCH', `/v1/endpoints/${made.id}`, { scalerType: 'QUEUE_DELAY' });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain('REQUEST_COUNT');
  });

  test('keeps its type: another one is a 400 that says so', async () => {
    const answer = await engine.http.send('PATCH', `/v1/endpoints/${endpointId}`, { type: 'QB' });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain('type');
    const same = await engine.http.send('PATCH', `/v1/endpoints/${endpointId}`, { type: 'LB' });
    expect(endpointSchema.parse(accepted(same)).type).toBe('LB');
  });
});

test('an endpoint with a queue balances no load, and says so', async () => {
  const { id } = await makeIdleEndpoint(engine);
  for (const answer of [
    await engine.http.get(`/lb/${id}/x`),
    await engine.http.get('/x', { headers: { host: `${id}.localhost` } }),
  ]) {
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain(`/v2/${id}/run`);
  }
  expect((await engine.http.get('/lb/nobody/x')).status).toBe(404);
});
