/**
 * Opens the http ports of Pods on other machines from this one. An engine serves such a port at the host name
 * `{pod}-{port}.localhost`, which is always the viewer's own machine. This server has the same names on a port of its
 * own, and passes requests and WebSockets on to the engine of the Pod, with the key of the account. It listens on
 * loopback, from the first address on.
 *
 * The key goes to the engine in a header that the engine keeps from the Pod. It goes only to an engine that has said
 * so: an earlier Hangar passes each header on to the Pod.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { toAppError } from '#contract/core/errors.ts';
import { neverWrite } from '../platform/redaction.ts';
import { sendAnswer, type TunnelAnswer } from './answerPage.ts';
import { forwardRequest, forwardUpgrade } from './forward.ts';

/** The way of one account to its engine. */
export interface TunnelRoute {
  /** The name of the account. */
  readonly name: string;
  /** The base address of the engine. */
  readonly engine: string;
  /** Resolves with the key of the account. Rejects with AppError if there is none, or if it cannot be read. */
  key(): Promise<string>;
  /** Whether the account still has this engine. If not, its key does not go there. */
  isCurrent(): boolean;
}

/** An http port of a Pod. */
export interface TunnelPort {
  readonly podId: string;
  readonly port: number;
  /** Whether the engine asks for the key at its http ports, and keeps it from the Pod. */
  readonly asksForKey: boolean;
}

export interface PodTunnel {
  /** The address of an http port of a Pod, as a browser on this machine opens it. */
  address(route: TunnelRoute, port: TunnelPort): Promise<string>;
  /** Ends all connections. */
  stop(): Promise<void>;
}

/** Where requests for a Pod go. */
interface Target {
  readonly route: TunnelRoute;
  readonly asksForKey: boolean;
}

const HOST_NAME = /^([a-z0-9]+)-(\d{1,5})\.localhost(?::\d+)?$/i;
const noAnswer = ({ name, engine }: TunnelRoute): TunnelAnswer => ({
  status: 502,
  title: `“${name}” does not answer`,
  text: `The Hangar at ${engine} does not answer. Look whether it runs there, then load this page again.`,
});
const noKey = ({ name }: TunnelRoute, reason: string): TunnelAnswer => ({
  status: 502,
  title: `The key of “${name}” cannot be used`,
  text: `${reason} Then load this page again.`,
});
const refused = ({ name, engine }: TunnelRoute, status: number): TunnelAnswer => ({
  status,
  title: `“${name}” refuses the key`,
  text:
    (status === 403
      ? `The key of the account “${name}” allows less than the Hangar at ${engine} asks for at a port of a Pod: that takes a key of the scope “all”. `
      : `The Hangar at ${engine} does not know the key of the account “${name}”, or the key is disabled there. `) +
    'Enter another key on the page Accounts of Hangar, then load this page again.',
});
const UNKNOWN: TunnelAnswer = {
  status: 404,
  title: 'Hangar does not know this Pod now',
  text: 'No Pod of an account has this address now. Open it again from the list of Pods.',
};
const NO_PATH: TunnelAnswer = {
  status: 400,
  title: 'This is no address of a Pod',
  text: 'The request line must hold a path.',
};

export function createPodTunnel(logger: Pick<Logger, 'debug'>): PodTunnel {
  /** By the ids of Pods, in lower case. */
  const targets = new Map<string, Target>();
  const sockets = new Set<Duplex>();
  let listening: Promise<number> | null = null;

  function targetOf({ headers: { host = '' } }: IncomingMessage): Target | null {
    const target = targets.get(HOST_NAME.exec(host)?.[1]?.toLowerCase() ?? '');
    return target?.route.isCurrent() === true ? target : null;
  }

  /** Rejects as the key of the route does. */
  async function keyFor({ route, asksForKey }: Target): Promise<string | null> {
    if (!asksForKey) return null;
    const key = await route.key();
    neverWrite(key);
    return key;
  }

  function take(incoming: IncomingMessage, answer: ServerResponse): void {
    const target = targetOf(incoming);
    const say = (own: TunnelAnswer): void => {
      if (!answer.headersSent && !answer.destroyed) sendAnswer(answer, incoming.headers.accept, own);
    };
    if (target === null) return say(UNKNOWN);
    // An address with a host of its own would lead the engine elsewhere.
    if (incoming.url?.startsWith('/') !== true) return say(NO_PATH);
    const { route } = target;
    const forward = (key: string | null): void => {
      if (answer.destroyed) return;
      forwardRequest({ engine: route.engine, key, incoming }, answer, {
        onRefused: (status) => say(refused(route, status)),
        onFailed(err) {
          logger.debug({ err, engine: route.engine }, 'a request to a Pod on another machine failed');
          say(noAnswer(route));
        },
      });
    };
    // A key that no header can hold fails, too.
    keyFor(target)
      .then(forward)
      .catch((error: unknown) => say(noKey(route, toAppError(error).message)));
  }

  function takeUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = targetOf(incoming);
    const refuse = (status: string): void => {
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    };
    socket.on('error', () => socket.destroy());
    if (target === null) return refuse('404 Not Found');
    if (incoming.url?.startsWith('/') !== true) return refuse('400 Bad Request');
    const { route } = target;
    const onFailed = (err: unknown): void => {
      logger.debug({ err, engine: route.engine }, 'a WebSocket to a Pod on another machine failed');
      refuse('502 Bad Gateway');
    };
    const forward = (key: string | null): void => {
      if (socket.destroyed) return;
      forwardUpgrade({ engine: route.engine, key, incoming }, socket, head, {
        onOpen(far) {
          sockets.add(far).add(socket);
        },
        onEnd(far) {
          sockets.delete(far);
          sockets.delete(socket);
        },
        onFailed,
      });
    };
    keyFor(target).then(forward).catch(onFailed);
  }

  const server = createServer(take).on('upgrade', takeUpgrade);

  async function listen(): Promise<number> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = server.address();
    if (at === null || typeof at === 'string') throw new Error('A server on a port has a port.');
    return at.port;
  }

  return {
    async address(route, { podId, port, asksForKey }) {
      targets.set(podId.toLowerCase(), { route, asksForKey });
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
