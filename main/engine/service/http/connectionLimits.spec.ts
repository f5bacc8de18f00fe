/**
 * Who keeps watch over connections rests while there is nothing to see. What it sees is tested by
 * `faults/slowClients.spec.ts`.
 */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { until } from '../../../../test/support/core/until.ts';
import { createConnections, serverOptions, type Connections } from './connectionLimits.ts';

let server: Server;
let connections: Connections;
let clients: Socket[];
let openResponses: ServerResponse[];

/** How often Node looks for late requests, milliseconds, as the timer that it looks by says. */
function looksEveryMs(): number {
  const timer = Object.getOwnPropertySymbols(server).find(({ description }) =>
    description?.endsWith('connectionsCheckingInterval'),
  );
  return (server as unknown as Record<symbol, { _repeat: number }>)[timer!]!._repeat;
}

const connectionCount = (): Promise<number> => promisify(server.getConnections.bind(server))();

async function connected(): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  const arrived = once(server, 'connection');
  await Promise.all([once(client, 'connect'), arrived]);
  return client;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  clients = [];
  openResponses = [];
  server = createServer({ ...serverOptions, keepAliveTimeout: 75_000 });
  connections = createConnections(server, 10);
  server.on('request', (request, response: ServerResponse) => {
    connections.entered(request.socket, response);
    openResponses.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  vi.useRealTimers();
  const closed = once(server, 'close');
  server.close();
  connections.stop();
  for (const client of clients) client.destroy();
  await closed;
});

test('late requests are looked for while somebody is connected, and not otherwise', async () => {
  const seldomMs = 24 * 60 * 60_000;
  expect(looksEveryMs()).toBeGreaterThan(seldomMs);
  const first = await connected();
  const second = await connected();
  expect(looksEveryMs()).toBe(5000);
  first.destroy();
  await until('one of them is gone', () => connectionCount(), 1);
  expect(looksEveryMs()).toBe(5000);
  second.destroy();
  await until(
    'nobody is looked at',
    () => looksEveryMs(),
    (seen) => seen > seldomMs,
  );
  await connected();
  expect(looksEveryMs()).toBe(5000);
});

test('answers that nobody reads are looked for until all are finished', async () => {
  const client = await connected();
  expect(vi.getTimerCount()).toBe(0);
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await until('it is asked for', () => openResponses.length, 1);
  for (let sweep = 0; sweep < 3; sweep++) {
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersToNextTimer();
  }
  const finished = once(openResponses[0]!, 'finish');
  openResponses[0]!.end('here');
  await finished;
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersToNextTimer();
  expect(vi.getTimerCount()).toBe(0);
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await until('it is asked for again', () => openResponses.length, 2);
  expect(vi.getTimerCount()).toBe(1);
});

describe('a connection whose request was refused before its body had come', () => {
  const LENGTH = 5_000_000;
  const HALF = Buffer.alloc(LENGTH / 2, 'x');

  /** Sends half of a body and waits for the refusal of the request. */
  async function refused(): Promise<{ client: Socket; problems: Error[] }> {
    const client = await connected();
    const problems: Error[] = [];
    client.on('error', (error) => problems.push(error));
    client.write(`POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: ${LENGTH}\r\n\r\n`);
    client.write(HALF);
    await until('the request', () => openResponses.length, 1);
    const answered = once(client, 'data');
    openResponses[0]!.writeHead(413).end();
    expect(String(await answered)).toMatch(/^HTTP\/1\.1 413 /);
    return { client, problems };
  }

  test('takes the rest of the body, so that its sender reads the answer, and is closed then', async () => {
    const { client, problems } = await refused();
    const ended = once(client, 'close');
    client.resume().write(HALF);
    await ended;
    expect(problems).toEqual([]);
    await until('no connection', connectionCount, 0);
  });

  test('is closed after a while where the rest does not come', async () => {
    const { client } = await refused();
    const gone = once(client.resume(), 'end');
    await gone;
    expect(await connectionCount()).toBe(1);
    vi.advanceTimersByTime(limits.connection.bodyWindowMs);
    await until('no connection', connectionCount, 0);
  });
});
