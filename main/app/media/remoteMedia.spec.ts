/** Rules of media on other hosts, against real HTTP servers. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { freePort } from '../../../test/support/http/freePort.ts';
import { systemClock } from '../platform/clock.ts';
import { loadRemoteMedia } from './remoteMedia.ts';

async function startServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const life = new AbortController().signal;

describe('a file on another host', () => {
  it('is loaded without a key, a cookie or a referrer, with the type that the host names', async () => {
    let headers: object = {};
    await using server = await startServer((request, response) => {
      ({ headers } = request);
      response.writeHead(200, { 'content-type': 'image/png; charset=x' }).end('bytes');
    });
    const { bytes, type } = await loadRemoteMedia(`${server.address}/a.png`, systemClock, life);
    expect([await bytes.text(), type]).toEqual(['bytes', 'image/png']);
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['authorization']));
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']));
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['referer']));
  });

  it('is found where its own host leads to', async () => {
    await using server = await startServer((request, response) => {
      if (request.url === '/b') response.end('there');
      else response.writeHead(302, { location: '/b' }).end();
    });
    expect(await (await loadRemoteMedia(`${server.address}/a`, systemClock, life)).bytes.text()).toBe('there');
  });

  it('is not looked for on a host that the person did not agree to', async () => {
    let requests = 0;
    await using other = await startServer((_, response) => {
      requests += 1;
      response.end();
    });
    await using server = await startServer((_, response) => response.writeHead(302, { location: other.address }).end());
    await expect(loadRemoteMedia(server.address, systemClock, life)).rejects.toMatchObject({
      code: 'UPSTREAM',
      message: expect.stringContaining(other.host),
    });
    expect(requests).toBe(0);
  });

  it('that leads in a circle is given up', async () => {
    await using server = await startServer((_, response) => response.writeHead(302, { location: '/again' }).end());
    await expect(loadRemoteMedia(server.address, systemClock, life)).rejects.toThrow('again and again');
  });

  it('that is not there is a sentence with the answer', async () => {
    await using server = await startServer((_, response) => response.writeHead(403).end());
    await expect(loadRemoteMedia(server.address, systemClock, life)).rejects.toMatchObject({
      code: 'UPSTREAM',
      message: expect.stringContaining('answered 403'),
    });
  });

  it('that nobody serves is a sentence, too', async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    await expect(loadRemoteMedia(address, systemClock, life)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('that does not come in time is given up', async () => {
    const clock = createFakeClock();
    await using server = await startServer(() => clock.advance(limits.page.remoteMediaMs));
    await expect(loadRemoteMedia(server.address, clock, life)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });

  it('that does not end is broken off at the limit', async () => {
    const piece = Buffer.alloc(1024 * 1024);
    let sent = 0;
    await using server = await startServer((_, response) => {
      const write = (): void => {
        while (!response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) break;
        }
      };
      response.on('drain', write);
      write();
    });
    await expect(loadRemoteMedia(server.address, systemClock, life)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(sent).toBeLessThan(limits.page.remoteMediaBytes * 2);
  });
});
