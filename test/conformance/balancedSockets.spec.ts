/** WebSockets of load-balancing endpoints: after the handshake, what one side says is what the other one hears. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { headersSeen, healthAt, makeBalanced, readyWorkers, type Seen } from '../support/balanced.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { openSocket } from '../support/rawSocket.ts';
import { until } from '../support/until.ts';

let engine: TestEngine;
let endpointId: string;
beforeAll(async () => {
  engine = await startEngine();
  endpointId = (await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id;
});
afterAll(() => engine.close());

interface Close {
  code: number;
  reason: string;
}

interface Connected extends Disposable {
  readonly socket: WebSocket;
  readonly handshake: IncomingMessage;
  readonly closed: Promise<Close>;
  /** What has come and was not read yet, in order. */
  next(): Promise<{ data: Buffer; isBinary: boolean }>;
}

interface How extends ClientOptions {
  id?: string;
  /** Through {endpoint}.localhost instead of /lb/{endpoint}. */
  byHost?: boolean;
  protocols?: string[];
}

function begin(path: string, { id = endpointId, byHost = false, protocols = [], headers, ...options }: How = {}) {
  const address = `ws://127.0.0.1:${engine.port}${byHost ? '' : `/lb/${id}`}${path}`;
  return new WebSocket(address, protocols, {
    perMessageDeflate: false,
    ...options,
    headers: {
      authorization: `Bearer ${engine.key}`,
      ...(byHost ? { host: `${id}.localhost:${engine.port}` } : {}),
      ...headers,
    },
  });
}

async function connect(path: string, how: How = {}): Promise<Connected> {
  const socket = begin(path, how);
  const heard: { data: Buffer; isBinary: boolean }[] = [];
  let look = (): void => undefined;
  socket.on('message', (data, isBinary) => {
    heard.push({ data: data as Buffer, isBinary });
    look();
  });
  const closed = new Promise<Close>((resolve) =>
    socket.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
    }),
  );
  const handshaking = once(socket, 'upgrade') as Promise<[IncomingMessage]>;
  await once(socket, 'open');
  // A connection that breaks is told by how it was closed.
  socket.on('error', () => undefined);
  return {
    ...{ socket, closed, handshake: (await handshaking)[0] },
    async next() {
      if (heard.length === 0) await new Promise<void>((resolve) => (look = resolve));
      return heard.shift()!;
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** What the worker answers instead of a change of protocols. */
async function refused(path: string, how: How = {}): Promise<{ status: number; text: string }> {
  const socket = begin(path, how);
  socket.on('error', () => undefined);
  const [request, answer] = (await once(socket, 'unexpected-response')) as [{ destroy(): void }, IncomingMessage];
  const text = Buffer.concat(await answer.toArray()).toString();
  request.destroy();
  return { status: answer.statusCode ?? 0, text };
}

const closesSeen = async (): Promise<Close[]> => (await engine.http.get(`/lb/${endpointId}/closes`)).json as Close[];

/** The n-th message of a test: of every length from nothing to beyond what one packet takes, and now and then far beyond. */
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
    using one = await connect('/echo', { byHost });
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
    using one = await connect('/tell?a=%20b');
    const told = JSON.parse((await one.next()).data.toString()) as Seen;
    expect(told.url).toBe('/tell?a=%20b');
    expect(JSON.stringify(told)).not.toContain(engine.key);
    expect(headersSeen(told)).toMatchObject({ upgrade: 'websocket', 'x-forwarded-prefix': `/lb/${endpointId}` });
  });

  test('agrees with its worker on a protocol of its own and on compression', async () => {
    using one = await connect('/echo', { protocols: ['first', 'second'], perMessageDeflate: { threshold: 0 } });
    expect(one.socket.protocol).toBe('second');
    expect(one.socket.extensions).toContain('permessage-deflate');
    const text = 'again and '.repeat(20_000);
    one.socket.send(text);
    expect((await one.next()).data.toString()).toBe(text);
  });

  test('passes pings on and their answers back', async () => {
    using one = await connect('/echo');
    const pong = once(one.socket, 'pong');
    one.socket.ping('are you there');
    expect(String((await pong)[0])).toBe('are you there');
  });

  test('that its worker closes tells the caller the code and the reason', async () => {
    using one = await connect('/close?code=4321&reason=enough%20of%20it');
    expect(await one.closed).toEqual({ code: 4321, reason: 'enough of it' });
  });

  test('that the caller closes tells the worker the code and the reason', async () => {
    using one = await connect('/echo');
    one.socket.close(4001, 'that was all');
    expect(await one.closed).toEqual({ code: 4001, reason: 'that was all' });
    const close = { code: 4001, reason: 'that was all' };
    await until('the worker to hear it', async () => (await closesSeen()).some((seen) => seen.code === close.code));
    expect(await closesSeen()).toContainEqual(close);
  });

  test('that its worker closes while the caller still sends tells the code once the caller reads again', async () => {
    using one = await connect('/hasty');
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
    using one = await connect('/echo');
    one.socket.send(Buffer.alloc(24 * 1024 * 1024));
    expect((await one.closed).code).toBe(1009);
  });

  test('whose worker dies is not closed as if all had been said: 1006', async () => {
    const { id } = await makeBalanced(engine);
    using one = await connect('/echo', { id });
    const dying = await engine.http.get(`/lb/${id}/die`);
    expect(dying.status).toBe(502);
    expect(await one.closed).toEqual({ code: 1006, reason: '' });
    await until('nothing to be under way', async () => (await healthAt(engine, id)).jobs.inProgress === 0);
  });

  test('whose caller is gone is closed at the worker', async () => {
    const before = (await closesSeen()).length;
    using one = await connect('/echo');
    one.socket.terminate();
    await until('the worker to see it', async () => (await closesSeen()).length > before);
    expect((await closesSeen()).at(-1)?.code).toBe(1006);
  });

  test('counts as a request of its worker for as long as it is open', async () => {
    using one = await connect('/echo');
    expect(await healthAt(engine, endpointId)).toMatchObject({ jobs: { inProgress: 1 }, workers: { running: 1 } });
    one.socket.close();
    await one.closed;
    await until('it to be over', async () => (await healthAt(engine, endpointId)).jobs.inProgress === 0);
  });

  test('takes what came together with the request for it', async () => {
    using socket = await openSocket(engine.port);
    const head = [
      `GET /lb/${endpointId}/echo HTTP/1.1`,
      ...['Host: localhost', `Authorization: ${engine.key}`, 'Connection: Upgrade', 'Upgrade: websocket'],
      ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='],
    ];
    // A text of two letters, masked with zeros.
    const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]);
    socket.send(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), frame]));
    // Its echo, unmasked.
    expect(await socket.heard(/\r\n\r\n\x81\x02hi$/)).toMatch(/^HTTP\/1\.1 101 /);
  });

  test('that nobody reads waits at the worker, not in memory', async ({ skip }) => {
    if (process.platform !== 'linux') skip('memory is measured on Linux only');
    const rss = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8'))?.[1]) * 1024;
    const before = rss();
    const bytes = 200 * 1024 * 1024;
    const socket = begin(`/flood?bytes=${bytes}`);
    await once(socket, 'upgrade');
    socket.pause();
    for (let n = 0; n < 20; n++) await engine.http.get(`/lb/${endpointId}/x`);
    expect(rss() - before).toBeLessThan(50 * 1024 * 1024);
    let read = 0;
    const all = new Promise<void>((resolve) =>
      socket.on('message', (data: Buffer) => {
        read += data.length;
        if (read === bytes) resolve();
      }),
    );
    socket.resume();
    await all;
    expect(rss() - before).toBeLessThan(100 * 1024 * 1024);
    socket.terminate();
  });
});

