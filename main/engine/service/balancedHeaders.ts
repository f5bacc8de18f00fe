/** Which headers go on from a caller to a worker or Pod and back: all but those that are about one connection, and no key of ours. */
import type { IncomingMessage } from 'node:http';
import { AFFINITY_HEADER } from '../domain/balancerAffinity.ts';

/** Of one connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
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
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-forwarded-proto',
]);

/** Nobody asks a caller of a Pod for a key of ours: what it is authorized by is between the two. */
const NOT_SENT_TO_POD = new Set([...NOT_SENT].filter((name) => name !== 'authorization'));

const NOT_ANSWERED = new Set([...HOP_BY_HOP, AFFINITY_HEADER.toLowerCase()]);

/**
 * Never of one connection only, whatever `Connection` says. Node sends the body of a GET without its length as bare bytes, and the
 * worker would read them as the next request.
 */
const ALWAYS_SENT: readonly string[] = ['content-length', 'host'];

/** Whether `TE` says that trailers are understood (RFC 9110, section 10.1.4). */
const TRAILERS = /(?:^|,)\s*trailers\s*(?:,|$)/i;

/** Headers that `Connection` names belong to that connection too. */
function namedBy(connection: string | undefined): readonly string[] {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return [];
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !ALWAYS_SENT.includes(name));
}

function kept({ rawHeaders, headers }: IncomingMessage, left: ReadonlySet<string>): string[] {
  const named = namedBy(headers.connection);
  const lines: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!left.has(name) && !named.includes(name)) lines.push(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return lines;
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Name, value, name, value, as they are sent. `workerId`: null for a Pod. `prefix`: of the path, which the worker does not see; ''
 * where there is none.
 */
export function headersOnward(request: IncomingMessage, workerId: string | null, prefix: string): string[] {
  const { headers, method, socket } = request;
  const lines = kept(request, workerId === null ? NOT_SENT_TO_POD : NOT_SENT);
  const caller = socket.remoteAddress ?? 'unknown';
  const before = one(headers['x-forwarded-for']);
  lines.push('X-Forwarded-For', before === undefined ? caller : `${before}, ${caller}`);
  lines.push('X-Forwarded-Proto', one(headers['x-forwarded-proto']) ?? 'http');
  lines.push('X-Forwarded-Host', one(headers['x-forwarded-host']) ?? headers.host ?? '');
  const wholePrefix = (one(headers['x-forwarded-prefix']) ?? '') + prefix;
  if (wholePrefix !== '') lines.push('X-Forwarded-Prefix', wholePrefix);
  if (headers['transfer-encoding'] !== undefined) lines.push('Transfer-Encoding', 'chunked');
  else if (headers['content-length'] === undefined && method !== 'GET' && method !== 'HEAD') {
    // Without it Node would announce a body.
    lines.push('Content-Length', '0');
  }
  if (TRAILERS.test(one(headers.te) ?? '')) lines.push('TE', 'trailers');
  return lines;
}

export function headersBack(answer: IncomingMessage, workerId: string | null): string[] {
  if (workerId === null) return kept(answer, HOP_BY_HOP);
  const lines = kept(answer, NOT_ANSWERED);
  lines.push(AFFINITY_HEADER, workerId);
  return lines;
}
