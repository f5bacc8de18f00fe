/** The tunnel to http ports of Pods on other machines. A real server stands for the engine there. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { pino } from 'pino';
import { AppError } from '#contract/core/errors.ts';
import { createPodTunnel, type PodTunnel, type TunnelRoute } from './podTunnel.ts';

const KEY = 'rpa_a-key-of-the-account';

let tunnel: PodTunnel;
let engine: Server;
let engineAddress: string;
/** Headers of the answers of the engine, by its status. */
let refusal: { status: number; headers: Record<string, string> } | null;
/** Each request and WebSocket that the engine got. */
let received: IncomingMessage[];
const route = (changes: Partial<TunnelRoute> = {}): TunnelRoute => ({
  name: 'box',
  engine: engineAddress,
  key: async () => KEY,
  isCurrent: () => true,
  ...changes,
});
const port = { podId: 'abc123', port: 8888, asksForKey: true };
beforeEach(async () => {
  tunnel = createPodTunnel(pino({ level: 'silent' }));
  refusal = null;
  received = [];
  engine = createServer((incoming, answer) => {
    received.push(incoming);
    if (refusal) {
      answer.writeHead(refusal.status, refusal.headers).end('{"message": "of the engine"}');
      return;
    }
    void text(incoming).then((body) => {
      const { method, url, headers } = incoming;
      answer.writeHead(203, { 'x-own': 'yes' }).end(JSON.stringify({ method, url, body, host: headers.host }));
    });
  });
  engine.on('upgrade', (incoming, socket) => {
    received.push(incoming);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const at = z.object({ port: z.number() }).parse(engine.address());
  engineAddress = `http://127.0.0.1:${at.port}`;
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
  more: Record<string, string> = {},
): Promise<{ status: number; answer: IncomingMessage; body: string }> {
  const { host, port: at } = new URL(address);
  const headers = { host, ...more };
  const asking = request({ hostname: '127.0.0.1', port: at, path, method: 'POST', headers });
  // An answer may come before the whole body is sent, and a test ends with it.
  asking.on('error', () => undefined);
  asking.end(body);
  const [answer] = z.tuple([z.custom<IncomingMessage>()]).parse(await once(asking, 'response'));
  return { status: answer.statusCode ?? 0, answer, body: await text(answer) };
}

describe('a Pod on another machine', () => {
  it('is reached by a name of this machine, with its path, body and host name', async () => {
    const address = await tunnel.address(route(), port);
    const { host } = new URL(address);
    expect(host).toMatch(/^abc123-8888\.localhost:\d+$/);
    const { status, answer, body } = await ask(address, '//lab?a=1', 'x'.repeat(100_000));
    expect(status).toBe(203);
    expect(answer.headers['x-own']).toBe('yes');
    expect(JSON.parse(body)).toEqual({ method: 'POST', url: '//lab?a=1', body: 'x'.repeat(100_000), host });
  });

  it('has WebSockets in both directions', async () => {
    const { hostname, port: at, host } = new URL(await tunnel.address(route(), port));
    expect(hostname).toBe('abc123-8888.localhost');
    const socket = connect(Number(at), '127.0.0.1');
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: ${host}\r\nX-Hangar-Key: of a page\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello`,
    );
    let answer = '';
    for await (const chunk of socket) {
      answer += String(chunk);
      if (answer.endsWith('hello')) break;
    }
    expect(answer).toMatch(/^HTTP\/1\.1 101 [^]*hello$/);
    expect(received.map(({ headers }) => headers['x-hangar-key'])).toEqual([KEY]);
  });

  it('gets the key of the account and none of a page, and keeps its own authorization', async () => {
    const address = await tunnel.address(route(), port);
    await ask(address, '/', '', { 'X-Hangar-Key': 'of a page', authorization: 'token own' });
    expect(received.map(({ headers }) => [headers['x-hangar-key'], headers.authorization])).toEqual([
      [KEY, 'token own'],
    ]);
  });

  it('gets no headers that belong to the connection of the browser', async () => {
    const address = await tunnel.address(route(), port);
    const own = { te: 'trailers', trailer: 'x-sum', 'proxy-authorization': 'Basic own', 'proxy-connection': 'close' };
    await ask(address, '/', '', { ...own, 'x-mine': 'yes' });
    const [{ headers } = { headers: {} }] = received;
    expect(headers).toMatchObject({ 'x-mine': 'yes' });
    for (const name of Object.keys(own)) expect(headers).not.toHaveProperty(name);
  });

  it('of an earlier Hangar gets no key: that Hangar would pass it on to the Pod', async () => {
    const address = await tunnel.address(route(), { ...port, asksForKey: false });
    expect((await ask(address, '/', '', { 'X-Hangar-Key': 'of a page' })).status).toBe(203);
    expect(received.map(({ headers }) => headers['x-hangar-key'])).toEqual([undefined]);
  });

  it.each([
    [401, 'does not know the key of the account “box”'],
    [403, 'takes a key of the scope “all”'],
  ])('whose engine refuses the key (%i) is a page that says what to do', async (status, sentence) => {
    const address = await tunnel.address(route({ name: '<b>ox' }), port);
    refusal = { status, headers: { 'x-hangar-key-refused': 'yes' } };
    const { answer, body } = await ask(address, '/', '', { accept: 'text/html,*/*' });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(body).toContain(sentence.replace('box', '&lt;b&gt;ox'));
    expect(body).toContain('Enter another key on the page Accounts');
    expect(body).not.toContain('of the engine');
    const plain = await ask(address, '/', 'x'.repeat(5_000_000));
    expect(plain.answer.headers['content-type']).toContain('text/plain');
  });

  it('that refuses by itself answers by itself', async () => {
    const address = await tunnel.address(route(), port);
    refusal = { status: 401, headers: { 'www-authenticate': 'Basic' } };
    const { answer, body } = await ask(address);
    expect(answer.headers['www-authenticate']).toBe('Basic');
    expect(body).toBe('{"message": "of the engine"}');
  });

  it('whose key cannot be read is a page with the reason, and nothing is sent', async () => {
    const key = async () => Promise.reject(new AppError('SECRETS_UNAVAILABLE', 'The keychain is locked.'));
    const address = await tunnel.address(route({ key }), port);
    expect(await ask(address)).toMatchObject({
      status: 502,
      body: expect.stringContaining('The keychain is locked. Then load this page again.'),
    });
    expect(received).toEqual([]);
  });

  it('whose key fits into no header is a page, too', async () => {
    const address = await tunnel.address(route({ key: async () => 'key\nsecond line' }), port);
    expect(await ask(address)).toMatchObject({ status: 502, body: expect.stringContaining('cannot be used') });
    expect(received).toEqual([]);
  });

  it('is not opened with an account that has another engine by now', async () => {
    let isCurrent = true;
    const address = await tunnel.address(route({ isCurrent: () => isCurrent }), port);
    expect((await ask(address)).status).toBe(203);
    isCurrent = false;
    expect((await ask(address)).status).toBe(404);
    expect(received).toHaveLength(1);
  });

  it('is not left by a request line with another host', async () => {
    const address = await tunnel.address(route(), port);
    expect((await ask(address, `${engineAddress}/v1/pods`)).status).toBe(400);
    expect(received).toEqual([]);
  });

  it('that is not known is a 404, and says what to do', async () => {
    const address = await tunnel.address(route(), port);
    const { status, body } = await ask(address.replace('abc123', 'other'));
    expect(status).toBe(404);
    expect(body).toContain('Open it again from the list of Pods');
  });

  it('whose engine is gone is a 502 that names the engine', async () => {
    const address = await tunnel.address(route({ engine: 'http://127.0.0.1:9' }), port);
    expect(await ask(address)).toMatchObject({ status: 502, body: expect.stringContaining('http://127.0.0.1:9') });
  });
});