describe('the handshake of a WebSocket', () => {
  test('needs a key that is good for jobs, and its worker hears nothing of it without', async () => {
    const { key: reading } = (await engine.http.post('/local/v1/api-keys', { name: 'r', scope: 'read' })).json as {
      key: string;
    };
    for (const byHost of [false, true]) {
      expect((await refused('/echo', { byHost, headers: { authorization: '' } })).status).toBe(401);
      expect((await refused('/echo', { byHost, headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
      expect((await refused('/echo', { byHost, headers: { authorization: reading } })).status).toBe(403);
    }
  });

  test('that the worker refuses is refused with its words', async () => {
    expect(await refused('/no-socket')).toEqual({ status: 403, text: 'no' });
  });

  test('waits for a worker where there is none yet', async () => {
    const { id } = await makeBalanced(engine);
    expect((await healthAt(engine, id)).workers.ready).toBe(0);
    using one = await connect('/echo', { id });
    one.socket.send('hello');
    expect((await one.next()).data.toString()).toBe('hello');
  });

  test('tells the id of its worker, and goes to the one that it names', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMin: 2, workersMax: 2 } });
    await readyWorkers(engine, id, 2);
    const sockets: Connected[] = [];
    const open = async (wish?: string): Promise<string> => {
      const one = await connect('/tell', { id, ...(wish ? { headers: { 'x-runpod-worker-id': wish } } : {}) });
      sockets.push(one);
      const { workerId } = JSON.parse((await one.next()).data.toString()) as Seen;
      expect(one.handshake.headers['x-runpod-worker-id']).toBe(workerId);
      return workerId;
    };
    const first = await open();
    expect(await open()).not.toBe(first);
    for (const wish of [first, `strict ${first}`, `strict-resume ${first}`]) expect(await open(wish)).toBe(first);
    const gone = await refused('/tell', { id, headers: { 'x-runpod-worker-id': 'strict w-gone' } });
    expect(gone.status).toBe(404);
    expect(gone.text).toContain('affinity_worker_gone');
    for (const { socket } of sockets) socket.terminate();
  });
});

test('an engine that stops closes the WebSockets that are open', async () => {
  await using other = await startEngine();
  const { id } = await makeBalanced(other);
  const socket = new WebSocket(`ws://127.0.0.1:${other.port}/lb/${id}/echo`, {
    headers: { authorization: other.key },
  });
  await once(socket, 'open');
  const closed = once(socket, 'close') as Promise<[number]>;
  expect(await other.stop()).toBe(0);
  expect((await closed)[0]).toBe(1006);
});
