/**
 * Sends every request of the app to an account: adds the key, turns failures into errors for a person, and lets no key
 * leak.
 */
import { OWN_CLIENT } from '#contract/local/jobFeed.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from 'pino';
import { Agent, request, type Dispatcher } from 'undici';
import { WebSocket } from 'ws';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { neverWrite, redact } from '../../platform/redaction.ts';
import { requestSent, type SentRequest } from '../../platform/requestObserver.ts';
import { createFileRequests } from './fileRequest.ts';
import { createPieceReader, type Piece } from './pieceReader.ts';
import { allowanceOf } from './rateLimitHeader.ts';
import { connectionError, redirected, refusal, retryAfterMs } from './answerErrors.ts';

export interface Target {
  /** Base address without a trailing slash. */
  address: string;
  key: string;
}

export interface OutboundOptions {
  /**
   * Resolves the address before every request, because a restarted engine may have another one. Rejects if there is
   * nothing to reach.
   */
  target: (signal: AbortSignal | undefined) => Promise<Target>;
  /** The name of the other side in messages, such as "the engine on this machine". */
  name: string;
  logger: Logger;
  /**
   * Whether a key that the service refused in the header may be sent in the URL: some services accept it only there.
   */
  keyMayBeInAddress?: boolean;
  /** Longest wait for an answer that the other side does not delay on purpose. */
  answerLimitMs?: number;
  clock?: Clock;
}

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Begins with a slash; ids in it are already encoded. */
  path: string;
  /** JSON text, sent exactly as it is. */
  body?: string;
  signal?: AbortSignal | undefined;
  /** How long the other side may delay the answer on purpose; added to the usual limit. */
  holdMs?: number;
}

/** A file that is sent as a stream. */
export interface Upload {
  path: string;
  /** The next piece is read only after the one before was sent, which is empty from then on. */
  body: AsyncIterable<Uint8Array>;
  lengthBytes: number;
  /** Whether the upload may replace an existing file of the same name. */
  replaces: boolean;
  /** Aborts the upload. There is no other limit on its time. */
  signal: AbortSignal;
}

/** `silenceMs`: for a stream whose heartbeat is faster than usual, in milliseconds. */
export type EventCall = Pick<Call, 'path'> & { signal: AbortSignal; silenceMs?: number };

/** An answer whose text is read while it arrives. */
export interface OpenAnswer {
  /** '' if the other side does not name it. */
  contentType: string;
  /** What the other side calls the request, of its header `x-request-id`; null without one. */
  requestId: string | null;
  pieces: AsyncGenerator<string, void, void>;
}

export interface Outbound {
  /** Returns the body of a 2xx answer as text. Rejects with AppError, or with the signal's reason. */
  send(call: Call): Promise<string>;
  /**
   * Opens a stream of server-sent events and yields its text in pieces. Rejects as `send` does, also if the other side
   * is silent for longer than `silenceMs`, or else than a live stream may be.
   */
  events(call: EventCall): AsyncGenerator<string, void, void>;
  /**
   * Sends a body and resolves with the beginning of the answer, which may take `holdMs` longer than usual. Rejects as
   * `send` does, and so do its pieces. An abort of the signal closes the request.
   */
  open(call: Pick<Call, 'path' | 'holdMs'> & { body: string; signal: AbortSignal }): Promise<OpenAnswer>;
  /** Rejects as `send` does. */
  upload(call: Upload): Promise<string>;
  /** At most `most` bytes, beginning at byte `from`. Rejects as `send` does. Calls that follow each other share an answer. */
  bytes(call: Piece): Promise<Uint8Array>;
  /**
   * Opens a WebSocket. It is paused: call `resume` once you listen. Rejects as `send` does; a later failure arrives as its
   * `close` event.
   */
  socket(call: Pick<Call, 'path'> & { signal: AbortSignal }): Promise<WebSocket>;
  stop(): Promise<void>;
}

const CONNECT_MS = 10_000;

/** Longest wait of a person for an answer that the other side does not delay on purpose. */
const ANSWER_LIMIT_MS = 30_000;

/** Silence after which a stream of events counts as dead: an idle one sends a heartbeat more often than this. */
const SILENCE_LIMIT_MS = 4 * limits.eventStreamPulseMs;

