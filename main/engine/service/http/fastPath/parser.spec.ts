/** What counts as a brief request, held against Node's parser. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BRIEF_BYTES, readBrief } from './parser.ts';

const HOST = 'host: 127.0.0.1:8123';
const get = (...lines: string[]): Buffer => Buffer.from([...lines, '', ''].join('\r\n'), 'latin1');
const read = (bytes: Buffer) => readBrief(bytes, null)?.request ?? null;
const post = (body: string, ...lines: string[]): Buffer =>
  Buffer.concat([get('POST /v2/e/run HTTP/1.1', HOST, ...lines), Buffer.from(body)]);

describe('a brief request', () => {
  test('has its method, path, headers and body', () => {
    expect(read(post('{"input":"ü"}', 'Content-Length: 14', 'Authorization:Bearer k \t'))).toMatchObject({
      method: 'POST',
      url: '/v2/e/run',
      headers: { host: '127.0.0.1:8123', 'content-length': '14', authorization: 'Bearer k' },
      body: Buffer.from('{"input":"ü"}'),
    });
    expect(read(get('GET /v2/e/status/j?ttl=5 HTTP/1.1', HOST, 'connection: Keep-Alive'))?.url).toBe(
      '/v2/e/status/j?ttl=5',
    );
  });

  test('whose lines were read before takes them as they were, and reads others anew', () => {
    const first = readBrief(get('GET /v2/e/status/a HTTP/1.1', HOST), null)!;
    const same = readBrief(get('GET /v2/e/status/b HTTP/1.1', HOST), first.headers)!;
    expect(same.headers).toBe(first.headers);
    expect(same.request.url).toBe('/v2/e/status/b');
    const other = readBrief(get('GET /v2/e/status/b HTTP/1.1', HOST, 'x: y'), first.headers)!;
    expect(other.request.headers).toMatchObject({ x: 'y' });
  });
});

const line = 'GET /v2/e/health HTTP/1.1';
test.each<[what: string, bytes: Buffer]>([
  ['a head that has not ended', Buffer.from(`${line}\r\n${HOST}\r\n`)],
  ['a body that has not ended', post('{}', 'content-length: 3')],
  ['more than one request', Buffer.concat([get(line, HOST), get(line, HOST)])],
  ['a body without a length', post('{}')],
  ['a body in chunks', post('2\r\n{}\r\n0\r\n\r\n', 'transfer-encoding: chunked')],
  ['two lengths', post('{}', 'content-length: 2', 'content-length: 2')],
  ['a length that is no whole number', post('{}', 'content-length: +2')],
  ['a client that waits to be told to go on', post('{}', 'content-length: 2', 'expect: 100-continue')],
  ['a change of protocol', get(line, HOST, 'connection: upgrade', 'upgrade: websocket')],
  ['an end after the answer', get(line, HOST, 'connection: close')],
  ['no host', get(line, 'accept: */*')],
  ['a host in the request line', get('GET http://127.0.0.1/v2/e/health HTTP/1.1', HOST)],
  ['an old version of HTTP', get('GET /v2/e/health HTTP/1.0', HOST)],
  ['another method', get('PUT /v2/e/health HTTP/1.1', HOST)],
  ['a space in the path', get('GET /v2/e /health HTTP/1.1', HOST)],
  ['a line that goes on in the next', get(line, HOST, 'x: a', ' b')],
  ['a space before the colon', get(line, 'host : 127.0.0.1')],
  ['a line without a colon', get(line, HOST, 'nothing')],
  ['a bare line feed', Buffer.from(`${line}\r\n${HOST}\nx: y\r\n\r\n`)],
  ['a bare carriage return', get(line, HOST, 'x: a\rb')],
  ['a control sign', get(line, HOST, 'x: a\u0000b')],
  ['a sign beyond ASCII', get(line, HOST, 'x: \u00fc')],
  ['a name of every object', get(line, HOST, '__proto__: x')],
  ['a long head', get(line, HOST, `x: ${'y'.repeat(9000)}`)],
  ['a long body', post('x'.repeat(BRIEF_BYTES), `content-length: ${BRIEF_BYTES}`)],
])('%s is left to Node', (_what, bytes) => {
  expect(read(bytes)).toBeNull();
});

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

describe('beside Node', () => {
  let server: Server;
  let seen: ((what: Seen | null) => void) | null = null;
  beforeAll(() => {
    server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      let body = '';
      request.setEncoding('latin1').on('data', (text: string) => (body += text));
      request.on('end', () => {
        response.end();
        seen?.({ method, url, headers, body });
      });
    });
    server.on('clientError', () => seen?.(null));
  });
  afterAll(() => server.close());

  /** What Node makes of it; null where it refuses it or waits for more. */
  async function nodes(bytes: Buffer): Promise<Seen | null> {
    const [client, served] = duplexPair();
    const parsed = new Promise<Seen | null>((resolve) => (seen = resolve));
    server.emit('connection', served);
    client.resume().end(bytes);
    const answer = await parsed;
    client.destroy();
    served.destroy();
    return answer;
  }

  const some = fc.string({ unit: 'binary-ascii', maxLength: 8 });
  const headerLine = fc.oneof(
    fc.constantFrom(
      HOST,
      'Accept: */*',
      'authorization: Bearer k',
      'x:\t y ',
      'content-length: 2',
      'connection: close',
    ),
    fc
      .tuple(fc.constantFrom('x', 'X-Y', 'cookie', 'te', 'content-length', ' a', 'toString'), some)
      .map((of) => of.join(': ')),
    some,
  );
  const requests = fc
    .tuple(
      fc.oneof(
        fc.constantFrom(line, 'POST /v2/e/run HTTP/1.1', 'GET /v2/e/status/j?a=%20 HTTP/1.1'),
        some.map((text) => `GET /${text} HTTP/1.1`),
      ),
      fc.array(headerLine, { maxLength: 4 }),
      fc.constantFrom('', '{}', '{}\r\n'),
    )
    .map(([first, lines, body]) => Buffer.concat([get(first, HOST, ...lines), Buffer.from(body)]));

  test('whatever is taken for a brief request is the same request to Node', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(requests, async (bytes) => {
        const brief = read(bytes);
        if (!brief) return;
        taken++;
        const { method, url, headers, body } = brief;
        expect({ method, url, headers: { ...headers }, body: body.toString('latin1') }).toEqual(await nodes(bytes));
      }),
      { numRuns: 2000 },
    );
    // Most of them are odd; if none were taken, nothing would have been compared.
    expect(taken).toBeGreaterThan(100);
  });
});
