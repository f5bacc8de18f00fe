import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { sendSamples } from './sampleRoutes.ts';

/** A server whose samples are numbers. `next` lets the interval end; null if none is awaited. */
async function serve(measure: () => Promise<object>) {
  let next: (() => void) | null = null;
  const clock = {
    after(_: number, run: () => void) {
      next = run;
      return () => {
        next = null;
      };
    },
  };
  const logger = { debug: () => undefined };
  const server = createServer((_, response) => sendSamples(response, { measure, everyMs: 2000, clock, logger }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, agent: false });
  request.on('error', () => undefined);
  return {
    request,
    response: once(request, 'response').then(([response]) => response as IncomingMessage),
    next: () => next,
    [Symbol.dispose]: () => void server.close(),
  };
}

it('measures once in each interval, and no more once its reader has left', async () => {
  const measure = vi.fn(async () => ({ load: 1 }));
  using served = await serve(measure);
  await once(await served.response, 'data');
  served.next()?.();
  await expect.poll(() => measure).toHaveBeenCalledTimes(2);
  served.request.destroy();
  await expect.poll(() => served.next()).toBeNull();
});

it('ends when it cannot measure, so that its reader asks and is told the reason', async () => {
  using served = await serve(() => Promise.reject(new Error('The driver hangs.')));
  const response = await served.response;
  response.resume();
  await once(response, 'end');
  await expect.poll(() => served.next()).toBeNull();
});
