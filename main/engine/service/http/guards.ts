/** What every request must pass: a host name that is ours, a body within its limit, text that is text. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '#contract/core/errors.ts';
import { notUtf8 } from '../../domain/jobs/payload/requestParser.ts';
import type { Cancel } from '../../domain/core/ports.ts';
import type { LargeBody } from '../../domain/jobs/payload/largeBodies.ts';
import { INLINE_BYTES } from '../../domain/jobs/payload/payloadRef.ts';
import type { BodyBudget } from './bodyBudget.ts';
import { isBrief, type JobRequest } from './types.ts';

export interface HostRule {
  /** Names besides the loopback ones. */
  allowedHosts: readonly string[];
  /** Whether the engine listens on more than loopback, so that bare addresses are asked for. */
  anyAddress: boolean;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

const nameOf = (host: string | undefined): string => (host ?? '').replace(/:\d+$/, '').toLowerCase();

/** A web page must not reach the engine by pointing a name of its own at this machine: only names that are ours are served. */
export function isServedHost(host: string | undefined, { allowedHosts, anyAddress }: HostRule): boolean {
  const name = nameOf(host);
  if (loopbackNames.has(name) || name.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(name)) return true;
  return allowedHosts.includes(name) || (anyAddress && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
}

export function checkHost(host: string | undefined, rule: HostRule): void {
  if (isServedHost(host, rule)) return;
  throw new AppError(
    'FORBIDDEN',
    `Requests for the host ${JSON.stringify(nameOf(host))} are refused. Use the address of this engine, or allow the name in the settings.`,
  );
}

/**
 * A request line may hold the whole address, as it is sent to a proxy: then that address counts and not the Host header.
 * Throws BAD_REQUEST where it is neither that nor a path.
 */
export function takeOrigin(request: IncomingMessage): void {
  checkOneHost(request);
  const target = request.url!;
  if (target.startsWith('/') || target === '*') return;
  const url = URL.canParse(target) ? new URL(target) : null;
  if (url?.protocol !== 'http:') {
    throw new AppError('BAD_REQUEST', 'The request line must hold a path, or an http address with one.');
  }
  request.headers.host = url.host;
  request.url = url.pathname + url.search;
}

/** Node takes the first of two, and whoever the request is passed on to may take the second. */
function checkOneHost({ rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === 'host') hosts++;
  if (hosts > 1) throw new AppError('BAD_REQUEST', `The request has ${hosts} Host headers: one says whom it is for.`);
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** A request that asks to change protocols has no body: what follows it is the other protocol's already. */
export function checkUpgrade(request: IncomingMessage): void {
  if (!hasBody(request)) return;
  throw new AppError(
    'BAD_REQUEST',
    'A request that asks to change protocols has no body: leave out Content-Length and Transfer-Encoding.',
  );
}

const megabytes = (bytes: number): string => `${Math.round((bytes / 1024 / 1024) * 100) / 100} MB (${bytes} bytes)`;

export function tooLarge(limitBytes: number, actual: string): AppError {
  return new AppError(
    'TOO_LARGE',
    `The body is too large: at most ${megabytes(limitBytes)} are accepted here, ${actual}. Send large data by reference, for example through object storage.`,
  );
}

/** A body that is too large is read to its end, and thrown away, up to this many times the limit: only then can the sender hear why. */
const DRAIN_FACTOR = 2;

/** Gives back what a part of a body took. Left to the garbage collector, every few large bodies would call for a collection. */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  // The part must have had it for itself.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Takes bodies above 256 KB: those are not for the event loop. */
export interface LargeBodies {
  budget: BodyBudget;
  gather(): LargeBody;
  /** `release` is to be called once the body is no longer in memory. */
  take(body: LargeBody, release: Cancel): void;
}

/** The request's body as text, or handed to `large`. Calls back with TOO_LARGE past the limit, BAD_REQUEST where it is not UTF-8. */
export function readBody(
  request: JobRequest,
  limitBytes: number,
  done: (error: AppError | null, text: string) => void,
  large?: LargeBodies,
): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    done(new AppError('BAD_REQUEST', `Content-Encoding ${encoding} is not accepted; send the body as it is.`), '');
    return;
  }
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limitBytes * DRAIN_FACTOR) {
    done(tooLarge(limitBytes, `${declared} were announced`), '');
    return;
  }
  if (isBrief(request)) {
    if (declared > limitBytes) done(tooLarge(limitBytes, `${declared} were sent`), '');
    else deliver(request.body, done);
    return;
  }
  let parts: Buffer[] = [];
  let body: LargeBody | null = null;
  let release: Cancel | null = null;
  let bytes = 0;
  let over = false;
  const refuse = (): void => {
    over = true;
    done(tooLarge(limitBytes, bytes >= declared ? `${bytes} were sent` : `${declared} were announced`), '');
  };
  const drop = (): void => {
    parts = [];
    body?.drop();
    body = null;
    release?.();
  };
  const collect = ({ budget, gather }: LargeBodies): void => {
    // Nothing more is read until there is room for all of it.
    request.pause();
    const roomBytes = declared > 0 ? declared : limitBytes;
    release = budget.claim(roomBytes, () => {
      body = gather();
      for (const part of parts) body.add(part);
      parts = [];
      request.resume();
    });
    request.on('close', () => {
      if (!over) drop();
    });
  };
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > limitBytes || declared > limitBytes) {
      drop();
      if (!over && bytes > limitBytes * DRAIN_FACTOR) refuse();
    } else if (body) {
      body.add(part);
    } else {
      parts.push(part);
      if (large && bytes > INLINE_BYTES) collect(large);
    }
  });
  request.on('end', () => {
    if (over) return;
    if (bytes > limitBytes) {
      refuse();
      return;
    }
    over = true;
    if (body) {
      large!.take(body, release!);
      return;
    }
    deliver(parts.length === 1 ? parts[0]! : Buffer.concat(parts), done);
  });
}

function deliver(body: Buffer, done: (error: AppError | null, text: string) => void): void {
  if (!isUtf8(body)) done(notUtf8(), '');
  else done(null, body.toString('utf8'));
}
