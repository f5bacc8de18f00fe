/**
 * The page's WebSocket. It checks name, origin, session and page token, closes when the page is
 * gone, and when Hangar stops.
 */
import type { IncomingMessage } from 'node:http';
import { RPCHandler } from '@orpc/server/ws';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer, type WebSocket } from 'ws';
import { NOT_PAIRED_CODE, PAGE_TOKEN_PROTOCOL, SOCKET_PROTOCOL } from '#contract/app/pageSession.ts';
import type { App, Session } from '../../app/compose.ts';
import { closeSilent } from '../../app/platform/closeSilent.ts';
import { isLoopbackConnection, isLoopbackName } from '#contract/network/hosts.ts';
import { hostNameOf, hostOf, isOurHost, isOurOrigin } from './guards.ts';
import type { Pairing } from './pairing.ts';

export interface RpcSocketOptions {
  /** What the page of a session may call. `isLocal`: it was opened on this computer. */
  routerFor(session: Session, isLocal: boolean): App['router'];
  pairing: Pairing;
  allowedHosts: readonly string[];
  logger: Logger;
}

export interface RpcSocket {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The hashes of the sessions that have an open page. */
  openHashes(): ReadonlySet<string>;
  /** Tells the pages of a session that they are not paired any more, and closes their connections. */
  closeSession(hash: string): void;
  stop(): void;
}

const PATH = '/rpc';
/** A submitted body has up to 20 MB, and JSON inside JSON escapes its quotes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** A page on a slow line answers a ping behind the results that it still receives. */
const PING_MS = 30_000;
const GOING_AWAY = 1001;

/** The token that a page sends as a second protocol; '' if there is none. */
function pageTokenOf({ headers }: IncomingMessage): string {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  const protocol = offered.find((one) => one.startsWith(PAGE_TOKEN_PROTOCOL));
  return protocol?.slice(PAGE_TOKEN_PROTOCOL.length) ?? '';
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Whether the page was opened on this computer, and under a name that only the computer itself resolves. */
const isLocal = (request: IncomingMessage): boolean =>
  isLoopbackConnection(request.socket.remoteAddress ?? '') && isLoopbackName(hostNameOf(hostOf(request)) ?? '');

export function createRpcSocket(options: RpcSocketOptions): RpcSocket {
  const { routerFor, pairing, allowedHosts, logger } = options;
  const hashes = new Map<WebSocket, string>();
  const unpair = (client: WebSocket) => client.close(NOT_PAIRED_CODE, 'This page is not paired with Hangar.');
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_BYTES,
    perMessageDeflate: false,
    // The answer does not repeat the token.
    handleProtocols: (offered) => offered.has(SOCKET_PROTOCOL) && SOCKET_PROTOCOL,
  });

  return {
    upgrade(request, socket, head) {
      // A client that disconnects during the refusal is no fault.
      socket.on('error', () => socket.destroy());
      const { origin, cookie } = request.headers;
      const host = hostOf(request);
      if (request.url !== PATH) return refuse(socket, '404 Not Found');
      if (!isOurHost(host, allowedHosts) || !isOurOrigin(origin, host)) {
        logger.warn({ host, origin }, 'a WebSocket from a foreign page was refused');
        return refuse(socket, '403 Forbidden');
      }
      const session = pairing.session(cookie);
      if (session === null) return refuse(socket, '401 Unauthorized');
      server.handleUpgrade(request, socket, head, (client) => {
        // A page can read only the close code of a refusal.
        if (!pairing.isPage(cookie, pageTokenOf(request))) {
          logger.warn('a WebSocket with a session, but without the token of its page, was refused');
          unpair(client);
          return;
        }
        closeSilent(client, PING_MS);
        client.on('error', (err) => logger.debug({ err }, 'a page went away'));
        hashes.set(client, session.hash);
        client.on('close', () => hashes.delete(client));
        void new RPCHandler(routerFor(session, isLocal(request))).upgrade(client);
      });
    },
    openHashes: () => new Set(hashes.values()),
    closeSession(hash) {
      for (const [client, own] of hashes) {
        if (own !== hash) continue;
        // Until the other side has answered the close, it could still send calls.
        client.removeAllListeners('message');
        unpair(client);
      }
    },
    stop() {
      for (const socket of server.clients) {
        socket.close(GOING_AWAY, 'Hangar is stopping.');
        // All data is sent. A page that does not answer the close must not delay the stop.
        setImmediate(() => socket.terminate());
      }
      server.close();
    },
  };
}
