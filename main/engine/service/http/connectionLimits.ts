/** What a connection may cost: how slowly a request may come in, how many connections there may be, and what those hear that are cut. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '#contract/core/limits.ts';
import { BriefResponse } from './fastPath/response.ts';
import { errorBody } from './compat.ts';

const current = Symbol('the newest request of this connection, by its response');

/** An answer, and how far the request is that it answers. */
interface Answer {
  readonly req: { readonly complete: boolean; readonly readableFlowing: boolean | null };
  readonly headersSent: boolean;
  readonly writableFinished: boolean;
}

interface Connection extends Socket {
  [current]?: Answer;
}

export interface Connections {
  /** Called for every request, before anything else is done with it. */
  entered(socket: Socket, response: Answer): void;
  /** Ends every connection. */
  stop(): void;
}

/** How often the server looks for requests that are late, while it has connections, and for answers that nobody reads, while there are answers. */
const LOOK_EVERY_MS = 5000;
/** The longest that a timer takes: 24 days. */
const HARDLY_EVER_MS = 2 ** 31 - 1;

/** Bodies that stay open while their sender works: nothing is slow about them. */
const openEnded = new WeakSet<Answer['req']>();

/** The body of this request may take as long as it likes. */
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

/** Says why, where nothing was said yet, and ends the connection. */
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
 * Node looks for late requests for as long as it listens, also where nobody is there who could be late: an engine that nobody
 * uses would never rest. Answers how to say whether somebody is.
 */
function scanOnlyWhileConnected(server: Server): (somebody: boolean) => void {
  const node = server as Server & { connectionsCheckingInterval: number };
  const beginLooking = server.listeners('listening')[0]! as (this: Server) => void;
  return (somebody) => {
    if (!server.listening) return;
    node.connectionsCheckingInterval = somebody ? LOOK_EVERY_MS : HARDLY_EVER_MS;
    beginLooking.call(server);
  };
}

/** Keeps watch over the connections of a server, at most `most` of them. */
export function createConnections(server: Server, most: number): Connections {
  const { headersMs, bodyGraceMs, bodyWindowMs, bodyBytesPerSecond, unreadMs } = limits.connection;
  const open = new Set<Connection>();
  /** Those that have sent no request yet, oldest first. */
  const silent = new Set<Connection>();
  const windows = new Set<NodeJS.Timeout>();
  const scanWhileConnected = scanOnlyWhileConnected(server);

  // Node times requests as a whole and without cost; whatever takes longer is looked at here.
  server.headersTimeout = headersMs;
  server.requestTimeout = bodyGraceMs;

  /** A body that is still coming: it goes on as long as each span of time brings its share. */
  function watchBody(socket: Connection, { req }: Answer): void {
    const before = socket.bytesRead;
    const window = setTimeout(() => {
      windows.delete(window);
      const response = socket[current];
      if (socket.destroyed || response?.req !== req || req.complete) return;
      // Whoever was answered already is only sending what nobody reads; whom the engine itself lets wait is not slow.
      if (response.writableFinished) socket.destroy();
      else if (!req.readableFlowing || socket.bytesRead - before >= (bodyWindowMs / 1000) * bodyBytesPerSecond) {
        watchBody(socket, response);
      } else {
        cut(
          socket,
          408,
          `The body came too slowly: fewer than ${bodyBytesPerSecond} bytes a second for ${bodyWindowMs / 1000} s. Send it again.`,
        );
      }
    }, bodyWindowMs);
    windows.add(window);
  }

  function late(socket: Connection): void {
    const response = socket[current];
    if (response === undefined || response.req.complete) {
      const message = `The head of the request did not arrive within ${headersMs / 1000} s.`;
      cut(socket, 408, message);
    } else if (!openEnded.has(response.req)) watchBody(socket, response);
  }

  server.on('clientError', (error: NodeJS.ErrnoException & { reason?: string }, socket: Connection) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') late(socket);
    else if (error.code === 'HPE_HEADER_OVERFLOW') {
      cut(socket, 431, 'The head of the request is too large: at most 16 KB are accepted.');
    } else if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
      cut(socket, 413, 'The chunk extensions of the body are too large.');
    } else cut(socket, 400, `The request is not HTTP as it is understood here: ${error.reason ?? error.message}.`);
  });

  // An answer that waits in memory for its reader: the reader goes on, or the connection goes. Looked for while any is not finished.
  let nextSweep: NodeJS.Timeout | null = null;
  function sweep(): void {
    nextSweep = null;
    for (const socket of open) {
      if (socket[current]?.writableFinished === false) nextSweep ??= setTimeout(sweep, LOOK_EVERY_MS);
      // Node takes a write that makes progress for activity; what went out before the timer was set counts once.
      if (socket.writableLength > 0 && socket.timeout !== unreadMs) socket.setTimeout(unreadMs);
    }
  }

  // Also where a connection was kept alive for nothing. One that still has something to say is let be.
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

  /** Room for one more: first at the cost of who never asked for anything, then of who asks for nothing now. */
  function makeRoom(): boolean {
    const [oldest] = silent;
    if (oldest !== undefined && silent.size > 1) {
      forget(oldest);
      oldest.destroy();
      return true;
    }
    server.closeIdleConnections();
    // Node knows nothing of those that it was not handed.
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
    socket.on('close', () => forget(socket));
    if (open.size <= most || makeRoom()) return;
    cut(socket, 503, `There are ${most} connections already, which is as many as are served at once. Try again later.`);
  });

  return {
    entered(connected, response) {
      const socket = connected as Connection;
      if (socket[current] === undefined) silent.delete(socket);
      socket[current] = response;
      nextSweep ??= setTimeout(sweep, LOOK_EVERY_MS);
    },
    stop() {
      if (nextSweep) clearTimeout(nextSweep);
      for (const window of windows) clearTimeout(window);
      windows.clear();
      for (const socket of open) socket.destroy();
    },
  };
}

export const serverOptions = {
  noDelay: true,
  // A peer that vanished without a word is noticed after a while.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  connectionsCheckingInterval: HARDLY_EVER_MS,
};
