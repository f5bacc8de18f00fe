/** Rules of requests to an account, against a real HTTP server. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../../../test/support/http/freePort.ts';
import { PAGE_REFUSAL } from '#contract/app/pairingLink.ts';
import type { AppError } from '#contract/core/errors.ts';
import { observeRequests } from '../../platform/requestObserver.ts';
import { createOutbound } from './outbound.ts';

const key = 'rpa_secret_key_123456';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function withService<T>(
  handle: Handler,
  use: (outbound: ReturnType<typeof createOutbound>) => Promise<T>,
  keyMayBeInAddress = false,
): Promise<T> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outbound = createOutbound({
    target: () => Promise.resolve({ address: `http://127.0.0.1:${port}`, key }),
    name: 'the test service',
    logger: pino({ level: 'silent' }),
    keyMayBeInAddress,
  });
  try {
    return await use(outbound);
  } finally {
    await outbound.stop();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

const answering = (status: number, body: string, headers: Record<string, string> = {}): Handler => {
  return (_, response) => response.writeHead(status, headers).end(body);
};

describe('outbound', () => {
  it('sends the key as a bearer and the body exactly as it is', async () => {
    let seen = '';
    const echo: Handler = (request, response) => {
      request.setEncoding('utf8').on('data', (part: string) => (seen += part));
      request.on('end', () => response.end(request.headers.authorization));
    };
    const body = '{ "n": 12345678901234567890 }';
    expect(await withService(echo, (outbound) => outbound.send({ method: 'POST', path: '/', body }))).toBe(
      `Bearer ${key}`,
    );
    expect(seen).toBe(body);
  });

  it('sends a file with the key, and the refusal of one is an error', async () => {
    const seen: unknown[] = [];
    const storing: Handler = (request, response) => {
      const { authorization, 'if-none-match': unless, 'content-type': type } = request.headers;
      void text(request).then((file) => {
        seen.push([request.method, request.url, authorization, unless, type, file]);
        const isTaken = unless === '*';
        response.writeHead(isTaken ? 409 : 200).end(isTaken ? '{"message":"It is there already."}' : '{}');
      });
    };
    await withService(storing, async ({ upload }) => {
      const file = () => ({ path: '/f?path=a', body: Readable.from([Buffer.from('abc')]), lengthBytes: 3 });
      const { signal } = new AbortController();
      expect(await upload({ ...file(), replaces: true, signal })).toBe('{}');
      await expect(upload({ ...file(), replaces: false, signal })).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'It is there already.',
      });
      const reason = new Error('no longer wanted');
      await expect(upload({ ...file(), replaces: true, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });
    const bytes = 'application/octet-stream';
    expect(seen).toEqual([
      ['PUT', '/f?path=a', `Bearer ${key}`, undefined, bytes, 'abc'],
      ['PUT', '/f?path=a', `Bearer ${key}`, '*', bytes, 'abc'],
    ]);
  });

  it('follows no redirect, so that the key goes nowhere else, and says where it would have led', async () => {
    const followed: string[] = [];
    const elsewhere: Handler = (request, response) => {
      followed.push(request.url ?? '');
      response.writeHead(307, { location: 'https://elsewhere.example/v2/x' }).end();
    };
    const sending = withService(elsewhere, (outbound) => outbound.send({ method: 'GET', path: '/v2/pods' }));
    await expect(sending).rejects.toMatchObject({
      code: 'UPSTREAM',
      message: expect.stringContaining('https://elsewhere.example.'),
    });
    expect(followed).toEqual(['/v2/pods']);
  });

  it('sends the key in the address only where it may, and only to a service that does not take it in the header', async () => {
    const seen: string[] = [];
    const picky: Handler = (request, response) => {
      const inAddress = request.url === `/graphql?api_key=${key}`;
      seen.push(
        `${inAddress ? 'address' : request.url} ${request.headers.authorization === undefined ? '' : 'header'}`,
      );
      response.writeHead(inAddress ? 200 : 401).end('{}');
    };
    const ask = (outbound: ReturnType<typeof createOutbound>) =>
      outbound.send({ method: 'POST', path: '/graphql', body: '{}' });
    await expect(withService(picky, ask)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(seen).toEqual(['/graphql header']);
    seen.length = 0;
    const twice = withService(picky, async (outbound) => [await ask(outbound), await ask(outbound)], true);
    expect(await twice).toEqual(['{}', '{}']);
    expect(seen).toEqual(['/graphql header', 'address ', 'address ']);
  });

  it.each([
    [400, '{"message":"ttl must be at least 10000"}', 'BAD_REQUEST', 'ttl must be at least 10000'],
    [401, '{"error":"no such key"}', 'UNAUTHORIZED', 'no such key'],
    [401, '', 'UNAUTHORIZED', 'the test service does not accept the key: it may be wrong, disabled or deleted.'],
    [403, '', 'FORBIDDEN', 'The key may not do this on the test service.'],
    [404, '{"error":{"message":"no such job"}}', 'NOT_FOUND', 'no such job'],
    [
      422,
      '{"title":"Unprocessable Entity","status":422,"detail":"Request validation failed.","errors":["image is required"]}',
      'BAD_REQUEST',
      'Request validation failed. image is required',
    ],
    [410, '{"error":"REST v1 is retired"}', 'UNSUPPORTED', 'REST v1 is retired'],
    [500, '<html>', 'UPSTREAM', 'the test service answered 500 without an explanation.'],
    [503, '', 'UNAVAILABLE', 'the test service answered 503 without an explanation.'],
  ])('turns %i %s into %s with words for a person', async (status, body, code, message) => {
    const sent = withService(answering(status, body), (outbound) => outbound.send({ method: 'GET', path: '/' }));
    await expect(sent).rejects.toMatchObject({ code, message, details: { status } });
  });

  it('says that an address leads to the page of Hangar, and does not blame the key', async () => {
    const handle = answering(401, `${PAGE_REFUSAL}\n`, { 'content-type': 'text/plain' });
    const sent = withService(handle, (outbound) => outbound.send({ method: 'GET', path: '/v2/x/health' }));
    await expect(sent).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^This is the address of Hangar's page.*Enter the address of its API/),
    });
  });

  it.each([
    ['7', 7000, 7000],
    [new Date(Date.now() + 3_600_000).toUTCString(), 3_500_000, 3_600_000],
    ['-5', 0, 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0, 0],
  ])('says when it makes sense to try again: %s', async (header, least, most) => {
    const handle = answering(429, '{}', { 'retry-after': header });
    const sent = withService(handle, (outbound) => outbound.send({ method: 'GET', path: '/' }));
    const error: unknown = await sent.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const { retryAfterMs } = error as AppError;
    expect(retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(retryAfterMs).toBeLessThanOrEqual(most);
  });

  it('says nothing of when to try again where the service tells it in no known way', async () => {
    const handle = answering(429, '{}', { 'retry-after': 'soon' });
    const sent = withService(handle, (outbound) => outbound.send({ method: 'GET', path: '/' }));
    await expect(sent).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterMs: undefined });
  });

  it('lets no key out in a message, even where the service repeats it', async () => {
    const handle = answering(401, `{"error":"the key ${key} is wrong"}`);
    const sent = withService(handle, (outbound) => outbound.send({ method: 'GET', path: '/' }));
    await expect(sent).rejects.toMatchObject({ message: 'the key ••• is wrong' });
  });

  it('says that nothing was sent when nobody listens', async () => {
    const port = await freePort();
    const outbound = createOutbound({
      target: () => Promise.resolve({ address: `http://127.0.0.1:${port}`, key }),
      name: 'the test service',
      logger: pino({ level: 'silent' }),
    });
    await expect(outbound.send({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'Cannot reach the test service (ECONNREFUSED).',
      details: { sent: 'no' },
    });
    await outbound.stop();
  });

  it('says that the connection broke when it did', async () => {
    const breaking: Handler = (request) => request.socket.destroy();
    const sent = withService(breaking, (outbound) => outbound.send({ method: 'GET', path: '/' }));
    await expect(sent).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('broke') });
  });

  it('gives up a held request when its signal is aborted', async () => {
    const giveUp = new AbortController();
    const holding: Handler = () => giveUp.abort(new Error('no longer wanted'));
    const sent = withService(holding, (outbound) => outbound.send({ method: 'GET', path: '/', signal: giveUp.signal }));
    await expect(sent).rejects.toThrow('no longer wanted');
  });

  it('lets no key into an error or into the log of the finest level, however the service spells it', async () => {
    const logLines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => logLines.push(line) });
    const spelt = 'sk/odd+key=of mine7';
    const answers: Handler[] = [
      answering(400, JSON.stringify({ message: `what is ${encodeURIComponent(spelt)}?` })),
      answering(500, spelt),
      answering(302, '', { location: `https://elsewhere.example/?api_key=${encodeURIComponent(spelt)}` }),
      answering(422, JSON.stringify({ errors: [spelt, Buffer.from(spelt).toString('base64')] })),
      (request) => request.socket.destroy(),
      // Nothing comes, and too little: both are given up.
      () => undefined,
      (_, response) => void response.writeHead(200, { 'content-length': 100 }).write(spelt),
    ];
    for (const answer of answers) {
      const server = createServer(answer).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const target = () => Promise.resolve({ address: `http://127.0.0.1:${port}`, key: spelt });
      const outbound = createOutbound({
        target,
        name: 'the test service',
        logger,
        keyMayBeInAddress: true,
        answerLimitMs: 100,
      });
      const path = `/v2/x?given=${encodeURIComponent(spelt)}`;
      const send = () => outbound.send({ method: 'GET', path }).catch((thrown: unknown) => thrown);
      const failure = await observeRequests((line) => logLines.push(inspect(line)), send);
      logLines.push(inspect(failure, { depth: 10 }));
      logLines.push(inspect(await outbound.bytes({ path, from: 0, most: 9 }).catch((thrown: unknown) => thrown)));
      const signal = new AbortController().signal;
      logLines.push(inspect(await outbound.socket({ path, signal }).catch((thrown: unknown) => thrown)));
      const file = { body: Readable.from([Buffer.from('file')]), lengthBytes: 4, replaces: false };
      // There is no limit on the time of an upload.
      const soon = AbortSignal.any([signal, AbortSignal.timeout(100)]);
      const upload = () => outbound.upload({ path, ...file, signal: soon }).catch((thrown: unknown) => thrown);
      logLines.push(inspect(await observeRequests((line) => logLines.push(inspect(line)), upload), { depth: 10 }));
      await outbound.stop();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
    expect(logLines.length).toBeGreaterThan(4 * answers.length);
    expect(logLines.filter((text) => text.includes('did not answer in time')).length).toBeGreaterThan(4);
    expect(logLines.filter((text) => /odd|mine7|c2svb2/.test(text))).toEqual([]);
  });
});
