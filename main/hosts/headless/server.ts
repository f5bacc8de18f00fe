/** Serves the page to paired browsers on this machine, takes its files, and serves the bridge over a WebSocket. */
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { implement } from '@orpc/server';
import type { Logger } from 'pino';
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hostContract, type BrowserInvite } from '#contract/bridge/host.ts';
import { NOT_PAIRED_PATH, PAGE_TOKEN_HASH } from '#contract/app/pageSession.ts';
import { PAGE_REFUSAL } from '#contract/app/pairingLink.ts';
import { isEveryNetwork, isLoopbackHost, reachableHost } from '#contract/network/hosts.ts';
import { reachableEngine } from '../../app/accounts/reachable.ts';
import type { App, Session } from '../../app/compose.ts';
import { bindBrowsers } from './browsers.ts';
import { copyScriptHash, doorPage, keyPage, WINDOW_FONT } from './doorPage.ts';
import { hostNameOf, hostOf, isOurHost, securityHeaders } from './guards.ts';
import { belongsElsewhere } from './pageName.ts';
import { createPairing, type Pairing } from './pairing.ts';
import { createRpcSocket, type RpcSocket } from './rpcSocket.ts';
import { SHOWN_PATH, type ShownKeys } from './shownKeys.ts';
import { registerUploadRoute } from './uploads/uploadRoute.ts';

/** For how long a link works that a page asked for. */
const INVITE_MS = 10 * 60_000;

export interface UiServerOptions {
  app: Pick<App, 'router' | 'sessions' | 'receiveUpload'>;
  host: string;
  /** The page's own host name, which resolves to loopback. */
  pageName: string;
  /** 0: any free port. */
  port: number;
  /** Accepted host names of requests, besides the loopback names. */
  allowedHosts: readonly string[];
  shownKeys: ShownKeys;
  /** Folder of the built page. */
  pageDir: string;
  logger: Logger;
}

export interface UiServer {
  /** Creates a sign-in link; the earlier one becomes invalid. */
  link(): string;
  stop(): Promise<void>;
}

/** A name under which this machine reaches its listening address; `pageName` for a loopback address. */
function linkHost(host: string, pageName: string): string {
  return isLoopbackHost(host) || isEveryNetwork(host) ? pageName : reachableHost(host);
}

/** The address of the window's font; null where the page was built without it. */
function fontAddress(pageDir: string): string | null {
  const assets = join(pageDir, 'assets');
  const name = existsSync(assets) ? readdirSync(assets).find((file) => WINDOW_FONT.test(file)) : undefined;
  return name === undefined ? null : `/assets/${name}`;
}

