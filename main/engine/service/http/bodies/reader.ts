/** Reads the bodies of requests: within their limits, as UTF-8 text, and large ones outside the event loop. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { notUtf8 } from '../../../domain/jobs/payload/requestParser.ts';
import type { Cancel } from '../../../domain/core/ports.ts';
import type { LargeBody } from '../../../domain/jobs/payload/largeBodies.ts';
import { INLINE_BYTES } from '../../../domain/jobs/payload/payloadRef.ts';
import type { BodyBudget } from './budget.ts';
import { isBrief, type JobRequest } from '../types.ts';

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const megabytes = (bytes: number): string => `${Math.round((bytes / 1024 / 1024) * 100) / 100} MB (${bytes} bytes)`;

/** A TOO_LARGE with the limit, and with `actual`: "30 were sent". */
export function tooLarge(limitBytes: number, actual: string): AppError {
  return new AppError(
    'TOO_LARGE',
    `The body is too large: at most ${megabytes(limitBytes)} are accepted here, ${actual}. Send large data by reference, for example through object storage.`,
  );
}

/**
 * A body that is too large is read and dropped up to this many times the limit, so that the sender reads the refusal.
 */
const DRAIN_FACTOR = 2;

/** Frees the memory of a part of a body at once: otherwise every few large bodies cause a garbage collection. */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  // Only where the part has the memory for itself.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Takes bodies above INLINE_BYTES, which would block the event loop. */
export interface LargeBodies {
  budget: BodyBudget;
  gather(): LargeBody;
  /** Takes over a body. It calls `release` once the body is no longer in memory. */
  take(body: LargeBody, release: Cancel): void;
}

/**
 * Calls `done` with the body as text, or hands it to `large`. `done` gets TOO_LARGE past `limitBytes`, and BAD_REQUEST
 * for a body that is not UTF-8 or has a content encoding.
 */
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
    // Reads on once there is room for the whole body.
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
    if (body && large && release) {
      large.take(body, release);
      return;
    }
    const [first = Buffer.alloc(0), ...others] = parts;
    deliver(others.length === 0 ? first : Buffer.concat(parts), done);
  });
}

function deliver(body: Buffer, done: (error: AppError | null, text: string) => void): void {
  if (!isUtf8(body)) done(notUtf8(), '');
  else done(null, body.toString('utf8'));
}
