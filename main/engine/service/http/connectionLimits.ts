/** The limits of connections: their number, the speed of a request, and the answer to a connection that is closed. */
import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '#contract/core/limits.ts';
import { BriefResponse } from './fastPath/response.ts';
import { errorBody } from './compat.ts';

const current = Symbol('the newest request of this connection, by its response');

/** An answer, and the progress of its request. */
interface Answer {
  readonly req: { readonly complete: boolean; readonly readableFlowing: boolean | null };
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
}

interface Connection extends Socket {
  [current]?: Answer;
}

export interface Connections {
  /** Call it for every request first. */
  entered(socket: Socket, response: Answer): void;
  /** Ends every connection. */
  stop(): void;
}

/** The interval of the checks for late requests (while there are connections) and unread answers (while there are answers). */
const LOOK_EVERY_MS = 5000;
/** The longest interval of a timer: 24 days. */
const HARDLY_EVER_MS = 2 ** 31 - 1;

/** Requests whose bodies stay open while their sender works. The limit on speed does not apply to them. */
const openEnded = new WeakSet<Answer['req']>();

/** Lifts the limit on the speed of this request's body. */
export function mayTakeLong(request: IncomingMessage): void {
  openEnded.add(request);
}

const reasons: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
};

/** Closes the connection; answers with the reason where no answer has begun. */
function cut(socket: Connection, status: number, message: string): void {
  const response = socket[current];
  const answering = response !== undefined && response.headersSent && !response.writableFinished;
  if (!socket.writable || answering) {
    socket.destroy();
    return;
  }
  const body = errorBody(status, message);
  socket.end(
    `HTTP/1.1 ${status} ${reasons[status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/**
 * Takes the rest of a body before a connection is closed behind its answer. Data that nobody reads makes the system reset
 * the connection, and a sender that is still busy then sees that instead of the answer. Node closes with `destroySoon`.
 */
function closeBehindBody(socket: Connection): void {
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const request = socket[current]?.req;
    if (!(request instanceof IncomingMessage) || request.complete || socket.readableEnded) {
      close();
      return;
    }
    const end = (): void => void socket.destroy();
    const waiting = setTimeout(end, limits.connection.bodyWindowMs);
    socket.once('close', () => clearTimeout(waiting));
    socket.once('end', end).end();
    request.once('end', end).resume();
  };
}

/**
 * Runs Node's check for late requests only while there are connections, so that an unused engine sleeps. Node itself runs
 * it for as long as it listens. The returned function takes whether there are connections.
 */
function scanOnlyWhileConnected(server: Server): (somebody: boolean) => void {
  // Node starts its timer in the first listener, with the interval of this property.
  const [startTimer] = server.listeners('listening');
  return (somebody) => {
    if (!server.listening) return;
    Object.assign(server, { connectionsCheckingInterval: somebody ? LOOK_EVERY_MS : HARDLY_EVER_MS });
    if (startTimer) Reflect.apply(startTimer, server, []);
  };
}

/** Lets each watched body go on as long as every window of time brings its share of bytes. */
function createBodyWatch() {
  const { bodyWindowMs, bodyBytesPerSecond } = limits.connection;
  const windows = new Set<NodeJS.Timeout>();

  function watch(socket: Connection, { req }: Answer): void {
    const before = socket.bytesRead;
    function judge(): void {
      const response = socket[current];
      if (socket.destroyed || response?.req !== req || req.complete) return;
      // After the answer nobody reads the body. While the engine does not read, the sender is not slow.
      if (response.writableFinished) socket.destroy();
      else if (!req.readableFlowing || socket.bytesRead - before >= (bodyWindowMs / 1000) * bodyBytesPerSecond) {
        watch(socket, response);
      } else {
        cut(
          socket,
          408,
          `The body came too slowly: fewer than ${bodyBytesPerSecond} bytes a second for ${bodyWindowMs / 1000} s. Send it again.`,
        );
      }
    }
    const window = setTimeout(() => {
      windows.delete(window);
      // An engine that stood still reads first what has arrived meanwhile: its sender was not slow.
      setImmediate(judge);
    }, bodyWindowMs);
    windows.add(window);
  }

  return {
    watch,
    stop() {
      for (const window of windows) clearTimeout(window);
      windows.clear();
    },
  };
}

/** Watches the connections of a server, and limits them to `most`. */
export function createConnections(server: Server, most: number): Connections {
  const { headersMs, bodyGraceMs, unreadMs } = limits.connection;
  const open = new Set<Connection>();
  /** Connections without a request yet, oldest first. */
  const silent = new Set<Connection>();
  const bodies = createBodyWatch();
  const scanWhileConnected = scanOnlyWhileConnected(server);

  // Node times whole requests at no cost; `bodies` checks those that take longer.
  server.headersTimeout = headersMs;
  server.requestTimeout = bodyGraceMs;

  function late(socket: Connection): void {
    const response = socket[current];
    if (response === undefined || response.req.complete) {
      const message = `The head of the request did not arrive within ${headersMs / 1000} s.`;
      cut(socket, 408, message);
    } else if (!openEnded.has(response.req)) bodies.watch(socket, response);
  }

  server.on('clientError', (error: NodeJS.ErrnoException & { reason?: string }, socket: Connection) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') late(socket);
    else if (error.code === 'HPE_HEADER_OVERFLOW') {
      cut(socket, 431, 'The head of the request is too large: at most 16 KB are accepted.');
    } else if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
      cut(socket, 413, 'The chunk extensions of the body are too large.');
    } else cut(socket, 400, `The request is not HTTP as it is understood here: ${error.reason ?? error.message}.`);
  });

  // Sets a timeout on each connection whose answer waits for its reader. It runs while any answer is unfinished.
  let nextSweep: NodeJS.Timeout | null = null;
  function sweep(): void {
    nextSweep = null;
    for (const socket of open) {
      if (socket[current]?.writableFinished === false) nextSweep ??= setTimeout(sweep, LOOK_EVERY_MS);
      // Node counts a write that makes progress as activity.
      if (socket.writableLength > 0 && socket.timeout !== unreadMs) socket.setTimeout(unreadMs);
    }
  }

  // Also the end of an idle connection. A connection with an unfinished answer in the engine stays.
  server.on('timeout', (socket: Connection) => {
    const response = socket[current];
    if (response === undefined) {
      late(socket);
      return;
    }
    const speaking = !response.writableFinished;
    if (speaking && socket.writableLength === 0) socket.setTimeout(0);
    else socket.destroy();
  });

  /** Makes room for a connection: closes the oldest without a request, or else all idle ones. Returns whether it did. */
  function makeRoom(): boolean {
    const [oldest] = silent;
    if (oldest !== undefined && silent.size > 1) {
      forget(oldest);
      oldest.destroy();
      return true;
    }
    server.closeIdleConnections();
    // Node does not know the connections of the fast path.
    for (const socket of open)
      if (socket[current] instanceof BriefResponse && socket[current].writableFinished) socket.destroy();
    return [...open].some((socket) => socket.destroyed);
  }

  function forget(socket: Connection): void {
    silent.delete(socket);
    if (open.delete(socket) && open.size === 0) scanWhileConnected(false);
  }

  server.on('connection', (socket: Connection) => {
    if (open.size === 0) scanWhileConnected(true);
    open.add(socket);
    silent.add(socket);
    closeBehindBody(socket);
    socket.on('close', () => forget(socket));
    if (open.size <= most || makeRoom()) return;
    cut(socket, 503, `There are ${most} connections already, which is as many as are served at once. Try again later.`);
  });

  return {
    entered(connected, response) {
      const socket: Connection = connected;
      if (socket[current] === undefined) silent.delete(socket);
      socket[current] = response;
      nextSweep ??= setTimeout(sweep, LOOK_EVERY_MS);
    },
    stop() {
      if (nextSweep) clearTimeout(nextSweep);
      bodies.stop();
      for (const socket of open) socket.destroy();
    },
  };
}

export const serverOptions = {
  noDelay: true,
  // Finds peers that vanished without closing.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  connectionsCheckingInterval: HARDLY_EVER_MS,
};
