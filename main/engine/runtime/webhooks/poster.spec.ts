/**
 * Single webhook requests over real sockets. test/system/faults/webhooks.spec.ts tests how the engine reacts to their
 * outcomes.
 */
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver } from '../../../../test/support/webhooks/receiver.ts';
import { startRudeServer } from '../../../../test/support/loadBalancing/rudeServer.ts';
import { until } from '../../../../test/support/core/until.ts';
import { AppError } from '#contract/core/errors.ts';
import type { WebhookOutcome, WebhookPoster } from '../../domain/webhooks/ports.ts';
import type { JsonParts, StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { createNameLookup } from './dnsCache.ts';
import { createWebhookPoster } from './poster.ts';

const stored: StoredText = { file: 'x', bytes: 6, sealed: false, part: { start: 0, end: 6 }, input: null };
let pieces: () => AsyncIterable<Uint8Array>;
let poster: WebhookPoster;
beforeEach(() => {
  poster = createWebhookPoster({ version: '1.2.3', texts: { read: () => pieces() } });
});
afterEach(() => poster.stop());

const post = (url: string, payload: JsonParts = ['{}']): Promise<WebhookOutcome> =>
  new Promise((resolve) => {
    poster.post({ url, payload, deliveryId: 'whd_1_0', attempt: 1 }, resolve);
  });

test('connections are used again, and one that the receiver has closed meanwhile is no failed attempt', async () => {
  const requests = new Map<Socket, number>();
  const server = await startRudeServer((socket) => {
    socket.on('data', () => {
      const before = requests.get(socket) ?? 0;
      requests.set(socket, before + 1);
      if (before === 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n');
    });
  });
  for (let i = 0; i < 4; i++) expect(await post(server.origin)).toEqual({ status: 200, error: null });
  expect([...requests.values()]).toEqual([3, 1, 1]);
  await server.close();
});

test('a name below localhost is this machine, whatever the system makes of it', async () => {
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.origin);
  expect(await post(`http://hooks.localhost:${port}/`)).toEqual({ status: 200, error: null });
  expect(receiver.received[0]?.headers.host).toBe(`hooks.localhost:${port}`);
  const one = await new Promise((resolve) => {
    createNameLookup()('localhost', {}, (_error, address, family) => resolve({ address, family }));
  });
  expect(one).toEqual({ address: '127.0.0.1', family: 4 });
});

test('parts from files are sent piece by piece, each before the next is read', async () => {
  await using receiver = await startReceiver();
  const buffer = Buffer.alloc(3);
  pieces = async function* () {
    for (const letters of ['abc', 'def']) {
      buffer.write(letters);
      yield buffer;
    }
  };
  expect(await post(receiver.origin, ['"', stored, '"'])).toEqual({ status: 200, error: null });
  expect(receiver.received[0]?.text).toBe('"abcdef"');
});

test('a file that cannot be read is the reason of the attempt, in the words of its reader', async () => {
  await using receiver = await startReceiver();
  pieces = async function* () {
    yield Buffer.from('abc');
    throw new AppError('INTERNAL', 'its file is damaged');
  };
  expect(await post(receiver.origin, [stored])).toEqual({ status: null, error: 'its file is damaged' });
  expect(receiver.received).toEqual([]);
});

test('an answer that comes before the whole call was sent counts', async () => {
  const server = await startRudeServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'));
  });
  expect(await post(server.origin, ['x'.repeat(5_000_000)])).toMatchObject({ error: expect.any(String) });
  expect(server.connections()).toBe(1);
  await server.close();
});

test('once stopped nothing more is told, and no connection is left', async () => {
  const server = await startRudeServer((socket) => socket.resume());
  let reports = 0;
  poster.post({ url: server.origin, payload: ['{}'], deliveryId: 'whd_1_0', attempt: 1 }, () => reports++);
  await until('the call', () => server.open(), 1);
  poster.stop();
  await until('its end', () => server.open(), 0);
  expect(reports).toBe(0);
  await server.close();
});
