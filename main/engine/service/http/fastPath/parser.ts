/**
 * Parses requests that arrived whole, in one piece, with nothing unusual: nearly all requests of clients and workers.
 * Any other request is left to Node's parser.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { BriefRequest } from '../types.ts';

/** The most bytes of a request; Node reads larger ones. */
export const BRIEF_BYTES = 64 * 1024;

const HEAD_END = Buffer.from('\r\n\r\n');
const HEAD_BYTES = 8 * 1024;
/** The first byte of a POST, and not of a GET. */
export const POST = 0x50;
const GET_START = Buffer.from('GET /');
const POST_START = Buffer.from('POST /');
const LINE_REST = Buffer.from(' HTTP/1.1\r\n');
const SPACE = 0x20;
const HASH = 0x23;
const LAST_VISIBLE = 0x7e;
/** A lone CR or LF, or a character other than visible ASCII, space and tab. */
const STRANGE = /[^\t\r\n\x20-\x7e]|\r(?!\n)|(?<!\r)\n/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LENGTH = /^\d{1,6}$/;
/** Headers that make a request more than a head and a body of known length. */
const unusual: ReadonlySet<string> = new Set(['expect', 'trailer', 'transfer-encoding', 'upgrade']);

/** The header lines of a request, parsed. A connection repeats the same lines. */
export interface KnownHeaders {
  /** Their bytes, to the end of the head. */
  readonly block: Buffer;
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
}

/** The parsed header lines; null where Node has to read them. */
function readHeaders(bytes: Buffer, from: number): KnownHeaders | null {
  const headEnd = bytes.indexOf(HEAD_END, from);
  if (headEnd < 0 || headEnd > HEAD_BYTES) return null;
  const lines = bytes.toString('latin1', from, headEnd);
  if (STRANGE.test(lines)) return null;
  const headers: Record<string, string> = {};
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    // A repeated name, or a name of Object.prototype.
    if (!NAME.test(name) || name in headers || unusual.has(name)) return null;
    headers[name] = line.slice(colon + 1).trim();
  }
  const { connection = 'keep-alive', host, 'content-length': length = '0' } = headers;
  if (host === undefined || connection.toLowerCase() !== 'keep-alive' || !LENGTH.test(length)) return null;
  // A copy: the bytes are part of a larger buffer.
  const block = Buffer.from(bytes.subarray(from, headEnd + HEAD_END.length));
  return { block, host, headers, bodyBytes: Number(length) };
}

// Byte by byte: for so few bytes, Buffer.compare costs more.
function holds(bytes: Buffer, pattern: Buffer, at: number): boolean {
  if (bytes.length < at + pattern.length) return false;
  for (let i = 0; i < pattern.length; i++) if (bytes[at + i] !== pattern[i]) return false;
  return true;
}

/** The end of the path that begins at `from`: the first byte that cannot be part of a path. */
function pathEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at] ?? 0; byte > SPACE && byte <= LAST_VISIBLE && byte !== HASH; byte = bytes[++at] ?? 0);
  return at;
}

export interface BriefRead {
  readonly request: BriefRequest;
  readonly headers: KnownHeaders;
}

/**
 * Parses `bytes` as exactly one request; null for anything else. Header lines equal to those of `cached` are not parsed
 * again.
 */
export function readBrief(bytes: Buffer, cached: KnownHeaders | null): BriefRead | null {
  if (bytes.length > BRIEF_BYTES) return null;
  const start = bytes[0] === POST ? POST_START : GET_START;
  if (!holds(bytes, start, 0)) return null;
  const pathAt = start.length - 1;
  const pathTo = pathEnd(bytes, pathAt);
  if (pathTo > HEAD_BYTES || !holds(bytes, LINE_REST, pathTo)) return null;
  const linesAt = pathTo + LINE_REST.length;
  const headers = cached !== null && holds(bytes, cached.block, linesAt) ? cached : readHeaders(bytes, linesAt);
  if (headers === null) return null;
  const bodyAt = linesAt + headers.block.length;
  if (headers.bodyBytes !== bytes.length - bodyAt) return null;
  return {
    headers,
    request: {
      method: start === POST_START ? 'POST' : 'GET',
      url: bytes.toString('latin1', pathAt, pathTo),
      headers: headers.headers,
      body: bytes.subarray(bodyAt),
      complete: true,
      readableFlowing: null,
    },
  };
}
