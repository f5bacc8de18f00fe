/**
 * Which headers go on from a caller to a worker or Pod and back: all but those that are about one connection, and no key of ours.
 *
 * Where a message ends is never taken over from the lines that came in: each side frames by what Node's strict parser has read, so
 * that no header can make one side of this proxy see two messages where the other sees one.
 */
import type { IncomingMessage } from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { SESSION_COOKIE } from '#contract/app/pageSession.ts';
import { AFFINITY_HEADER } from '../../domain/loadBalancing/affinity.ts';

/** Of one connection only (RFC 9110, section 7.6.1), and what says where a message ends, which is written anew. */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * What a worker's process must not see: the key that was good for the engine. Node answers `Expect` itself. The others are told
 * anew, with what they said before in front.
 */
const NOT_SENT = new Set([
  ...HOP_BY_HOP,
  'authorization',
  'expect',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-forwarded-proto',
]);

/** Nobody asks a caller of a Pod for a key of ours: what it is authorized by is between the two. */
const NOT_SENT_TO_POD = new Set([...NOT_SENT].filter((name) => name !== 'authorization'));

const NOT_ANSWERED = new Set([...HOP_BY_HOP, AFFINITY_HEADER.toLowerCase()]);

/** Whether `TE` says that trailers are understood (RFC 9110, section 10.1.4). */
const TRAILERS = /(?:^|,)\s*trailers\s*(?:,|$)/i;

/** Headers that `Connection` names belong to that connection too. */
function namedBy(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}

/** A Cookie header without the sessions of Hangar's own page; null where nothing else is in it. */
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
    const name = rawHeaders[at]!.toLowerCase();
    if (left.has(name) || named.includes(name)) continue;
    const value = name === 'cookie' ? withoutSessions(rawHeaders[at + 1]!) : rawHeaders[at + 1]!;
    if (value !== null) lines.push(rawHeaders[at]!, value);
  }
  return lines;
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Whether the message is chunked and coded in no other way: Node takes the chunks apart, and leaves any other coding as it is. */
const onlyChunked = (coding: string): boolean => coding.trim().toLowerCase() === 'chunked';

/** Throws where the body of a request is coded for its connection in a way that this proxy does not undo. */
export function checkCoding({ headers }: IncomingMessage): void {
  const coding = headers['transfer-encoding'];
  if (coding === undefined || onlyChunked(coding)) return;
  throw new AppError(
    'BAD_REQUEST',
    `The transfer coding ${JSON.stringify(coding)} is not passed on: send the body chunked, or with its length, and name its compression in Content-Encoding.`,
  );
}

/** The lines that say where the body of a request ends. */
function framing({ headers, method }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked'];
  const length = headers['content-length'];
  if (length !== undefined) return ['Content-Length', length];
  // Without it Node would announce a body.
  return method === 'GET' || method === 'HEAD' ? [] : ['Content-Length', '0'];
}

/**
 * Name, value, name, value, as they are sent. `workerId`: null for a Pod. `prefix`: of the path, which the worker does not see; ''
 * where there is none. `upgrade`: the protocol to change to, which makes it a request without a body; undefined for any other.
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

/** Those trailers of a message that may be passed on: none that belongs in a head (RFC 9110, section 6.5.1). */
export function trailersOf({ rawTrailers }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawTrailers.length; at += 2) {
    const name = rawTrailers[at]!;
    if (!NOT_SENT.has(name.toLowerCase())) pairs.push([name, rawTrailers[at + 1]!]);
  }
  return pairs;
}

/** Whether an answer can be passed back as it is: a coding of one connection would have to be undone first. */
export function canPassBack({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || onlyChunked(coding);
}

/** `bodiless`: of an answer that has no body whatever its headers say, such as one that changes protocols. */
export function headersBack(answer: IncomingMessage, workerId: string | null, bodiless = false): string[] {
  const lines = endToEnd(answer, workerId === null ? HOP_BY_HOP : NOT_ANSWERED);
  const length = answer.headers['content-length'];
  if (length !== undefined && !bodiless && answer.statusCode !== 204) lines.push('Content-Length', length);
  if (workerId !== null) lines.push(AFFINITY_HEADER, workerId);
  return lines;
}
