/**
 * Which headers go on to a worker or Pod, and which of its answer go back: of messages that came over a real
 * connection.
 */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSocket } from '../../../../test/support/http/rawSocket.ts';
import { headersBack, headersOnward, trailersOf } from './headers.ts';
import { takeOrigin } from '../http/hostGuard.ts';
import { hasBody } from '../http/bodies/reader.ts';

const CRLF = '\r\n';
let server: Server;
let port: number;
beforeEach(async () => {
  server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The request as Node parses it, from its lines; `body` as it is sent. */
async function received(lines: readonly string[], body = ''): Promise<IncomingMessage> {
  const arriving = once(server, 'request') as Promise<[IncomingMessage]>;
  using socket = await openSocket(port);
  socket.send([...lines, '', body].join(CRLF));
  return (await arriving)[0];
}

/** The answer of a worker as Node parses it, from its header lines. */
async function answered(lines: readonly string[]): Promise<IncomingMessage> {
  const worker = createSocketServer((socket) => {
    socket.resume().end(['HTTP/1.1 200 OK', ...lines, '', ''].join(CRLF));
  });
  worker.listen(0, '127.0.0.1');
  await once(worker, 'listening');
  const outgoing = get({ port: (worker.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'close');
  await new Promise((resolve) => worker.close(resolve));
  return answer;
}

const linesOf = (list: readonly string[]): string[] =>
  list.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${list[at + 1]}`] : []));
const GET = 'GET /x HTTP/1.1';
const HOST = 'Host: ep.localhost:8000';
/** What the engine adds to a request without a body that says nothing of the kind itself. */
const ADDED = ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Proto: http', 'X-Forwarded-Host: ep.localhost:8000'];

interface Sent {
  start?: string;
  headers?: readonly string[];
  body?: string;
  workerId?: string | null;
  prefix?: string;
}

/** The header lines with which a request goes on. */
async function onward({ start = GET, headers = [], body, workerId = 'w', prefix = '' }: Sent): Promise<string[]> {
  return linesOf(headersOnward(await received([start, HOST, ...headers], body), workerId, prefix));
}

describe('a request that goes on to a worker', () => {
  test('has the headers of its caller in their order and spelling, and says who asked for what', async () => {
    const headers = ['X-Own: 1', 'cookie: a=b', 'x-own: 2'];
    expect(await onward({ headers, prefix: '/lb/ep' })).toEqual([
      HOST,
      ...headers,
      ...ADDED,
      'X-Forwarded-Prefix: /lb/ep',
    ]);
  });

  test.each([
    'Connection: keep-alive',
    'Connection: close',
    'Keep-Alive: timeout=5',
    'Proxy-Authenticate: Basic',
    'Proxy-Authorization: Basic eDp5',
    'Proxy-Connection: keep-alive',
    'TE: gzip',
    'TE: x-trailers',
    'UPGRADE: other',
    'Authorization: Bearer key',
    'Expect: 200-maybe',
  ])('has no %s', async (header) => {
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    expect(await onward({ headers: [header, 'X-Own: 1'] })).toEqual([HOST, 'X-Own: 1', ...ADDED]);
  });

  test('has no key of Hangar, neither for a worker nor for a Pod', async () => {
    for (const workerId of ['w', null]) {
      expect(await onward({ headers: ['X-Hangar-Key: rpa_key', 'x-hangar-key: 2', 'X-Own: 1'], workerId })).toEqual([
        HOST,
        'X-Own: 1',
        ...ADDED,
      ]);
    }
  });

  test('has none of the headers that Connection names, however they are spelt', async () => {
    const headers = ['X-Hop: 1', 'X-Own: 1', 'x-other: 2', 'Connection: close, X-HOP ,X-Other'];
    expect(await onward({ headers })).toEqual([HOST, 'X-Own: 1', ...ADDED]);
  });

  test.each([
    ['hangar_session_47801=secret', []],
    ['a=b; hangar_session_47801=secret; c=hangar_session_1', ['Cookie: a=b; c=hangar_session_1']],
    ['hangar_session_47801=secret; c=d', ['Cookie: c=d']],
  ])("has its caller's cookies without a session of Hangar's page: %s", async (cookies, expected) => {
    for (const workerId of ['w', null]) {
      expect(await onward({ headers: [`Cookie: ${cookies}`], workerId })).toEqual([HOST, ...expected, ...ADDED]);
    }
  });

  test('has its host and the length of its body, though Connection names them', async () => {
    const headers = ['Content-Length: 3', 'Connection: Content-Length, host'];
    expect(await onward({ headers, body: 'abc' })).toEqual([HOST, ...ADDED, 'Content-Length: 3']);
  });

  test.each(['TE: trailers', 'TE: gzip, trailers', 'TE: Trailers,gzip;q=0.5'])(
    'asks for trailers where its caller does: %s',
    async (te) => {
      expect(await onward({ headers: [te, 'Connection: TE'] })).toEqual([HOST, ...ADDED, 'TE: trailers']);
    },
  );

  test('says what the proxies before have said of it, each header once', async () => {
    const headers = [
      'X-Forwarded-For: 10.0.0.9',
      'x-forwarded-for: 10.0.0.8',
      'X-Forwarded-Proto: https',
      'X-Forwarded-Host: hangar.example',
      'X-Forwarded-Prefix: /outer',
    ];
    const first = [HOST, 'X-Forwarded-For: 10.0.0.9, 10.0.0.8, 127.0.0.1', 'X-Forwarded-Proto: https'];
    const host = 'X-Forwarded-Host: hangar.example';
    expect(await onward({ headers, prefix: '/lb/ep' })).toEqual([...first, host, 'X-Forwarded-Prefix: /outer/lb/ep']);
    expect(await onward({ headers })).toEqual([...first, host, 'X-Forwarded-Prefix: /outer']);
  });

  test('has one X-Forwarded-Proto where its caller sent two', async () => {
    const headers = ['X-Forwarded-Proto: https', 'X-Forwarded-Proto: http'];
    const [host, ...lines] = await onward({ headers });
    expect(host).toBe(HOST);
    expect(lines).toEqual([ADDED[0], 'X-Forwarded-Proto: https, http', ADDED[2]]);
  });

  test('has its Host in the spelling of its caller', async () => {
    const request = await received([GET, 'hOST: engine']);
    expect(linesOf(headersOnward(request, 'w', ''))[0]).toBe('hOST: engine');
  });

  test('is for the host that its request line names, as it was understood', async () => {
    const request = await received(['GET http://other/ HTTP/1.1', HOST]);
    takeOrigin(request);
    expect(linesOf(headersOnward(request, 'w', ''))).toEqual([
      'Host: other',
      ADDED[0],
      ADDED[1],
      'X-Forwarded-Host: other',
    ]);
  });

  test('has an empty host where an old caller named none, and no address once its caller is gone', async () => {
    const request = await received(['GET / HTTP/1.0']);
    request.socket.destroy();
    expect(linesOf(headersOnward(request, 'w', ''))).toEqual([
      'Host: ',
      'X-Forwarded-For: unknown',
      'X-Forwarded-Proto: http',
      'X-Forwarded-Host: ',
    ]);
  });
});

describe('a request that goes on to a Pod', () => {
  test('has the authorization of its caller, which is between the two', async () => {
    const headers = ['Authorization: token own', 'Proxy-Connection: close', 'X-Forwarded-Proto: https'];
    expect(await onward({ headers, workerId: null })).toEqual([
      HOST,
      'Authorization: token own',
      ADDED[0],
      'X-Forwarded-Proto: https',
      ADDED[2],
    ]);
  });
});

const CHUNKED = 'Transfer-Encoding: chunked';

describe('the body of a request', () => {
  test.each<[what: string, sent: Sent, expected: { lines: string[]; body: boolean }]>([
    ['GET without one', { start: 'GET / HTTP/1.1' }, { lines: [], body: false }],
    ['HEAD without one', { start: 'HEAD / HTTP/1.1' }, { lines: [], body: false }],
    ['POST without one', { start: 'POST / HTTP/1.1' }, { lines: ['Content-Length: 0'], body: false }],
    ['DELETE without one', { start: 'DELETE / HTTP/1.1' }, { lines: ['Content-Length: 0'], body: false }],
    ['an empty one', { headers: ['Content-Length: 0'] }, { lines: ['Content-Length: 0'], body: false }],
    [
      'POST, of a known length',
      { start: 'POST / HTTP/1.1', headers: ['Content-Length: 3'], body: 'abc' },
      { lines: ['Content-Length: 3'], body: true },
    ],
    [
      'GET, of a known length',
      { headers: ['Content-Length: 3'], body: 'abc' },
      { lines: ['Content-Length: 3'], body: true },
    ],
    [
      'POST, in chunks',
      { start: 'POST / HTTP/1.1', headers: [CHUNKED], body: `0${CRLF}${CRLF}` },
      { lines: [CHUNKED], body: true },
    ],
    ['GET, in chunks', { headers: [CHUNKED], body: `0${CRLF}${CRLF}` }, { lines: [CHUNKED], body: true }],
  ])('is announced as it was: %s', async (_what, { start = GET, headers = [], body }, expected) => {
    const request = await received([start, HOST, ...headers], body);
    const lines = linesOf(headersOnward(request, 'w', '')).filter((line) => ![HOST, ...ADDED].includes(line));
    expect({ lines, body: hasBody(request) }).toEqual(expected);
  });
});

describe('a request to change protocols', () => {
  test('goes on without a length, and with the one protocol that it asks for', async () => {
    const request = await received([
      GET,
      HOST,
      'Content-Length: 0',
      'Upgrade: websocket',
      'Connection: Upgrade, X-Hop',
      'X-Hop: 1',
    ]);
    expect(linesOf(headersOnward(request, 'w', '', 'websocket'))).toEqual([
      HOST,
      ...ADDED,
      'Connection: Upgrade',
      'Upgrade: websocket',
    ]);
  });
});

test('trailers have no header that belongs in a head', async () => {
  const trailers = ['X-Sum: 1', 'Host: other', 'Authorization: Bearer key', 'Expect: 100-continue', '', ''].join(CRLF);
  const request = await received([GET, HOST, 'Transfer-Encoding: chunked'], `0${CRLF}${trailers}`);
  await once(request.resume(), 'end');
  expect(trailersOf(request)).toEqual([['X-Sum', '1']]);
});

describe('an answer that goes back', () => {
  const headers = [
    'X-Own: 1',
    'x-own: 2',
    'X-Runpod-Worker-Id: its-own',
    'X-Hop: 3',
    'Connection: close, x-hop',
    'Keep-Alive: timeout=5',
    'Proxy-Authenticate: Basic',
    'Upgrade: other',
    'Content-Length: 0',
  ];

  test('names the worker by which its caller finds it again, and has no header of the one connection', async () => {
    expect(linesOf(headersBack(await answered(headers), 'w'))).toEqual([
      'X-Own: 1',
      'x-own: 2',
      'Content-Length: 0',
      'X-Runpod-Worker-Id: w',
    ]);
  });

  test('of a Pod has its own headers and no other', async () => {
    expect(linesOf(headersBack(await answered(headers), null))).toEqual([
      'X-Own: 1',
      'x-own: 2',
      'X-Runpod-Worker-Id: its-own',
      'Content-Length: 0',
    ]);
  });
});
