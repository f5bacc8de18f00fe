/** Connections on which brief requests come, and others between them; over real sockets. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { until } from '../../../../../test/support/core/until.ts';
import { attachFastPath, type BriefService } from './connection.ts';
import type { BriefResponse } from './response.ts';
import { sendJson } from '../errorMapper.ts';
import type { JobResponse } from '../types.ts';

const HEAD = 'HTTP/1.1\r\nhost: 127.0.0.1\r\n';
const get = (path: string): string => `GET ${path} ${HEAD}\r\n`;
const post = (path: string, body: string): string =>
  `POST ${path} ${HEAD}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

let server: Server;
let client: Socket;
let received: string;
/** Who served each request, in order. */
let servedBy: string[];
/** Answers of requests to /wait, which are sent when the test says so. */
let openResponses: BriefResponse[];
let ended: { writableFinished: boolean }[];
/** The server's ends, newest last. */
let sockets: Socket[];

function answer(who: string, response: JobResponse, url: string, body: string): void {
  servedBy.push(who);
  sendJson(response, 200, JSON.stringify({ url, body }));
}

beforeEach(async () => {
  servedBy = [];
  openResponses = [];
  ended = [];
  received = '';
  sockets = [];
  server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => answer('node', response, request.url!, body));
  });
  const service: BriefService<{ url: string }> = {
    isOwn: (host) => host === '127.0.0.1',
    pathOf: (url) => (url.startsWith('/node') ? null : { url }),
    serve: (request, _path, response) => {
      response.on('close', () => ended.push({ writableFinished: response.writableFinished }));
      if (request.url === '/wait') openResponses.push(response);
      else answer('brief', response, request.url, request.body.toString());
    },
  };
  attachFastPath(server, service, { checkEveryMs: 25, beforeFirstMs: 50, betweenMs: 100 });
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true });
  client.setEncoding('utf8').on('data', (text: string) => (received += text));
  await once(client, 'connect');
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const bodies = (): string[] =>
  [...received.matchAll(/\{"url":"([^"]*)","body":"([^"]*)"\}/g)].map(([, url, body]) => `${url} ${body}`);
async function answered(count: number): Promise<string[]> {
  await until(
    `${count} answers`,
    () => bodies(),
    ({ length }) => length >= count,
  );
  return bodies();
}