/** Silence after which an answer of a model counts as dead: services send no heartbeat while one thinks. */
const OPEN_SILENCE_MS = 10 * 60_000;

/** Returns a function that hides this key and all others in texts for people and logs. */
function hider(key: string): (text: string) => string {
  neverWrite(key);
  return (text) => redact(text, [key]);
}

/** The options of an account's connection, with their defaults. */
interface Connection extends Required<Omit<OutboundOptions, 'clock'>> {
  agent: Agent;
}

const logRefusal = (logger: Logger, facts: { method: string; path: string; status: number }): void =>
  logger.debug(facts, 'request refused');

interface Exchange {
  method: Call['method'];
  path: string;
  signal: AbortSignal | undefined;
}
interface Answer<Body> {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Body;
}
/** Sends the request to this address, with these headers besides its own. */
type Send<Body> = (url: string, headers: Record<string, string>) => Promise<Answer<Body>>;

/** Sends requests with the key in the header; in the URL, if only that worked. */
function createExchange({ target, name, logger, keyMayBeInAddress }: Connection) {
  async function exchangeOnce<Body extends { text(): Promise<string> }, T>(
    { method, path, signal }: Exchange,
    send: Send<Body>,
    read: (body: Body) => Promise<T>,
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
      const answer = await send(
        `${address}${path}${keyIn === 'address' ? `?api_key=${encodeURIComponent(key)}` : ''}`,
        keyIn === 'header' ? { authorization: `Bearer ${key}` } : {},
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
    logRefusal(logger, { method, path: hide(path), status });
    throw refusal(name, { status, text, waitMs }, hide);
  }

  let keyIn: 'header' | 'address' = 'header';

  return async function exchange<Body extends { text(): Promise<string> }, T>(
    call: Exchange,
    send: Send<Body>,
    read: (body: Body) => Promise<T>,
  ): Promise<T> {
    try {
      return await exchangeOnce(call, send, read, keyIn);
    } catch (thrown) {
      const isRefused = thrown instanceof AppError && thrown.details?.['status'] === 401;
      if (!isRefused || !keyMayBeInAddress || keyIn === 'address') throw thrown;
      const answer = await exchangeOnce(call, send, read, 'address');
      keyIn = 'address';
      return answer;
    }
  };
}

type Opening = Pick<Call, 'method' | 'path' | 'body' | 'holdMs'> & { signal: AbortSignal; silenceMs: number };

/** Sends a request and resolves with its answer, whose body is not read yet. */
async function openBody(
  { target, name, logger, agent, answerLimitMs }: Connection,
  { method, path, body: sent, holdMs = 0, signal, silenceMs, headers: more }: Opening & { headers: object },
): Promise<Pick<Dispatcher.ResponseData, 'headers' | 'body'>> {
  const { address, key } = await target(signal);
  const hide = hider(key);
  let refused: AppError | null = null;
  try {
    const { statusCode, headers, body } = await request(`${address}${path}`, {
      method,
      dispatcher: agent,
      headersTimeout: answerLimitMs + holdMs,
      bodyTimeout: silenceMs,
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': OWN_CLIENT,
        ...more,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: sent }),
      signal,
    });
    if (statusCode >= 200 && statusCode < 300) return { headers, body };
    const waitMs = retryAfterMs(headers['retry-after']);
    logRefusal(logger, { method, path: hide(path), status: statusCode });
    refused = refusal(name, { status: statusCode, text: await body.text(), waitMs }, hide);
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    throw connectionError(thrown, name);
  }
  throw refused;
}

/** Sends a request and resolves with the beginning of its answer, whose text is read piece by piece. */
async function openAnswer(connection: Connection, opening: Opening): Promise<OpenAnswer> {
  const { headers, body } = await openBody(connection, { ...opening, headers: { accept: 'text/event-stream' } });
  body.setEncoding('utf8');
  return {
    contentType: String(headers['content-type'] ?? ''),
    requestId: headers['x-request-id'] === undefined ? null : String(headers['x-request-id']),
    pieces: piecesOf<string>(body, opening.signal, connection.name),
  };
}

