/**
 * What a caller hears of a worker that ends while it has the request: real connections, and the end told at the worst
 * moment.
 */
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, silentLogger, type FakeClock } from '../../../../test/support/core/fakes.ts';
import { until } from '../../../../test/support/core/until.ts';
import { openSocket, type RawSocket } from '../../../../test/support/http/rawSocket.ts';
import { limits } from '#contract/core/limits.ts';
import type { Lease } from '../../domain/loadBalancing/member.ts';
import { passRequest } from './request.ts';

let clock: FakeClock;
let agent: Agent;
let servers: Server[];
beforeEach(() => {
  clock = createFakeClock();
  agent = new Agent({ keepAlive: true });
  servers = [];
});
afterEach(async () => {
  agent.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(serve);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Passed {
  status: number;
  text: string;
}

type Answering = (request: IncomingMessage, response: ServerResponse, lease: Lease) => void;

/** Where the engine's part listens, with a worker behind it that does this with each request. */
async function startPassing(worker: Answering): Promise<{ port: number; released: boolean[] }> {
  const released: boolean[] = [];
  const lease: { -readonly [Name in keyof Lease]: Lease[Name] } = {
    workerId: 'w',
    host: '127.0.0.1',
    port: 0,
    onLost: null,
    release: (answered) => released.push(answered),
    unreachable: () => undefined,
  };
  lease.port = await listen((request, response) => worker(request, response, lease));
  const port = await listen((request, response) => {
    const to = { who: 'Worker w', advice: '', workerId: 'w', limited: true };
    passRequest(
      { request, response, lease, path: '/', prefix: '', ...to },
      { clock, logger: silentLogger, agents: { keepAlive: agent, single: agent } },
    );
  });
  return { port, released };
}

/** One request through the engine's part, to a worker that does this with it; `lease` is its own. */
async function pass(worker: (response: ServerResponse, lease: Lease) => void): Promise<Passed> {
  const { port, released } = await startPassing((_request, response, lease) => worker(response, lease));
  const outgoing = get({ port, host: '127.0.0.1', agent: false });
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await answer.toArray()).toString();
  expect(released).toHaveLength(1);
  return { status: answer.statusCode ?? 0, text };
}

test('a worker that answers and ends has answered, also where its end is heard of first', async () => {
  const { status, text } = await pass((response, lease) => {
    lease.onLost?.('exit code 0');
    response.end('my last words');
  });
  expect({ status, text }).toEqual({ status: 200, text: 'my last words' });
  expect(clock.pending()).toBe(0);
});

test('an answer that has begun is passed on to its end, whatever is heard of its worker', async () => {
  const { text } = await pass((response, lease) => {
    response.write('begun, ', () => {
      lease.onLost?.('exit code 0');
      response.end('and done');
    });
  });
  expect(text).toBe('begun, and done');
});

test.each<[string, (response: ServerResponse, lease: Lease) => void]>([
  [
    'then breaks off',
    (response, lease) => {
      lease.onLost?.('exit code 7');
      response.destroy();
    },
  ],
  [
    'after breaking off',
    (response, lease) => {
      response.destroy();
      response.once('close', () => setImmediate(() => lease.onLost?.('exit code 7')));
    },
  ],
  [
    'and whose connection stays',
    (_response, lease) => {
      lease.onLost?.('exit code 7');
      clock.advance(limits.balancing.lastWordsMs);
    },
  ],
])('a worker that ends without an answer, %s, is a 502 with the reason', async (_how, worker) => {
  const { status, text } = await pass(worker);
  expect(status).toBe(502);
  expect(text).toContain('exit code 7');
  expect(clock.pending()).toBe(0);
});

const BODY = 'GET /another HTTP/1.1\r\nHost: worker\r\n\r\n';
test.each([
  ['of a length', [`Content-Length: ${BODY.length}`], BODY],
  ['of a length that Connection names', [`Content-Length: ${BODY.length}`, 'Connection: Content-Length'], BODY],
  ['in chunks', ['Transfer-Encoding: chunked'], `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`],
])('the body of a GET, %s, reaches its worker as a body and not as another request', async (_what, headers, body) => {
  const { port } = await startPassing((request, response) => {
    void request.toArray().then((parts) => response.end(JSON.stringify(Buffer.concat(parts).toString())));
  });
  using socket = await openSocket(port);
  socket.send(['GET / HTTP/1.1', 'Host: engine', ...headers, '', body].join('\r\n'));
  const answerText = await socket.heard(/"$/);
  expect(answerText).toContain(JSON.stringify(BODY));
});

/** The connection of the caller, and the ends of those that the worker has had. */
async function connectThrough(worker: Answering): Promise<{ socket: RawSocket; ended: () => number }> {
  let ended = 0;
  const { port } = await startPassing((request, response, lease) => {
    request.socket.once('close', () => ended++);
    worker(request, response, lease);
  });
  return { socket: await openSocket(port), ended: () => ended };
}

const head = (...lines: string[]): string => ['POST / HTTP/1.1', 'Host: engine', ...lines, '', ''].join('\r\n');

test('a worker that changes protocols unasked has not answered: its caller hears so', async () => {
  const { socket } = await connectThrough((request) => {
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    request.socket.once('close', () => setImmediate(() => clock.advance(limits.balancing.lastWordsMs)));
  });
  using open = socket;
  open.send(head('Content-Length: 0'));
  expect(await open.heard(/}$/)).toMatch(/^HTTP\/1\.1 502 .*its answer is none to this request/s);
});

test('an answer in a coding that is of one connection only is a 502 that says so', async () => {
  const { socket } = await connectThrough((request) => {
    request.socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n');
  });
  using open = socket;
  open.send(head('Content-Length: 0'));
  expect(await open.heard(/}$/)).toMatch(/^HTTP\/1\.1 502 .*transfer coding/s);
});

describe('a request that is answered before its body has come', () => {
  test('leaves no connection to its worker behind', async () => {
    const { socket, ended } = await connectThrough((_request, response) => response.end('enough'));
    using open = socket;
    open.send(`${head('Content-Length: 1000')}the first part`);
    await open.heard(/enough$/);
    await until('the connection to the worker to end', ended, 1);
  });

  test('keeps its caller for a moment, and serves its next request once the rest has come', async () => {
    const { socket } = await connectThrough((_request, response) => response.end('enough'));
    using open = socket;
    open.send(`${head('Content-Length: 4')}on`);
    await open.heard(/enough$/);
    open.send(`ly${head('Content-Length: 0')}`);
    await open.heard(/enough[^]*enough$/);
    clock.advance(limits.balancing.closingMs);
    open.send(head('Content-Length: 0'));
    await open.heard(/enough[^]*enough[^]*enough$/);
  });

  test('is cut once that moment has passed', async () => {
    const { socket } = await connectThrough((_request, response) => response.end('enough'));
    using open = socket;
    open.send(`${head('Content-Length: 1000')}the first part`);
    await open.heard(/enough$/);
    await until('the moment to be measured', () => clock.pending(), 1);
    clock.advance(limits.balancing.closingMs);
    await open.closed();
  });
});
