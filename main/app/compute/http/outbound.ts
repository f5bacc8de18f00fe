/** Every request the app sends to an account: adds the key, maps what goes wrong to words for a person, lets no key out. */
import { Readable } from 'node:stream';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from 'pino';
import { Agent, request, type Dispatcher } from 'undici';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { neverWrite, redact } from '../../platform/redaction.ts';
import { requestSent, type SentRequest } from '../../platform/requestObserver.ts';

export interface Target {
  /** Base address without a trailing slash. */
  address: string;
  key: string;
}

export interface OutboundOptions {
  /** Asked before every request: an engine that was started again may have moved. Rejects when there is nothing to reach. */
  target: (signal: AbortSignal | undefined) => Promise<Target>;
  /** How the other side is called in messages, such as "the engine on this machine". */
  name: string;
  logger: Logger;
  /** Whether a key that was not taken in the header may be sent in the address: some services take it nowhere else. */
  keyMayBeInAddress?: boolean;
  /** How long an answer that is not held on purpose is waited for. */
  answerLimitMs?: number;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash; ids in it are already encoded. */
  path: string;
  /** JSON text, sent exactly as it is. */
  body?: string;
  signal?: AbortSignal | undefined;
  /** How long the other side may hold the request open on purpose; added to the usual limit. */
  holdMs?: number;
}

/** A file that is sent as it comes: `body` is asked for the next piece only once the one before is on its way. */
export interface Upload {
  path: string;
  body: AsyncIterable<Uint8Array>;
  lengthBytes: number;
  /** Whether what has its name already may be replaced. */
  replaces: boolean;
  /** The only end of an upload that nobody goes on with. */
  signal: AbortSignal;
}

export interface Outbound {
  /** Sends and answers the body of a 2xx answer as text. Rejects with AppError, or with the signal's reason. */
  send(call: Call): Promise<string>;
  /**
   * Opens a stream of server-sent events and yields the pieces of its text as they come. Rejects as `send` does, also when the
   * other side falls silent for longer than a living stream does.
   */
  events(call: Pick<Call, 'path'> & { signal: AbortSignal }): AsyncGenerator<string, void, void>;
  /** Rejects as `send` does. */
  upload(call: Upload): Promise<string>;
  /** The bytes from `from`, `most` of them at most. Rejects as `send` does. */
  bytes(call: Pick<Call, 'path'> & { from: number; most: number }): Promise<Uint8Array>;
  /** Opens a WebSocket. Rejects as `send` does; a later failure arrives as its `close` event. */
  socket(call: Pick<Call, 'path'> & { signal: AbortSignal }): Promise<WebSocket>;
  stop(): Promise<void>;
}

type Options = Omit<NonNullable<Parameters<typeof request>[1]>, 'headers'>;

/** What a person waits at most for an answer that is not held on purpose. */
const ANSWER_LIMIT_MS = 30_000;

/** A stream of events that has nothing to tell still shows that it lives, this often at least. */
const SILENCE_LIMIT_MS = 4 * limits.eventStreamPulseMs;

const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'FORBIDDEN',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'UPSTREAM_TIMEOUT',
  409: 'CONFLICT',
  410: 'UNSUPPORTED',
  413: 'TOO_LARGE',
  422: 'BAD_REQUEST',
  429: 'TOO_MANY_REQUESTS',
  501: 'UNSUPPORTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
  507: 'STORAGE_FULL',
  // Of what stands before a service, when that took too long or was not there.
  520: 'UNAVAILABLE',
  521: 'UNAVAILABLE',
  522: 'UNAVAILABLE',
  523: 'UNAVAILABLE',
  524: 'UPSTREAM_TIMEOUT',
};

/** The shapes that services answer errors in; the first text found is shown. */
const errorBodySchema = z.looseObject({
  message: z.string().optional(),
  error: z.union([z.string(), z.looseObject({ message: z.string() })]).optional(),
  /** The list of errors of a problem document. */
  detail: z.string().optional(),
  errors: z
    .array(z.union([z.string(), z.looseObject({ message: z.string() }).transform(({ message }) => message)]))
    .optional()
    .catch(undefined),
});

function explanation(body: string): string | null {
  try {
    const { message, error, detail, errors = [] } = errorBodySchema.parse(JSON.parse(body));
    const text = message ?? (typeof error === 'object' ? error.message : error) ?? detail;
    return [...(text ? [text] : []), ...errors].join(' ') || null;
  } catch {
    // Not JSON, such as a proxy's HTML page: its text would not help a person.
    return null;
  }
}

