/**
 * Passes a request to its worker or Pod, and the answer back, as bytes. It stores nothing; a slow reader slows the
 * sender.
 */
import {
  request as httpRequest,
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Lease } from '../../domain/loadBalancing/member.ts';
import type { Cancel, Clock, Logger } from '../../domain/core/ports.ts';
import { canPassBack, headersBack, headersOnward, trailersOf } from './headers.ts';
import { mayTakeLong } from '../http/connectionLimits.ts';
import { sendError } from '../http/errorMapper.ts';
import { freeMemory, hasBody, tooLarge } from '../http/bodies/reader.ts';

export interface ProxyExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly lease: Pick<Lease, 'host' | 'port' | 'onLost' | 'release'>;
  /** Path and query for the worker. */
  readonly path: string;
  /** The part that was removed from the path. */
  readonly prefix: string;
  /** The name of the worker or Pod, at the begin of messages. */
  readonly who: string;
  /** A sentence for a caller without an answer. */
  readonly advice: string;
  /** The worker's id, for the affinity of later requests; null for a Pod. */
  readonly workerId: string | null;
  /** Whether size and time are limited; a Pod has no limits. */
  readonly limited: boolean;
  /** Answers with an error in another way than as JSON; returns false where it does not. */
  readonly sendRefusal?: (error: AppError) => boolean;
  /** Gives the request to another worker, where nothing listens and nothing was sent. The lease has ended by then. */
  readonly sendElsewhere?: () => void;
}

export interface ProxyTools {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly agents: UpstreamAgents;
}

/** The agents for connections to workers. */
export interface UpstreamAgents {
  /** Reuses a connection after a whole answer. */
  readonly keepAlive: Agent;
  /** Opens a connection for each request that asks to change protocols. */
  readonly single: Agent;
}

const { bodyBytes, processingMs, lastWordsMs, closingMs } = limits.balancing;

export function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** Counts a body without Content-Length; Node enforces an announced length. */
function watchLength(body: IncomingMessage, onOver: () => void): void {
  if (body.headers['content-length'] !== undefined) return;
  let bytes = 0;
  body.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > bodyBytes) onOver();
  });
}

/** The least size of parts that are freed by hand. */
const LARGE_PART_BYTES = 16 * 1024;

/**
 * Passes a body on, part by part, at the speed of the reader. Frees each part at once, so that its memory serves again.
 */
function pump(from: IncomingMessage, to: ClientRequest | ServerResponse): void {
  const hand = (part: Buffer): void => {
    const room = part.length < LARGE_PART_BYTES ? to.write(part) : to.write(part, () => freeMemory(part));
    if (!room) from.pause();
  };
  from.on('data', hand);
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
  // The reader has gone: the rest is read and dropped.
  to.on('close', () => from.off('data', hand).resume());
}

/** Passes the answer back. Its head goes out at once, also while the first byte of its body is late. */
function passAnswer(answer: IncomingMessage, response: ServerResponse, workerId: string | null): void {
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', headersBack(answer, workerId));
  let begun = false;
  answer.once('data', () => (begun = true));
  answer.once('end', () => {
    begun = true;
    if (answer.rawTrailers.length > 0) response.addTrailers(trailersOf(answer));
  });
  setImmediate(() => {
    if (!begun && !response.destroyed) response.flushHeaders();
  });
  pump(answer, response);
}

/** Returns the request to the worker, without its end. `upgrade`: the protocol to change to, if any. */
export function passOn(passing: ProxyExchange, agents: UpstreamAgents, upgrade?: string): ClientRequest {
  const { request, lease, path, prefix, workerId } = passing;
  return httpRequest({
    agent: upgrade === undefined ? agents.keepAlive : agents.single,
    host: lease.host,
    port: lease.port,
    method: request.method,
    path,
    headers: headersOnward(request, workerId, prefix, upgrade),
  });
}

/**
 * Stops a body that goes on after the answer: the connection to the worker could serve nobody else until its end. The
 * caller has a moment to finish, because closing at once could lose the answer.
 */
function endEarly(request: IncomingMessage, outgoing: ClientRequest, clock: Clock): void {
  outgoing.destroy();
  const close = clock.after(closingMs, () => request.socket.destroy());
  request.once('close', close);
}

