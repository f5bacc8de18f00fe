/**
 * The headers that go from a caller to a worker or Pod and back: all but those of one connection, and no key of ours.
 *
 * The framing of a message is always written anew, from what Node's strict parser has read. So no header can make one
 * side of this proxy see two messages where the other sees one.
 */
import type { IncomingMessage } from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { SESSION_COOKIE } from '#contract/app/pageSession.ts';
import { POD_KEY_HEADER, POD_KEY_REFUSED_HEADER } from '#contract/api/podKey.ts';
import { CONNECTION_HEADERS } from '#contract/network/headers.ts';
import { AFFINITY_HEADER } from '../../domain/loadBalancing/affinity.ts';

/** Headers of one connection, and those of framing, which are written anew. */
const HOP_BY_HOP: readonly string[] = [...CONNECTION_HEADERS, 'content-length', 'transfer-encoding'];

/**
 * Headers that do not go to a worker: the keys of the engine, and `Expect`, which Node answers. The forwarding headers
 * are written anew, behind their earlier values.
 */
const NOT_SENT = new Set([
  ...HOP_BY_HOP,
  'authorization',
  'expect',
  'host',
  POD_KEY_HEADER,
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-forwarded-proto',
]);

/** The same for a Pod. Its authorization is its own: the engine takes a key for a Pod in another header. */
const NOT_SENT_TO_POD = new Set([...NOT_SENT].filter((name) => name !== 'authorization'));

/** Headers that do not come back from a Pod, and from a worker: the engine writes them itself. */
const NOT_ANSWERED_BY_POD = new Set([...HOP_BY_HOP, POD_KEY_REFUSED_HEADER]);
const NOT_ANSWERED = new Set([...NOT_ANSWERED_BY_POD, AFFINITY_HEADER.toLowerCase()]);

/** Matches a `TE` that accepts trailers (RFC 9110, section 10.1.4). */
const TRAILERS = /(?:^|,)\s*trailers\s*(?:,|$)/i;

/** The headers that `Connection` names; they belong to the connection too. */
function namedBy(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}

/** A Cookie header without the sessions of Hangar's own page; null without other cookies. */
function withoutSessions(cookies: string): string | null {
  if (!cookies.includes(SESSION_COOKIE)) return cookies;
  const others = cookies.split(';').filter((cookie) => !cookie.trim().startsWith(SESSION_COOKIE));
  return others.length === 0 ? null : others.join(';').trim();
}

/** Name, value, name, value: the lines of a message without those that `left` or `Connection` names. */
function endToEnd({ rawHeaders, headers }: IncomingMessage, left: ReadonlySet<string>): string[] {
  const named = namedBy(headers.connection);
  const lines: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [written = '', sent = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    const name = written.toLowerCase();
    if (left.has(name) || named.includes(name)) continue;
    const value = name === 'cookie' ? withoutSessions(sent) : sent;
    if (value !== null) lines.push(written, value);
  }
  return lines;
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Whether chunks are the only transfer coding. Node undoes chunks, and no other coding. */
const onlyChunked = (coding: string): boolean => coding.trim().toLowerCase() === 'chunked';

/** Throws BAD_REQUEST for a transfer coding other than chunks. */
export function checkCoding({ headers }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || onlyChunked(coding)) return;
  throw new AppError(
    'BAD_REQUEST',
    `The transfer coding ${JSON.stringify(coding)} is not passed on: send the body chunked, or with its length, and name its compression in Content-Encoding.`,
  );
}

/** The header lines that frame the body of a request. */
function framing({ headers, method }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked'];
  const length = headers['content-length'];
  if (length !== undefined) return ['Content-Length', length];
  // Without it Node would announce a body.
  return method === 'GET' || method === 'HEAD' ? [] : ['Content-Length', '0'];
}

/**
 * The headers of the request to a worker or Pod: name, value, name, value. `workerId`: null for a Pod. `prefix`: the
 * part of the path that the worker does not see; empty for none. `upgrade`: the protocol to change to; such a request
 * has no body.
 */
export function headersOnward(
  request: IncomingMessage,
  workerId: string | null,
  prefix: string,
  upgrade?: string,
): string[] {
  const { headers, rawHeaders, socket } = request;
  const host = headers.host ?? '';
  const hostName = rawHeaders.find((name, at) => at % 2 === 0 && name.toLowerCase() === 'host') ?? 'Host';
  const lines = [hostName, host, ...endToEnd(request, workerId === null ? NOT_SENT_TO_POD : NOT_SENT)];
  const caller = socket.remoteAddress ?? 'unknown';
  const before = one(headers['x-forwarded-for']);
  lines.push('X-Forwarded-For', before === undefined ? caller : `${before}, ${caller}`);
  lines.push('X-Forwarded-Proto', one(headers['x-forwarded-proto']) ?? 'http');
  lines.push('X-Forwarded-Host', one(headers['x-forwarded-host']) ?? host);
  const wholePrefix = (one(headers['x-forwarded-prefix']) ?? '') + prefix;
  if (wholePrefix !== '') lines.push('X-Forwarded-Prefix', wholePrefix);
  if (upgrade !== undefined) return [...lines, 'Connection', 'Upgrade', 'Upgrade', upgrade];
  lines.push(...framing(request));
  if (TRAILERS.test(one(headers.te) ?? '')) lines.push('TE', 'trailers');
  return lines;
}

/** The trailers that may be passed on, without those that belong in a head (RFC 9110, section 6.5.1). */
export function trailersOf({ rawTrailers }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawTrailers.length; at += 2) {
    const name = rawTrailers[at] ?? '';
    if (!NOT_SENT.has(name.toLowerCase())) pairs.push([name, rawTrailers[at + 1] ?? '']);
  }
  return pairs;
}

/** Whether an answer can be passed back as it is. This proxy undoes no transfer coding but chunks. */
export function canPassBack({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || onlyChunked(coding);
}

/** The headers of the answer to the caller. `bodiless`: the answer has no body, as after a change of protocols. */
export function headersBack(answer: IncomingMessage, workerId: string | null, bodiless = false): string[] {
  const lines = endToEnd(answer, workerId === null ? NOT_ANSWERED_BY_POD : NOT_ANSWERED);
  const length = answer.headers['content-length'];
  if (length !== undefined && !bodiless && answer.statusCode !== 204) lines.push('Content-Length', length);
  if (workerId !== null) lines.push(AFFINITY_HEADER, workerId);
  return lines;
}
