/** The tunnel to http ports of Pods on other machines. A real server stands for the engine there. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { pino } from 'pino';
import { createPodTunnel, type PodTunnel } from './podTunnel.ts';

let tunnel: PodTunnel;
let engine: Server;
let engineAddress: string;
beforeEach(async () => {
  tunnel = createPodTunnel(pino({ level: 'silent' }));
  engine = createServer((incoming, answer) => {
    void text(incoming).then((body) => {
      const { method, url, headers } = incoming;
      answer.writeHead(203, { 'x-own': 'yes' }).end(JSON.stringify({ method, url, body, host: headers.host }));
    });
  });
  engine.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const { port } = z.object({ port: z.number() }).parse(engine.address());
  engineAddress = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  await tunnel.stop();
  engine.closeAllConnections();
  engine.close();
});

/** Asks an address whose name every browser, but not every resolver, takes for this machine. */
async function ask(
  address: string,
  path = '/',
  body = '',
): Promise<{ status: number; answer: IncomingMessage; body: string }> {
  const { host, port } = new URL(address);
  const asking = request({ hostname: '127.0.0.1', port, path, method: 'POST', headers: { host } });
  asking.end(body);
  const [answer] = z.tuple([z.custom<IncomingMessage>()]).parse(await once(asking, 'response'));
  return { status: answer.statusCode ?? 0, answer, body: await text(answer) };
}

describe('a Pod on another machine', () => {
  it('is reached by a name of this machine, with its path, body and host name', async () => {
    const address = await tunnel.address(engineAddress, 'abc123', 8888);
    const { host } = new URL(address);
    expect(host).toMatch(/^abc123-8888\.localhost:\d+$/);
    const { status, answer, body } = await ask(address, '//lab?a=1', 'x'.repeat(100_000));
    expect(status).toBe(203);
    expect(answer.headers['x-own']).toBe('yes');
    expect(JSON.parse(body)).toEqual({ method: 'POST', url: '//lab?a=1', body: 'x'.repeat(100_000), host });
  });

  it('has WebSockets in both directions', async () => {
    const { hostname, port, host } = new URL(await tunnel.address(engineAddress, 'abc123', 8888));
    expect(hostname).toBe('abc123-8888.localhost');
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello`);
    let received = '';
    for await (const chunk of socket) {
      received += String(chunk);
      if (received.endsWith('hello')) break;
    }
    expect(received).toMatch(/^HTTP\/1\.1 101 [^]*hello$/);
  });

  it('that is not known is a 404, and says what to do', async () => {
    const address = await tunnel.address(engineAddress, 'abc123', 8888);
    const { status, body } = await ask(address.replace('abc123', 'other'));
    expect(status).toBe(404);
    expect(body).toContain('Open it again from the list of Pods');
  });

  it('whose engine is gone is a 502 that names the engine', async () => {
    const address = await tunnel.address('http://127.0.0.1:9', 'abc123', 8888);
    expect(await ask(address)).toMatchObject({ status: 502, body: expect.stringContaining('http://127.0.0.1:9') });
  });
});
