/**
 * Reads requests that arrived whole, in one piece, and hold nothing unusual: nearly all that clients and workers send over
 * and over. Whatever else there is in HTTP is left to Node's parser; in doubt, so is the request.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { BriefRequest } from '../types.ts';

/** Larger ones are rare, and are better read as they come. */
export const BRIEF_BYTES = 64 * 1024;

const HEAD_END = Buffer.from('\r\n\r\n');
const HEAD_BYTES = 8 * 1024;
/** The first byte of a POST, and of no other request that is read here. */
export const POST = 0x50;
const GET_START = Buffer.from('GET /');
const POST_START = Buffer.from('POST /');
const LINE_REST = Buffer.from(' HTTP/1.1\r\n');
const SPACE = 0x20;
const HASH = 0x23;
const LAST_VISIBLE = 0x7e;
/** Line ends that are none, and what is not a visible sign of ASCII, a space or a tab. */
const STRANGE = /[^\t\r\n\x20-\x7e]|\r(?!\n)|(?<!\r)\n/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LENGTH = /^\d{1,6}$/;
/** With one of these a request is more than its head and a body of a known length. */
const unusual: ReadonlySet<string> = new Set(['expect', 'trailer', 'transfer-encoding', 'upgrade']);

/** The lines below the request line and what they say. A connection sends the same ones again and again. */
export interface KnownHeaders {
  /** All of them, to the end of the head. */
  readonly block: Buffer;
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
}

/** Null where there is anything in the lines that a brief request does not have. */
function readHeaders(bytes: Buffer, from: number): KnownHeaders | null {
  const headEnd = bytes.indexOf(HEAD_END, from);
  if (headEnd < 0 || headEnd > HEAD_BYTES) return null;
  const lines = bytes.toString('latin1', from, headEnd);
  if (STRANGE.test(lines)) return null;
  const headers: Record<string, string> = {};
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    // A name that comes twice, or is one of every object's own.
    if (!NAME.test(name) || name in headers || unusual.has(name)) return null;
    headers[name] = line.slice(colon + 1).trim();
  }
  const { connection = 'keep-alive', host, 'content-length': length = '0' } = headers;
  if (host === undefined || connection.toLowerCase() !== 'keep-alive' || !LENGTH.test(length)) return null;
  // A copy: what the connection brought is in a larger piece of memory.
  const block = Buffer.from(bytes.subarray(from, headEnd + HEAD_END.length));
  return { block, host, headers, bodyBytes: Number(length) };
}

// Byte by byte: for so few, a call of Node's own comparison costs more.
function holds(bytes: Buffer, pattern: Buffer, at: number): boolean {
  if (bytes.length < at + pattern.length) return false;
  for (let i = 0; i < pattern.length; i++) if (bytes[at + i] !== pattern[i]) return false;
  return true;
}

/** Where the path ends that begins at `from`, when nothing is in it that cannot be in a path. */
function pathEnd(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]!; byte > SPACE && byte <= LAST_VISIBLE && byte !== HASH; byte = bytes[++at]!);
  return at;
}

export interface BriefRead {
  readonly request: BriefRequest;
  readonly headers: KnownHeaders;
}

/**
 * Parses `bytes` as exactly one request; null where they are anything else. A head block equal to that of `cached` is not parsed
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
