/** WebSockets of load-balancing endpoints: after the handshake, what one side says is what the other one hears. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receivedHeaders, healthAt, makeBalanced, type ReceivedRequest } from '../../support/loadBalancing/endpoint.ts';
import { beginSocket, connectSocket, type Close } from '../../support/loadBalancing/webSocket.ts';
import { startClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
let endpointId: string;
beforeAll(async () => {
  engine = await startEngine();
  endpointId = (await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id;
});
afterAll(() => engine.close());

const closesSeen = async (): Promise<Close[]> => (await engine.http.get(`/lb/${endpointId}/closes`)).json as Close[];

/**
 * The n-th message of a test: of every length from nothing to beyond what one packet takes, and now and then far
 * beyond.
 */
function messageOf(n: number): string | Buffer {
  const length = n % 1000 === 999 ? 100_000 + n : (n * 37) % 3000;
  if (n % 2 === 0) return `${n} grüße `.repeat(Math.ceil(length / 10)).slice(0, length);
  const bytes = Buffer.alloc(length, n % 251);
  if (length >= 4) bytes.writeUInt32BE(n);
  return bytes;
}

describe('a WebSocket', () => {
  test.each([
    ['/lb/{endpoint}/', false],
    ['{endpoint}.localhost', true],
  ])('echoes 10,000 messages through %s, text and binary, in order and byte for byte', async (_way, byHost) => {
    const count = 10_000;
    using one = await connectSocket(engine, endpointId, '/echo', { byHost });
    let back = 0;
    const all = new Promise<void>((resolve, reject) => {
      one.socket.on('message', (data: Buffer, isBinary) => {
        const sent = messageOf(back);
        if (isBinary === (typeof sent === 'string') || !data.equals(Buffer.from(sent as string))) {
          reject(new Error(`Message ${back} came back as ${data.length} other bytes.`));
        }
        if (++back === count) resolve();
      });
      void one.closed.then(({ code }) => {
        reject(new Error(`Closed with ${code} after ${back} messages.`));
      });
    });
    for (let n = 0; n < count; n++) one.socket.send(messageOf(n));
    await all;
    one.socket.close(1000);
    expect((await one.closed).code).toBe(1000);
  });

  test('is asked for at the worker with its path and query, and without the key', async () => {
    using one = await connectSocket(engine, endpointId, '/tell?a=%20b');
    const handshake = JSON.parse((await one.next()).data.toString()) as ReceivedRequest;
    expect(handshake.url).toBe('/tell?a=%20b');
    expect(JSON.stringify(handshake)).not.toContain(engine.key);
    expect(receivedHeaders(handshake)).toMatchObject({
      upgrade: 'websocket',
      'x-forwarded-prefix': `/lb/${endpointId}`,
    });
  });

  test('agrees with its worker on a protocol of its own and on compression', async () => {
    using one = await connectSocket(engine, endpointId, '/echo', {
      protocols: ['first', 'second'],
      perMessageDeflate: { threshold: 0 },
    });
    expect(one.socket.protocol).toBe('second');
    expect(one.socket.extensions).toContain('permessage-deflate');
    const text = 'again and '.repeat(20_000);
    one.socket.send(text);
    expect((await one.next()).data.toString()).toBe(text);
  });

  test('passes pings on and their answers back', async () => {
    using one = await connectSocket(engine, endpointId, '/echo');
    const pong = once(one.socket, 'pong');
    one.socket.ping('are you there');
    expect(String((await pong)[0])).toBe('are you there');
  });

  test('that its worker closes tells the caller the code and the reason', async () => {
    using one = await connectSocket(engine, endpointId, '/close?code=4321&reason=enough%20of%20it');
    expect(await one.closed).toEqual({ code: 4321, reason: 'enough of it' });
  });

  test('that the caller closes tells the worker the code and the reason', async () => {
    using one = await connectSocket(engine, endpointId, '/echo');
    one.socket.close(4001, 'that was all');
    expect(await one.closed).toEqual({ code: 4001, reason: 'that was all' });
    const close = { code: 4001, reason: 'that was all' };
    await until(
      'the worker to hear it',
      () => closesSeen(),
      (closes) => closes.some((closes) => closes.code === close.code),
    );
    expect(await closesSeen()).toContainEqual(close);
  });

  test('that its worker closes while the caller still sends tells the code once the caller reads again', async () => {
    // Its clock stands still: the caller has `closingMs` to end its side, which a slow machine needs for the sending.
    await using own = await startClockedEngine();
    const { id } = await makeBalanced(own, { endpoint: { workersMin: 1 } });
    await own.http.get(`/lb/${id}/x`);
    await own.hold();
    using one = await connectSocket(own, id, '/hasty');
    one.socket.pause();
    // Most of it is still under way when the worker has said its last word.
    await new Promise<void>((resolve, reject) =>
      one.socket.send(Buffer.alloc(24 * 1024 * 1024), (error) => {
        if (error) reject(error);
        else resolve();
      }),
    );
    one.socket.resume();
    expect((await one.closed).code).toBe(4010);
  });

  test('with a message that its worker finds too large is closed with the code for that', async () => {
    using one = await connectSocket(engine, endpointId, '/echo');
    one.socket.send(Buffer.alloc(24 * 1024 * 1024));
    expect((await one.closed).code).toBe(1009);
  });

  test('whose worker dies is not closed as if all had been said: 1006', async () => {
    const { id } = await makeBalanced(engine);
    using one = await connectSocket(engine, id, '/echo');
    const dying = await engine.http.get(`/lb/${id}/die`);
    expect(dying.status).toBe(502);
    expect(await one.closed).toEqual({ code: 1006, reason: '' });
    await until('nothing to be under way', async () => (await healthAt(engine, id)).jobs.inProgress, 0);
  });

  test('whose caller is gone is closed at the worker', async () => {
    const before = (await closesSeen()).length;
    using one = await connectSocket(engine, endpointId, '/echo');
    one.socket.terminate();
    await until(
      'the worker to see it',
      async () => (await closesSeen()).slice(before),
      (closes) => closes.some(({ code }) => code === 1006),
    );
  });

  test('counts as a request of its worker for as long as it is open', async () => {
    // Of those before it one may still be on its way out.
    await until('nothing to be under way', async () => (await healthAt(engine, endpointId)).jobs.inProgress, 0);
    using one = await connectSocket(engine, endpointId, '/echo');
    expect(await healthAt(engine, endpointId)).toMatchObject({ jobs: { inProgress: 1 }, workers: { running: 1 } });
    one.socket.close();
    await one.closed;
    await until('it to be over', async () => (await healthAt(engine, endpointId)).jobs.inProgress, 0);
  });

  test('takes what came together with the request for it', async () => {
    using socket = await openSocket(engine.port);
    const head = [
      `GET /lb/${endpointId}/echo HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${engine.key}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    // A text of two letters, masked with zeros.
    const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
    socket.send(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), frame]));
    // Its echo, unmasked.
    expect(await socket.heard(/\r\n\r\n\x81\x02hi$/)).toMatch(/^HTTP\/1\.1 101 /);
  });

  test('that nobody reads waits at the worker', async () => {
    const bytes = 200 * 1024 * 1024;
    const socket = beginSocket(engine, endpointId, `/flood?bytes=${bytes}`);
    await once(socket, 'upgrade');
    socket.pause();
    // The engine closes the connection to a reader that takes nothing for `unreadMs`: no more is asked than has to be.
    const bufferedNow = async (): Promise<number> =>
      (await engine.http.get(`/lb/${endpointId}/buffered`)).json as number;
    let buffered = NaN;
    await until('what waits to stay the same', bufferedNow, (now) => {
      const before = buffered;
      buffered = now;
      return now === before;
    });
    expect(buffered).toBeGreaterThan(bytes - 50 * 1024 * 1024);
    let read = 0;
    const all = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => {
        read += data.length;
        if (read === bytes) resolve();
      }),
    );
    socket.resume();
    await all;
    socket.terminate();
  });
});