/** Failures of the connection itself that are sure to have happened before anything was sent. */
const nothingSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function connectionError(thrown: unknown, name: string): AppError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (nothingSent.has(code)) {
    return new AppError('UNAVAILABLE', `Cannot reach ${name} (${code}). Nothing was sent.`, { cause: thrown });
  }
  if (code.startsWith('UND_ERR_') && code.endsWith('_TIMEOUT')) {
    return new AppError('UNAVAILABLE', `${name} did not answer in time.`, {
      details: { sent: 'maybe' },
      cause: thrown,
    });
  }
  return new AppError('UNAVAILABLE', `The connection to ${name} broke before the answer was complete.`, {
    details: { sent: 'maybe' },
    cause: thrown,
  });
}

/** The message for a redirect. Redirects are not followed: the key would go to the other address as well. */
function redirected(name: string, from: string, location: string | string[] | undefined): string {
  const sentence = `${name} sends requests on to another address`;
  const url = typeof location === 'string' && URL.canParse(location, from) ? new URL(location, from) : null;
  return `${sentence}${url === null ? '' : `, at ${url.origin}`}. Nothing was sent there. If it is the right one, enter it in place of this one.`;
}

/** Milliseconds to wait for a Retry-After header: seconds or a date. Undefined where it cannot be parsed. */
function retryAfterMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Of `RateLimit: limit=60, remaining=12, reset=34`, or `"minute";r=12;t=34`: the window with the least left counts. */
function allowanceOf(header: string | string[] | undefined): SentRequest['allowance'] {
  const windows = [header ?? []]
    .flat()
    .join(',')
    .split(/,(?=\s*")/);
  const allowances = windows.flatMap((window) => {
    const remaining = /\b(?:remaining|r)\s*=\s*(\d+)/.exec(window)?.[1];
    const reset = /\b(?:reset|t)\s*=\s*(\d+)/.exec(window)?.[1];
    return remaining === undefined || reset === undefined
      ? []
      : [{ remaining: Number(remaining), resetMs: Number(reset) * 1000 }];
  });
  return allowances.toSorted((one, other) => one.remaining - other.remaining)[0] ?? null;
}

/** Returns a function that hides this key and all others in texts for people and logs. */
function hider(key: string): (text: string) => string {
  neverWrite(key);
  return (text) => redact(text, [key]);
}

export function createOutbound({
  target,
  name,
  logger,
  keyMayBeInAddress = false,
  answerLimitMs = ANSWER_LIMIT_MS,
}: OutboundOptions): Outbound {
  const agent = new Agent({ keepAliveTimeout: 30_000, connect: { timeout: 10_000 } });

  /** The error for an answer that is not 2xx. */
  function refusal(
    call: { method: string; path: string },
    status: number,
    text: string,
    waitMs: number | undefined,
    hide: (text: string) => string,
  ): AppError {
    const reason = explanation(text);
    logger.debug({ method: call.method, path: hide(call.path), status }, 'request refused');
    return new AppError(
      codeOfStatus[status] ?? 'UPSTREAM',
      reason === null ? `${name} answered ${status} without an explanation.` : hide(reason),
      { details: { status }, ...(waitMs !== undefined && { retryAfterMs: waitMs }) },
    );
  }

  type Exchange = { method: 'PUT' | Call['method']; path: string; signal: AbortSignal | undefined };

  async function exchangeOnce<T>(
    { method, path, signal }: Exchange,
    options: Options & { headers: Record<string, string> },
    read: (body: Dispatcher.ResponseData['body']) => Promise<T>,
    keyIn: 'header' | 'address',
  ): Promise<T> {
    const { address, key } = await target(signal);
    const hide = hider(key);
    let status: number;
    let text: string;
    let waitMs: number | undefined;
    const sent: SentRequest = {
      at: Date.now(),
      method,
      path: hide(path),
      status: null,
      tookMs: 0,
      error: null,
      allowance: null,
    };
    const sentAt = performance.now();
    try {
      const answer = await request(
        `${address}${path}${keyIn === 'address' ? `?api_key=${encodeURIComponent(key)}` : ''}`,
        {
          ...options,
          method,
          dispatcher: agent,
          headers: { ...options.headers, ...(keyIn === 'header' && { authorization: `Bearer ${key}` }) },
          ...(signal && { signal }),
        },
      );
      status = sent.status = answer.statusCode;
      sent.allowance = allowanceOf(answer.headers['ratelimit']);
      if (status >= 200 && status < 300) return await read(answer.body);
      waitMs = retryAfterMs(answer.headers['retry-after']);
      text = await answer.body.text();
      if (status >= 300 && status < 400) {
        text = JSON.stringify({ message: redirected(name, address, answer.headers.location) });
      }
    } catch (thrown) {
      if (signal?.aborted) {
        sent.error = 'It was given up here.';
        throw signal.reason;
      }
      const error = connectionError(thrown, name);
      sent.error = error.message;
      throw error;
    } finally {
      sent.tookMs = performance.now() - sentAt;
      requestSent(sent);
    }
    throw refusal({ method, path }, status, text, waitMs, hide);
  }

  let keyIn: 'header' | 'address' = 'header';

  async function exchange<T>(
    call: Exchange,
    options: Options & { headers: Record<string, string> },
    read: (body: Dispatcher.ResponseData['body']) => Promise<T>,
  ): Promise<T> {
    try {
      return await exchangeOnce(call, options, read, keyIn);
    } catch (thrown) {
      const isRefused = thrown instanceof AppError && thrown.details?.['status'] === 401;
      if (!isRefused || !keyMayBeInAddress || keyIn === 'address') throw thrown;
      const answer = await exchangeOnce(call, options, read, 'address');
      keyIn = 'address';
      return answer;
    }
  }

  return {
    async *events({ path, signal }) {
      const { address, key } = await target(signal);
      const hide = hider(key);
      let refused: AppError | null = null;
      try {
        const { statusCode, headers, body } = await request(`${address}${path}`, {
          method: 'GET',
          dispatcher: agent,
          headersTimeout: answerLimitMs,
          bodyTimeout: SILENCE_LIMIT_MS,
          headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
          signal,
        });
        if (statusCode >= 200 && statusCode < 300) {
          body.setEncoding('utf8');
          for await (const piece of body) yield piece as string;
          return;
        }
        refused = refusal(
          { method: 'GET', path },
          statusCode,
          await body.text(),
          retryAfterMs(headers['retry-after']),
          hide,
        );
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        throw connectionError(thrown, name);
      }
      throw refused;
    },
    send: ({ method, path, body, signal, holdMs = 0 }) =>
      exchange(
        { method, path, signal },
        {
          headersTimeout: answerLimitMs + holdMs,
          bodyTimeout: answerLimitMs + holdMs,
          headers: {
            accept: 'application/json',
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body }),
        },
        (answer) => answer.text(),
      ),
    upload: ({ path, body, lengthBytes, replaces, signal }) =>
      exchange(
        { method: 'PUT', path, signal },
        {
          headersTimeout: 0,
          headers: {
            'content-length': String(lengthBytes),
            'content-type': 'application/octet-stream',
            ...(!replaces && { 'if-none-match': '*' }),
          },
          body: Readable.from(body, { objectMode: false }),
        },
        (answer) => answer.text(),
      ),
    bytes: ({ path, from, most }) =>
      exchange(
        { method: 'GET', path, signal: undefined },
        {
          headersTimeout: answerLimitMs,
          bodyTimeout: answerLimitMs,
          headers: { range: `bytes=${from}-${from + most - 1}` },
        },
        (answer) => answer.bytes(),
      ),
    async socket({ path, signal }) {
      const { address, key } = await target(signal);
      const hide = hider(key);
      const socket = new WebSocket(`${address.replace(/^http/, 'ws')}${path}`, {
        headers: { authorization: `Bearer ${key}` },
        handshakeTimeout: answerLimitMs,
        perMessageDeflate: false,
      });
      const giveUp = (): void => socket.terminate();
      signal.addEventListener('abort', giveUp);
      try {
        await new Promise<void>((resolve, reject) => {
          socket.once('open', resolve);
          socket.on('error', (error) => reject(connectionError(error, name)));
          socket.once('unexpected-response', (_, answer) => {
            const read = async (): Promise<AppError> => {
              const text = Buffer.concat(await answer.toArray()).toString();
              const waitMs = retryAfterMs(answer.headers['retry-after']);
              return refusal({ method: 'GET', path }, answer.statusCode ?? 502, text, waitMs, hide);
            };
            void read()
              .then(reject, (error: unknown) => reject(connectionError(error, name)))
              .finally(giveUp);
          });
        });
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
      return socket;
    },
    stop: () => agent.destroy(),
  };
}