/** Calls back with the head of the answer. Errors, timeouts and disconnects are handled here. */
export function awaitAnswer(
  passing: ProxyExchange,
  outgoing: ClientRequest,
  { clock, logger }: ProxyTools,
  onAnswer: (answer: IncomingMessage) => void,
): { refuse(error: AppError): void; cut(reason: string): void; answered(): void } {
  const { request, response, lease, who, advice, limited, workerId } = passing;
  let answered = false;
  let movedOn = false;
  /** The reasons of the end of the worker, and of the connection to it. */
  let lost: string | null = null;
  let broken: string | null = null;
  let lastWords: Cancel | null = null;

  const refuse = (error: AppError): void => {
    outgoing.destroy();
    if (response.headersSent) return;
    logger.warn({ who, path: request.url?.split('?')[0], why: error.message }, 'a request that was passed on failed');
    if (passing.sendRefusal?.(error) !== true) sendError(response, error, logger);
  };
  /** The head is already sent, so the only signal left is an incomplete answer. */
  const cut = (reason: string): void => {
    outgoing.destroy();
    if (response.destroyed || response.writableFinished) return;
    logger.warn({ who, path: request.url?.split('?')[0], why: reason }, 'an answer that was passed back was cut');
    response.destroy();
  };
  const outOfTime = (): void => {
    const reason = `${who} has had the request for ${processingMs / 60_000} min, which is as long as it may take.`;
    if (answered) cut(reason);
    else refuse(new AppError('UPSTREAM_TIMEOUT', reason));
  };
  const timeUp: Cancel = limited ? clock.after(processingMs, outOfTime) : () => undefined;

  const giveUp = (): void => {
    const reason =
      lost !== null
        ? `ended while it had the request: ${lost}.`
        : `broke the request off without an answer: ${broken}. ${advice}`;
    refuse(new AppError('UPSTREAM', `${who} ${reason}`));
  };
  /**
   * The worker's end and its connection's end come in either order, and an earlier answer may arrive between them. Of a
   * Pod, no end is reported: once its connection is closed, nothing else comes.
   */
  const failing = (isClosed = false): void => {
    if (answered || movedOn || response.destroyed || response.headersSent) return;
    if (broken !== null && (lost !== null || (isClosed && workerId === null))) giveUp();
    else lastWords ??= clock.after(lastWordsMs, giveUp);
  };
  const closeUpstream = (): void => {
    timeUp();
    lastWords?.();
    lease.onLost = null;
    lease.release(answered);
  };
  const end = (): void => {
    closeUpstream();
    if (!response.writableFinished || !answered) outgoing.destroy();
    else if (!request.complete) endEarly(request, outgoing, clock);
  };
  lease.onLost = (reason) => {
    lost = reason;
    failing();
  };
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    broken = error.message || (error.code ?? 'the connection failed');
    if (error.code !== 'ECONNREFUSED' || passing.sendElsewhere === undefined || answered || response.destroyed) {
      failing();
      return;
    }
    movedOn = true;
    response.off('close', end);
    closeUpstream();
    passing.sendElsewhere();
  });
  // The only message of Node for an answer that changes protocols without a request for it.
  outgoing.on('close', () => {
    broken ??= 'its answer is none to this request';
    failing(true);
  });
  outgoing.on('response', (answer) => {
    // The caller has another answer already.
    if (response.writableEnded) {
      outgoing.destroy();
      return;
    }
    answered = true;
    lastWords?.();
    if (canPassBack(answer)) onAnswer(answer);
    else refuse(new AppError('UPSTREAM', `${who} answered in a transfer coding that it was not asked for.`));
  });
  // An error of writing to a caller that has gone.
  response.on('error', () => undefined);
  response.once('close', end);
  return {
    refuse,
    cut,
    answered() {
      answered = true;
      lastWords?.();
      timeUp();
    },
  };
}

export function passRequest(passing: ProxyExchange, tools: ProxyTools): void {
  const { request, response, who, workerId, limited } = passing;
  const outgoing = passOn(passing, tools.agents);
  const { refuse, cut } = awaitAnswer(passing, outgoing, tools, (answer) => {
    const limit = `at most ${bodyBytes} bytes may be answered`;
    if (limited && declaredBytes(answer) > bodyBytes && request.method !== 'HEAD') {
      const size = `${declaredBytes(answer)} bytes`;
      refuse(new AppError('UPSTREAM', `${who} answered too much: ${size}, and ${limit}.`));
      return;
    }
    if (limited) watchLength(answer, () => cut(`${who} answered too much: ${limit}.`));
    answer.once('close', () => {
      if (!answer.complete) cut(`${who} broke its answer off.`);
    });
    passAnswer(answer, response, workerId);
  });
  if (!hasBody(request)) {
    outgoing.end();
    return;
  }
  // The body is read only once a worker listens: another worker may need it.
  whenConnected(outgoing, () => passBody(passing, outgoing, { refuse, cut }));
}

function whenConnected(outgoing: ClientRequest, run: () => void): void {
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', run);
    else run();
  });
}

function passBody(
  { request, response, limited }: ProxyExchange,
  outgoing: ClientRequest,
  { refuse, cut }: { refuse(error: AppError): void; cut(reason: string): void },
): void {
  // The speed of the body is up to caller and worker, within the time limit of a request.
  mayTakeLong(request);
  if (request.headers.expect !== undefined) response.writeContinue();
  const tooMuch = (): void => {
    if (response.headersSent) cut('The body of the request is too large.');
    else refuse(tooLarge(bodyBytes, 'more were sent'));
  };
  if (limited) watchLength(request, tooMuch);
  request.on('end', () => {
    if (request.rawTrailers.length > 0) outgoing.addTrailers(trailersOf(request));
  });
  pump(request, outgoing);
}
