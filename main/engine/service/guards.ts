/** What every request must pass: a host name that is ours, a body within its limit, text that is text. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '#contract/errors.ts';
import { notUtf8 } from '../domain/jobRequest.ts';

export interface HostRule {
  /** Names besides the loopback ones. */
  allowedHosts: readonly string[];
  /** Whether the engine listens on more than loopback, so that bare addresses are asked for. */
  anyAddress: boolean;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** A web page must not reach the engine by pointing a name of its own at this machine: only names that are ours are served. */
export function checkHost(host: string | undefined, { allowedHosts, anyAddress }: HostRule): void {
  const name = (host ?? '').replace(/:\d+$/, '').toLowerCase();
  if (loopbackNames.has(name) || name.endsWith('.localhost') || /^127\.\d+\.\d+\.\d+$/.test(name)) return;
  if (allowedHosts.includes(name)) return;
  if (anyAddress && isIP(name.replace(/^\[|\]$/g, '')) !== 0) return;
  throw new AppError(
    'FORBIDDEN',
    `Requests for the host ${JSON.stringify(name)} are refused. Use the address of this engine, or allow the name in the settings.`,
  );
}

const megabytes = (bytes: number): string => `${Math.round((bytes / 1024 / 1024) * 100) / 100} MB (${bytes} bytes)`;

function tooLarge(limitBytes: number, seen: string): AppError {
  return new AppError(
    'TOO_LARGE',
    `The body is too large: at most ${megabytes(limitBytes)} are accepted here, ${seen}. Send large data by reference, for example through object storage.`,
  );
}

/** A body that is too large is read to its end, and thrown away, up to this many times the limit: only then can the sender hear why. */
const DRAIN_FACTOR = 2;

/** The request's body as text. Calls back with TOO_LARGE past the limit, BAD_REQUEST where it is not UTF-8. */
export function readBody(
  request: IncomingMessage,
  limitBytes: number,
  done: (error: AppError | null, text: string) => void,
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
  let parts: Buffer[] = [];
  let bytes = 0;
  let answered = false;
  const refuse = (): void => {
    answered = true;
    done(tooLarge(limitBytes, bytes >= declared ? `${bytes} were sent` : `${declared} were announced`), '');
  };
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= limitBytes) {
      parts.push(part);
      return;
    }
    parts = [];
    if (!answered && bytes > limitBytes * DRAIN_FACTOR) refuse();
  });
  request.on('end', () => {
    if (answered) return;
    if (bytes > limitBytes) {
      refuse();
      return;
    }
    const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    if (!isUtf8(body)) done(notUtf8(), '');
    else done(null, body.toString('utf8'));
  });
}
