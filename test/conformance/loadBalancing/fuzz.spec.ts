/**
 * Two callers of one worker, one of whom sends requests that are framed in every wrong way, to a server that answers in every wrong
 * way: no byte of one may come to the other, and nothing inside a body may reach the worker as a request.
 */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFullTier, type Random } from '../../support/core/random.ts';
import { randomOfTest } from '../../support/core/randomOfTest.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { openSocket, type RawSocket } from '../../support/http/rawSocket.ts';
import { WAYS } from '../../support/loadBalancing/echoApp.ts';
import { makeBalanced } from '../../support/loadBalancing/endpoint.ts';

const CRLF = '\r\n';
/** `HANGAR_TEST_CALLERS=100000` for the fuzz at length. */
const PAIRS = Number(process.env['HANGAR_TEST_CALLERS'] ?? (isFullTier ? 3000 : 200));
const AT_ONCE = 8;

let engine: TestEngine;
let endpointId: string;
beforeAll(async () => {
  engine = await startEngine();
  const program = join(import.meta.dirname, '../../support/loadBalancing/echoApp.ts');
  endpointId = (await makeBalanced(engine, { endpoint: { workersMin: 1 }, program })).id;
});
afterAll(() => engine.close());

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
const CONNECTION = [
  'close',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'host, content-length',
  'te',
  'trailer',
];
const UPGRADES = ['websocket', 'h2c', 'other'];

type Framing = (body: string) => { headers: string[]; body: string };

const chunked = (body: string, end = `0${CRLF}${CRLF}`): string =>
  `${body.length.toString(16)}${CRLF}${body}${CRLF}${end}`;

const FRAMINGS: readonly Framing[] = [
  () => ({ headers: [], body: '' }),
  (body) => ({ headers: [`Content-Length: ${body.length}`], body }),
  (body) => ({ headers: [`Content-Length: ${body.length}`], body }),
  (body) => ({ headers: ['Transfer-Encoding: chunked'], body: chunked(body) }),
  // What nobody announced is the next request of the same caller.
  (body) => ({ headers: [], body }),
  (body) => ({ headers: ['Content-Length: 5'], body }),
  (body) => ({ headers: [`Content-Length: ${body.length}`, `content-length: ${body.length}`], body }),
  (body) => ({ headers: ['Content-Length: 0', `Content-Length: ${body.length}`], body }),
  (body) => ({ headers: [`Content-Length: +${body.length}`], body }),
  (body) => ({ headers: [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'], body: chunked(body) }),
  (body) => ({ headers: ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], body: chunked(body) }),
  (body) => ({ headers: ['Transfer-Encoding: gzip, chunked'], body: chunked(body) }),
  (body) => ({ headers: ['Transfer-Encoding: xchunked'], body: chunked(body) }),
  (body) => ({ headers: ['Transfer-Encoding : chunked', `Content-Length: ${body.length}`], body }),
  (body) => ({
    headers: ['Transfer-Encoding: chunked'],
    body: chunked('', `0${CRLF}Content-Length: 9${CRLF}${CRLF}`) + body,
  }),
  (body) => ({ headers: ['Transfer-Encoding: chunked'], body: `${chunked(body, '')}zz${CRLF}` }),
  (body) => ({
    headers: ['Trailer: X-Sum', 'Transfer-Encoding: chunked'],
    body: chunked(body, `0${CRLF}X-Sum: 1${CRLF}${CRLF}`),
  }),
];

/** The text of what one caller sends; `token` is in every part of it. */
function requestOf(token: string, random: Random): string {
  const oneOf = <Value>(values: readonly Value[]): Value => values[random.below(values.length)]!;
  const hidden = `GET /hidden?token=${token} HTTP/1.1${CRLF}Host: worker${CRLF}${CRLF}`;
  const { headers, body } = oneOf(FRAMINGS)(hidden.repeat(1 + random.below(2)));
  const lines = [
    `${oneOf(METHODS)} /lb/${endpointId}/?token=${token}&way=${oneOf(WAYS)} HTTP/1.1`,
    `Host: 127.0.0.1:${engine.port}`,
    `Authorization: Bearer ${engine.key}`,
    ...headers,
  ];
  if (random.below(2) === 0) lines.push(`Connection: ${oneOf(CONNECTION)}`);
  if (random.below(4) === 0) {
    lines.push('Connection: Upgrade', `Upgrade: ${oneOf(UPGRADES)}`, 'Sec-WebSocket-Version: 13');
    lines.push('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==');
  }
  if (random.below(8) === 0) lines.push('Expect: 100-continue');
  if (random.below(16) === 0) lines.push('Host: other');
  const text = [...lines, '', body].join(CRLF);
  return random.below(12) === 0 ? text.slice(0, text.length - random.below(body.length + 1)) : text;
}

const plainRequest = (token: string): string =>
  `GET /lb/${endpointId}/?token=${token} HTTP/1.1${CRLF}Host: 127.0.0.1:${engine.port}${CRLF}` +
  `Authorization: Bearer ${engine.key}${CRLF}Connection: close${CRLF}${CRLF}`;

/**
 * Everything that a caller is answered until its connection ends. A caller who is left hanging fails with what it sent.
 */
const allOf = (socket: RawSocket, sent: string): Promise<string> =>
  socket.closed().catch((cause: unknown) => {
    throw new Error(`This caller was left without an end of its connection:\n${sent}`, { cause });
  });

/** Every token that is in what one caller was answered. */
const tokensIn = (text: string): string[] => [...new Set(text.match(/\bt\d+[ab]\b/g) ?? [])];

async function pair(number: number, random: Random): Promise<void> {
  const [a, b] = [`t${number}a`, `t${number}b`];
  using wrong = await openSocket(engine.port);
  const sent = requestOf(a, random);
  wrong.send(sent);
  // The other comes at once, a little later, or once the first has been served.
  const order = random.below(3);
  if (order === 1) for (let turns = random.below(20); turns > 0; turns--) await setImmediate();
  if (order === 2) {
    wrong.socket.end();
    await allOf(wrong, sent);
  }
  using plain = await openSocket(engine.port);
  plain.send(plainRequest(b));
  const answer = await allOf(plain, plainRequest(b));
  wrong.socket.end();
  const others = await allOf(wrong, sent);
  const what = `the callers of pair ${number}; one sent:\n${sent}\nit was answered:\n${others}\nthe other:\n${answer}\n`;
  expect.soft(tokensIn(others), what).not.toContain(b);
  expect.soft(tokensIn(answer), what).toEqual([b]);
  expect(answer.match(/HTTP\/1\.1 /g), what).toHaveLength(1);
}

test('a caller is never answered with a byte of another, however wrong the requests and answers beside its own are', async () => {
  const random = randomOfTest();
  let next = 0;
  const callers = async (): Promise<void> => {
    for (let number = next++; number < PAIRS; number = next++) await pair(number, random);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, callers));
  const { json } = await engine.http.get(`/lb/${endpointId}/smuggled`);
  expect(json).toEqual([]);
});