describe('a connection', () => {
  test('has its brief requests served one after another', async () => {
    client.write(get('/a'));
    await answered(1);
    client.write(post('/b', 'é'));
    expect(await answered(2)).toEqual(['/a ', '/b é']);
    expect(servedBy).toEqual(['brief', 'brief']);
    await until('both to be over', () => ended.length, 2);
    expect(ended).toEqual([{ writableFinished: true }, { writableFinished: true }]);
  });

  test('is handed over with the first request that is none, and stays so', async () => {
    client.write(get('/a'));
    await answered(1);
    client.write(get('/node'));
    await answered(2);
    client.write('GET /b HT');
    await until(
      'a part of the next',
      () => sockets[0]!.bytesRead,
      (bytesRead) => bytesRead > (get('/a') + get('/node')).length,
    );
    client.write(get('/b').slice('GET /b HT'.length));
    expect(await answered(3)).toEqual(['/a ', '/node ', '/b ']);
    expect(servedBy).toEqual(['brief', 'node', 'node']);
  });

  test('is handed over where it asks another host, whatever it asked before', async () => {
    client.write(get('/a'));
    await answered(1);
    client.write(get('/b').replace('127.0.0.1', '127.0.0.2'));
    await answered(2);
    expect(servedBy).toEqual(['brief', 'node']);
  });

  test('is timed by Node once it is handed over', async () => {
    client.write('GET /a');
    await until(
      'the first part to be there',
      () => sockets[0]!.bytesRead,
      (bytesRead) => bytesRead > 0,
    );
    const quiet: Socket[] = [];
    server.on('timeout', (socket: Socket) => quiet.push(socket));
    const { port } = server.address() as AddressInfo;
    const other = connect({ port, host: '127.0.0.1' });
    await until(
      'the silence of another to be told',
      () => quiet,
      (seen) => seen.includes(sockets[1]!),
    );
    expect(quiet).not.toContain(sockets[0]);
    other.destroy();
  });

  test('gives the same answer wherever the request is cut in two', async () => {
    const whole = post('/x', '{"input":1}');
    for (let at = 1; at < whole.length; at++) {
      const { port } = server.address() as AddressInfo;
      const other = connect({ port, host: '127.0.0.1', noDelay: true });
      let text = '';
      other.setEncoding('utf8').on('data', (part: string) => (text += part));
      other.write(whole.slice(0, at));
      await until('the first part to be there', () => sockets.at(-1)!.bytesRead, at);
      other.write(whole.slice(at));
      await until(
        `an answer to a request cut at ${at}`,
        () => text,
        (seen) => seen.endsWith('}'),
      );
      expect(text.replace(/Date: .*\r\n/, '')).toBe(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 35\r\n' +
          'Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n\r\n{"url":"/x","body":"{\\"input\\":1}"}',
      );
      other.destroy();
    }
    expect(new Set(servedBy)).toEqual(new Set(['node']));
  });

  test('answers requests that come at once, or before the answer to the last, in their order', async () => {
    client.write(get('/wait'));
    await until('the first to be there', () => openResponses.length, 1);
    client.write(get('/b') + get('/c'));
    await until(
      'more to be there',
      () => sockets[0]!.bytesRead,
      (bytesRead) => bytesRead > get('/wait').length,
    );
    client.write(post('/d', 'd'));
    openResponses[0]!.writeHead(204).end();
    expect(await answered(3)).toEqual(['/b ', '/c ', '/d d']);
    expect(received.startsWith('HTTP/1.1 204')).toBe(true);
  });

  test('tells an answer that its reader has gone, whether it hung up or only said that it would', async () => {
    client.write(get('/wait'));
    await until('the request', () => openResponses.length, 1);
    client.end();
    await until('the end of it', () => ended.length, 1);
    expect(ended).toEqual([{ writableFinished: false }]);
    expect(openResponses[0]!.destroyed).toBe(true);
  });

  test('may be quiet for a while, before its first request and after it, but never while its answer is made', async () => {
    const quiet: Socket[] = [];
    server.on('timeout', (socket: Socket) => quiet.push(socket));
    const [socket] = sockets;
    await until(
      'its silence to be told',
      () => quiet,
      (seen) => seen.includes(socket!),
    );
    client.write(get('/wait'));
    await until('the request', () => openResponses.length, 1);
    quiet.length = 0;
    const { port } = server.address() as AddressInfo;
    const other = connect({ port, host: '127.0.0.1' });
    await until(
      'the silence of another to be told',
      () => quiet,
      ({ length }) => length > 0,
    );
    expect(quiet).not.toContain(socket);
    other.destroy();
    openResponses[0]!.writeHead(200, { 'content-length': 0 }).end();
    await until(
      'the answer',
      () => received,
      (seen) => seen.includes('Keep-Alive: timeout=75\r\n\r\n'),
    );
    expect(quiet).not.toContain(socket);
    await until(
      'its silence to be told again',
      () => quiet,
      (seen) => seen.includes(socket!),
    );
  });

  test('that took its answer late is not timed for that any more', async () => {
    client.write(get('/wait'));
    await until('the request', () => openResponses.length, 1);
    sockets[0]!.setTimeout(60_000);
    openResponses[0]!.writeHead(200, { 'content-length': 0 }).end();
    await until('the end of it', () => ended.length, 1);
    expect(sockets[0]!.timeout).toBe(0);
  });
});

describe('with the clock in hand, a connection', () => {
  beforeAll(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterAll(() => void vi.useRealTimers());

  test('is quiet from its last answer on', async () => {
    const quiet: Socket[] = [];
    server.on('timeout', (socket: Socket) => quiet.push(socket));
    // Up to a look less than its time has passed when it was looked at so often.
    for (const path of ['/a', '/b']) {
      client.write(get(path));
      await once(client, 'data');
      vi.advanceTimersByTime(100);
    }
    expect(quiet).toEqual([]);
    vi.advanceTimersByTime(25);
    expect(quiet).toEqual(sockets);
  });
});