/** Rejects with the system's error, such as EADDRINUSE, if the port is not available. */
export async function createUiServer(options: UiServerOptions): Promise<UiServer> {
  const { app, allowedHosts, shownKeys, logger } = options;
  const server = fastify({ forceCloseConnections: true, logger: false });
  let pairing: Pairing | null = null;
  let port = options.port;
  let rpc: RpcSocket | null = null;

  /** Accepts the request, or answers it with a refusal. */
  async function guard(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { cookie, accept } = request.headers;
    const host = hostOf(request.raw);
    if (host === undefined || !isOurHost(host, allowedHosts)) {
      logger.warn({ host }, 'a request under a foreign name was refused');
      return reply.code(403).type('text/plain').send('Hangar does not answer under this host name.\n');
    }
    reply.headers(securityHeaders(host));
    reply.header('cache-control', 'no-store');
    if (pairing === null) return reply.code(503).type('text/plain').send('Hangar is starting.\n');
    const isPaired = pairing.session(cookie) !== null;
    // Absolute addresses, as proxies receive them, and addresses that a browser would treat as another host are
    // invalid.
    if (!/^\/(?!\/)/.test(request.url))
      return reply.code(400).type('text/plain').send('There is no page at this address.\n');
    const url = new URL(request.url, 'http://localhost');
    const opens = request.method === 'GET' && url.pathname === '/';
    if (opens && belongsElsewhere(hostNameOf(host), request.headers['user-agent'])) {
      return reply.redirect(`http://${options.pageName}:${port}${request.url}`, 303);
    }
    if (url.pathname === NOT_PAIRED_PATH) {
      return reply.code(401).header('set-cookie', pairing.noCookie()).type('text/html').send(doorPage('not-paired'));
    }
    const token = url.searchParams.get('pair');
    if (opens && token !== null) {
      const tokens = pairing.accept(token, request.headers['user-agent'], request.headers.cookie);
      if (tokens !== null) {
        return reply.header('set-cookie', pairing.cookie(tokens)).redirect(`/${PAGE_TOKEN_HASH}${tokens.page}`, 303);
      }
      // A second visit of the same link in the paired browser is no fault.
      if (isPaired) return reply.redirect('/', 303);
      return reply.code(403).type('text/html').send(doorPage('link-used'));
    }
    if (isPaired) return undefined;
    reply.code(401);
    return accept?.includes('text/html')
      ? reply.type('text/html').send(doorPage('not-paired'))
      : reply.type('text/plain').send(`${PAGE_REFUSAL}\n`);
  }

  server.addHook('onRequest', guard);
  server.get<{ Params: { token: string } }>(
    `${SHOWN_PATH}:token`,
    { exposeHeadRoute: false },
    async (request, reply) => {
      // Only a navigation of a person may show the key; a script of the page may not fetch it.
      const mode = request.headers['sec-fetch-mode'];
      if (mode !== undefined && mode !== 'navigate') {
        return reply.code(403).type('text/plain').send('Only a person in a browser can see a new key, not a script.\n');
      }
      const shown = shownKeys.take(request.params.token);
      // Readers need four light modules round the code.
      const toCode = async (link: string) => (await import('uqr')).renderSVG(link, { border: 4 });
      const picture = shown === null || shown.kind === 'key' ? '' : await toCode(shown.secret);
      return reply
        .headers(securityHeaders(request.headers.host ?? '', copyScriptHash))
        .code(shown === null ? 410 : 200)
        .type('text/html')
        .send(keyPage(shown, { picture, font: fontAddress(options.pageDir) }));
    },
  );
  registerUploadRoute(server, { receive: app.receiveUpload, pairing: () => pairing });
  await server.register(fastifyStatic, {
    root: options.pageDir,
    cacheControl: false,
    // The build writes a compressed twin of each file.
    preCompressed: true,
    setHeaders(reply, path) {
      // The names of built assets contain a hash of their content.
      if (/[\\/]assets[\\/]/.test(path)) void reply.header('cache-control', 'private, max-age=31536000, immutable');
    },
  });
  server.server.on('upgrade', (request, socket, head) => {
    if (rpc === null) socket.destroy();
    else rpc.upgrade(request, socket, head);
  });

  await server.listen({ host: options.host, port: options.port });
  const bound = server.server.address();
  if (typeof bound === 'object' && bound !== null) port = bound.port;
  const door = (pairing = createPairing(app.sessions, port));
  const ownAddress = `http://${linkHost(options.host, options.pageName)}:${port}`;
  /** For another browser, which may be one on another computer. */
  function inviteBrowser(): BrowserInvite {
    const { addresses, isOpen } = reachableEngine(ownAddress, options.host);
    const address = isOpen ? (addresses[0] ?? ownAddress) : ownAddress;
    const link = `${address}/?pair=${door.invite(INVITE_MS)}`;
    return { address, isOpen, until: Date.now() + INVITE_MS, shown: shownKeys.show(link, hostname(), 'browser') };
  }
  const { host: hostProcedures } = app.router;
  const invite = implement(hostContract).inviteBrowser.handler(inviteBrowser);
  /** What the page of one browser may call. Only one of this computer pairs others. */
  function routerFor(session: Session, isLocal: boolean): App['router'] {
    const own = bindBrowsers(app.sessions, session, { openHashes: socket.openHashes, close: socket.closeSession });
    return { ...app.router, host: { ...hostProcedures, ...own, ...(isLocal && { inviteBrowser: invite }) } };
  }
  const socket = (rpc = createRpcSocket({ routerFor, pairing: door, allowedHosts, logger }));

  return {
    link: () => `${ownAddress}/?pair=${door.invite()}`,
    async stop() {
      socket.stop();
      await server.close();
    },
  };
}
