/** How WebSockets to load-balancing endpoints begin, and how they end with their engine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { healthAt, makeBalanced, readyWorkers, type ReceivedRequest } from '../../support/loadBalancing/endpoint.ts';
import { connectSocket, refusedSocket, type Connected } from '../../support/loadBalancing/webSocket.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { until } from '../../support/core/until.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: TestEngine;
let endpointId: string;
beforeAll(async () => {
  engine = await startEngine();
  endpointId = (await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id;
});
afterAll(() => engine.close());

describe('the handshake of a WebSocket', () => {
  test('needs a key that is good for jobs, and its worker hears nothing of it without', async () => {
    const { key: reading } = (await engine.http.post('/local/v1/api-keys', { name: 'r', scope: 'read' })).json as {
      key: string;
    };
    for (const byHost of [false, true]) {
      expect(
        (await refusedSocket(engine, endpointId, '/echo', { byHost, headers: { authorization: '' } })).status,
      ).toBe(401);
      expect(
        (await refusedSocket(engine, endpointId, '/echo', { byHost, headers: { authorization: 'Bearer wrong' } }))
          .status,
      ).toBe(401);
      expect(
        (await refusedSocket(engine, endpointId, '/echo', { byHost, headers: { authorization: reading } })).status,
      ).toBe(403);
    }
  });

  test.each([
    ['a length', ['Content-Length: 5'], 'hello'],
    ['chunks', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ])('has no body: one with %s is refused, and its connection ends', async (_what, headers, body) => {
    using one = await openSocket(engine.port);
    one.send(
      [
        `GET /lb/${endpointId}/echo HTTP/1.1`,
        'Host: 127.0.0.1',
        `Authorization: ${engine.key}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
        '',
        body,
      ].join('\r\n'),
    );
    expect(await one.closed()).toMatch(/^HTTP\/1\.1 400 [^]*A request that asks to change protocols has no body/);
  });

  test('that the worker answers with another protocol is a 502, and nothing more of it is passed on', async () => {
    const { status, text } = await refusedSocket(engine, endpointId, '/other-protocol');
    expect(status).toBe(502);
    expect(text).toContain('changed to a protocol that it was not asked for');
  });

  test('that no worker answers ends once its caller has ended its side', async () => {
    using one = await openSocket(engine.port);
    one.send(
      `GET /lb/${endpointId}/never HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${engine.key}\r\nConnection: Upgrade\r\n` +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\nearly',
    );
    one.socket.end();
    expect(await one.closed()).toBe('');
  });

  test('that the worker refuses is refused with its words', async () => {
    expect(await refusedSocket(engine, endpointId, '/no-socket')).toEqual({ status: 403, text: 'no' });
  });

  test('that is refused uses its connection to the worker for nothing else', async () => {
    expect(await refusedSocket(engine, endpointId, '/open-refusal')).toEqual({ status: 403, text: 'no' });
    await until(
      'the connection to be closed',
      async () => (await engine.http.get(`/lb/${endpointId}/refused-is-closed`)).json === true,
    );
  });

  test('waits for a worker where there is none yet', async () => {
    const { id } = await makeBalanced(engine);
    expect((await healthAt(engine, id)).workers.ready).toBe(0);
    using one = await connectSocket(engine, id, '/echo');
    one.socket.send('hello');
    expect((await one.next()).data.toString()).toBe('hello');
  });

  test('tells the id of its worker, and goes to the one that it names', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMin: 2, workersMax: 2 } });
    await readyWorkers(engine, id, 2);
    const sockets: Connected[] = [];
    const open = async (wish?: string): Promise<string> => {
      const one = await connectSocket(engine, id, '/tell', {
        ...(wish ? { headers: { 'x-runpod-worker-id': wish } } : {}),
      });
      sockets.push(one);
      const { workerId } = JSON.parse((await one.next()).data.toString()) as ReceivedRequest;
      expect(one.handshake.headers['x-runpod-worker-id']).toBe(workerId);
      return workerId;
    };
    const first = await open();
    expect(await open()).not.toBe(first);
    for (const wish of [first, `strict ${first}`, `strict-resume ${first}`]) expect(await open(wish)).toBe(first);
    const gone = await refusedSocket(engine, id, '/tell', { headers: { 'x-runpod-worker-id': 'strict w-gone' } });
    expect(gone.status).toBe(404);
    expect(gone.text).toContain('affinity_worker_gone');
    for (const { socket } of sockets) socket.terminate();
  });
});

test('an engine that stops closes the WebSockets that are open', async () => {
  await using other = await startEngine();
  const { id } = await makeBalanced(other);
  using one = await connectSocket(other, id, '/echo');
  expect(await other.stop()).toBe(0);
  expect((await one.closed).code).toBe(1006);
});

test('who offers a WebSocket where there is none is answered as any other, and is gone once it hangs up', async () => {
  const { id } = await makeIdleEndpoint(engine);
  const asking = (path: string): string =>
    `GET /v2/${id}/${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${engine.key}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;
  using upgrading = await openSocket(engine.port);
  upgrading.send(asking('health'));
  expect(await upgrading.closed()).toMatch(/^HTTP\/1\.1 200 /);
  using waiting = await openSocket(engine.port);
  waiting.send(asking('job-take/w1'));
  waiting.socket.end();
  expect(await waiting.closed()).toBe('');
});
