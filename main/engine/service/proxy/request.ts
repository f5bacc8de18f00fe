/** Passes one request on to its worker, or to a Pod, and the answer back, as bytes: nothing is kept, and whoever reads slowly slows the other side down. */
import {
  request as httpRequest,
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Lease } from '../../domain/loadBalancing/balancer.ts';
import type { Cancel, Clock, Logger } from '../../domain/core/ports.ts';
import { canPassBack, headersBack, headersOnward, trailersOf } from './headers.ts';
import { mayTakeLong } from '../http/connectionLimits.ts';
import { sendError } from '../http/errorMapper.ts';
import { freeMemory, hasBody, tooLarge } from '../http/guards.ts';

export interface ProxyExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly lease: Pick<Lease, 'host' | 'port' | 'onLost' | 'release'>;
  /** What it is asked for: path and query. */
  readonly path: string;
  /** What was taken off the path. */
  readonly prefix: string;
  /** Who answers; a message begins with it. */
  readonly who: string;
  /** A sentence for whoever gets no answer. */
  readonly advice: string;
  /** The worker, by which callers find it again; null for a Pod. */
  readonly workerId: string | null;
  /** A person's own Pod may take as much, and as long, as it likes. */
  readonly limited: boolean;
  /** Called where nothing listens, so that nothing was sent: gives the request to another worker. Its lease has ended. */
  readonly sendElsewhere?: () => void;
}

export interface PassingTools {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly agents: UpstreamAgents;
}

/** The agents for connections to workers. */
export interface UpstreamAgents {
  /** Keeps a connection for the next request once one has been answered as a whole. */
  readonly keepAlive: Agent;
  /** One connection a request: for those that ask to change protocols, after which nobody knows what a connection holds. */
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

/** Parts that are worth freeing by hand. */
const LARGE_PART_BYTES = 16 * 1024;

/** Hands a body on part by part, as fast as it is taken. What has been handed on is freed at once: the same memory serves again. */
function pump(from: IncomingMessage, to: ClientRequest | ServerResponse): void {
  const hand = (part: Buffer): void => {
    const room = part.length < LARGE_PART_BYTES ? to.write(part) : to.write(part, () => freeMemory(part));
    if (!room) from.pause();
  };
  from.on('data', hand);
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
  // Nobody listens any more: the rest is read and thrown away.
  to.on('close', () => from.off('data', hand).resume());
}

/** The answer is on its way as soon as there is any of it: also where its first byte lets wait. */
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

/** Answers the request to the worker, its end not yet sent. `upgrade`: the protocol that it asks to change to, if any. */
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
 * Of a body that is still coming although its request was answered, the worker gets no more: its connection could serve nobody else
 * until the end. The caller has a moment to finish, because closing at once would take the answer back.
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
  { clock, logger }: PassingTools,
  onAnswer: (answer: IncomingMessage) => void,
): { refuse(error: AppError): void; cut(reason: string): void; answered(): void } {
  const { request, response, lease, who, advice, limited } = passing;
  let answered = false;
  let movedOn = false;
  /** Why the worker ended, and why the connection to it did. */
  let lost: string | null = null;
  let broken: string | null = null;
  let lastWords: Cancel | null = null;

  const refuse = (error: AppError): void => {
    outgoing.destroy();
    if (response.headersSent) return;
    logger.warn({ who, path: request.url?.split('?')[0], why: error.message }, 'a request that was passed on failed');
    sendError(response, error, logger);
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
  /** The worker's end and its connection's end come in either order, and an earlier answer may arrive between them. */
  const failing = (): void => {
    if (answered || movedOn || response.destroyed || response.headersSent) return;
    if (lost !== null && broken !== null) giveUp();
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
  // Node says no more than this of an answer that changes protocols unasked.
  outgoing.on('close', () => {
    broken ??= 'its answer is none to this request';
    failing();
  });
  outgoing.on('response', (answer) => {
    // The caller was answered otherwise meanwhile.
    if (response.writableEnded) {
      outgoing.destroy();
      return;
    }
    answered = true;
    lastWords?.();
    if (canPassBack(answer)) onAnswer(answer);
    else refuse(new AppError('UPSTREAM', `${who} answered in a transfer coding that it was not asked for.`));
  });
  // Of writing to who has just gone.
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

export function passRequest(passing: ProxyExchange, tools: PassingTools): void {
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
  // Until somebody listens, none of the body is read: another worker would miss it.
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
  // How fast it comes is between the caller and the worker, for as long as a request may take.
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