/** The bytes from byte `from` to the end, which are read at the speed of the reader. An abort closes the request. */
async function openBytes(connection: Connection, { path, from }: Omit<Piece, 'most'>, signal: AbortSignal) {
  const options = { headers: { range: `bytes=${from}-` }, silenceMs: connection.answerLimitMs };
  const { headers, body } = await openBody(connection, { method: 'GET', path, signal, ...options });
  if (headers['content-range'] === undefined) throw new Error('The answer begins at another byte.');
  return piecesOf<Uint8Array>(body, signal, connection.name);
}

async function* piecesOf<Piece>(
  body: AsyncIterable<Piece>,
  signal: AbortSignal,
  name: string,
): AsyncGenerator<Piece, void, void> {
  try {
    yield* body;
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    throw connectionError(thrown, name);
  }
}

/** As `events` of Outbound. */
async function* readEvents(
  connection: Connection,
  { silenceMs = SILENCE_LIMIT_MS, ...call }: EventCall,
): AsyncGenerator<string, void, void> {
  const { pieces } = await openAnswer(connection, { ...call, method: 'GET', silenceMs });
  yield* pieces;
}

/** As `socket` of Outbound. */
async function openSocket(
  { target, name, logger, answerLimitMs }: Connection,
  { path, signal }: Pick<Call, 'path'> & { signal: AbortSignal },
): Promise<WebSocket> {
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
      socket.once('open', () => {
        // The other side may send at once, before the caller listens.
        socket.pause();
        resolve();
      });
      socket.on('error', (error) => reject(connectionError(error, name)));
      socket.once('unexpected-response', (_, answer) => {
        const read = async (): Promise<AppError> => {
          const text = Buffer.concat(await answer.toArray()).toString();
          const waitMs = retryAfterMs(answer.headers['retry-after']);
          const status = answer.statusCode ?? 502;
          logRefusal(logger, { method: 'GET', path: hide(path), status });
          return refusal(name, { status, text, waitMs }, hide);
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
}

export function createOutbound({ clock = systemClock, ...options }: OutboundOptions): Outbound {
  const agent = new Agent({ keepAliveTimeout: 30_000, connect: { timeout: CONNECT_MS } });
  const fileRequests = createFileRequests(CONNECT_MS);
  const connection: Connection = { keyMayBeInAddress: false, answerLimitMs: ANSWER_LIMIT_MS, ...options, agent };
  const { answerLimitMs } = connection;
  const exchange = createExchange(connection);
  /** `answerMs`: how long the answer may take. */
  const sending =
    (call: Pick<Call, 'method' | 'body'> & { signal?: AbortSignal }, answerMs: number, own: Record<string, string>) =>
    (url: string, headers: Record<string, string>): Promise<Dispatcher.ResponseData> =>
      request(url, {
        ...call,
        dispatcher: agent,
        headersTimeout: answerMs,
        bodyTimeout: answerMs,
        headers: { ...own, ...headers },
      });
  const pieces = createPieceReader({
    clock,
    readOne: ({ path, from, most }) =>
      exchange(
        { method: 'GET', path, signal: undefined },
        sending({ method: 'GET' }, answerLimitMs, { range: `bytes=${from}-${from + most - 1}` }),
        (answer) => answer.bytes(),
      ),
    open: (place, signal) => openBytes(connection, place, signal),
  });
  return {
    events: (call) => readEvents(connection, call),
    open: (call) => openAnswer(connection, { ...call, method: 'POST', silenceMs: OPEN_SILENCE_MS }),
    send: ({ method, path, body, signal, holdMs = 0 }) =>
      exchange(
        { method, path, signal },
        sending({ method, ...(signal && { signal }), ...(body !== undefined && { body }) }, answerLimitMs + holdMs, {
          accept: 'application/json',
          // An engine tells the jobs of its own host from those of scripts by it.
          'user-agent': OWN_CLIENT,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        }),
        (answer) => answer.text(),
      ),
    upload: ({ path, replaces, ...file }) =>
      exchange(
        { method: 'PUT', path, signal: file.signal },
        (url, headers) =>
          fileRequests.put({
            ...file,
            url,
            headers: {
              ...headers,
              'content-type': 'application/octet-stream',
              ...(!replaces && { 'if-none-match': '*' }),
            },
          }),
        (answer) => answer.text(),
      ),
    bytes: (piece) => pieces.read(piece),
    socket: (call) => openSocket(connection, call),
    async stop() {
      pieces.stop();
      fileRequests.stop();
      await agent.destroy();
    },
  };
}
