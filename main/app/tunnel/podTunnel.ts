/**
 * Opens the http ports of Pods on other machines from this one. An engine serves such a port at the host name
 * `{pod}-{port}.localhost`, which is always the viewer's own machine. This server has the same names on a port of its
 * own, and passes requests and WebSockets on to the engine of the Pod. It listens on loopback, from the first address on.
 */
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { once } from 'node:events';
import { pipeline, type Duplex } from 'node:stream';
import type { Logger } from 'pino';

export interface PodTunnel {
  /** The address of an http port of a Pod, as a browser on this machine opens it. `engine`: the base address of its engine. */
  address(engine: string, podId: string, port: number): Promise<string>;
  /** Ends all connections. */
  stop(): Promise<void>;
}

const HOST_NAME = /^([a-z0-9]+)-(\d{1,5})\.localhost(?::\d+)?$/i;
/** Headers that belong to one connection. Node sets those of the next connection itself. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']);

/** `name, value, name, value…` without the headers of one connection, unless `keepsUpgrade`. */
function forwarded(rawHeaders: readonly string[], keepsUpgrade: boolean): string[] {
  const headers: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (keepsUpgrade || !HOP_BY_HOP.has(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}

/** The request to the engine, not sent yet. It keeps the host name, by which the engine finds the Pod. */
function requestTo(engine: string, incoming: IncomingMessage, isUpgrade: boolean) {
  const { protocol, hostname, port } = new URL(engine);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  return send({
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method: incoming.method,
    path: incoming.url,
    headers: forwarded(incoming.rawHeaders, isUpgrade),
    setHost: false,
  });
}

const headOf = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string => {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
};

const noAnswer = (engine: string): string => `The Hangar at ${engine} does not answer. Look whether it runs there.\n`;
const UNKNOWN = 'No Pod of an account has this address now. Open it again from the list of Pods.\n';

export function createPodTunnel(logger: Pick<Logger, 'debug'>): PodTunnel {
  /** The id of each Pod → the base address of its engine. */
  const engines = new Map<string, string>();
  const sockets = new Set<Duplex>();
  let listening: Promise<number> | null = null;

  const engineOf = ({ headers: { host = '' } }: IncomingMessage): string | null =>
    engines.get(HOST_NAME.exec(host)?.[1]?.toLowerCase() ?? '') ?? null;

  function pass(incoming: IncomingMessage, answer: ServerResponse): void {
    const engine = engineOf(incoming);
    if (engine === null) return void answer.writeHead(404, { 'content-type': 'text/plain' }).end(UNKNOWN);
    const outgoing = requestTo(engine, incoming, false);
    outgoing.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, forwarded(response.rawHeaders, false));
      pipeline(response, answer, () => undefined);
    });
    outgoing.on('error', (err) => {
      logger.debug({ err, engine }, 'a request to a Pod on another machine failed');
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502, { 'content-type': 'text/plain' }).end(noAnswer(engine));
    });
    answer.on('close', () => outgoing.destroy());
    pipeline(incoming, outgoing, () => undefined);
  }

  function passUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const engine = engineOf(incoming);
    socket.on('error', () => socket.destroy());
    if (engine === null) return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
    const outgoing = requestTo(engine, incoming, true);
    outgoing.on('upgrade', (response, far, farHead) => {
      sockets.add(far).add(socket);
      socket.write(headOf(response));
      socket.write(farHead);
      far.write(head);
      const forget = () => void (sockets.delete(far), sockets.delete(socket));
      pipeline(far, socket, far, forget);
    });
    outgoing.on('response', (response) => {
      socket.write(headOf(response));
      pipeline(response, socket, () => undefined);
    });
    outgoing.on('error', (err) => {
      logger.debug({ err, engine }, 'a WebSocket to a Pod on another machine failed');
      socket.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n');
    });
    socket.on('close', () => outgoing.destroy());
    outgoing.end();
  }

  const server = createServer(pass).on('upgrade', passUpgrade);

  async function listen(): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = server.address();
    if (at === null || typeof at === 'string') throw new Error('A server on a port has a port.');
    return at.port;
  }

  return {
    async address(engine, podId, port) {
      engines.set(podId.toLowerCase(), engine);
      listening ??= listen();
      return `http://${podId}-${port}.localhost:${await listening}/`;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      if (listening === null) return;
      await listening;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
