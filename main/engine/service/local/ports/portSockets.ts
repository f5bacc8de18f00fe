/** Connections to TCP ports of Pods over WebSockets, at /local/v1/pods/{podId}/ports/{port}/connect. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { AppError } from '#contract/core/errors.ts';
import type { ApiKeys } from '../../../domain/access/apiKeys.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import type { PodPorts } from '../../../domain/terminals/ports.ts';
import { authorize, endAnswer, endWithKey, neededKey } from '../../http/auth.ts';
import { sendError } from '../../http/errorMapper.ts';
import type { Operation } from '../../openapi/operation.ts';

export interface PortSocketsOptions {
  keys: ApiKeys;
  logger: Logger;
  ports: PodPorts;
}

export interface PortSockets {
  /**
   * Serves a request for a port; returns false for any other. `head`: the bytes behind a request to change protocols;
   * null for any other request. Throws AppError.
   */
  serve(request: IncomingMessage, response: ServerResponse, head: Buffer | null): boolean;
  /** Ends all connections. */
  stop(): void;
}

/** The operation whose path matches PATH. */
export const portOperation: Operation = {
  methods: ['get'],
  path: '/local/v1/pods/{podId}/ports/{port}/connect',
  id: 'connectPodPort',
  group: 'pods',
  need: 'all',
  summary:
    'Connects to a TCP port of a Pod, as a program in the Pod does. It is a WebSocket: the request asks for that change of protocol.',
  answers: {
    101: {
      words:
        'The WebSocket, once the port has taken the connection. Binary messages carry its bytes both ways; the text message `end` says that no more follow from this side.',
      shape: null,
    },
  },
  refusals: ['BAD_REQUEST', 'NOT_FOUND', 'UPSTREAM', 'CONFLICT'],
};
const PATH = /^\/local\/v1\/pods\/([^/?]+)\/ports\/([^/?]*)\/connect(?:\?|$)/;
/** Longest message, bytes. */
const MOST_BYTES = 1024 * 1024;
const MOST_CONNECTIONS = 256;
const GOING_AWAY = 1001;
const REFUSED = 1008;
const LAST_PORT = 65_535;

export function createPortSockets({ keys, logger, ports }: PortSocketsOptions): PortSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, perMessageDeflate: false });
  const clients = new WeakMap<Socket, WebSocket>();
  let opening = 0;

  function dismiss(client: WebSocket, code: number, reason?: string): void {
    client.close(code, reason);
    client.terminate();
  }

  async function open(podId: string, port: number, request: IncomingMessage, response: ServerResponse, head: Buffer) {
    if (server.clients.size + opening >= MOST_CONNECTIONS) {
      const most = `There are ${MOST_CONNECTIONS} connections to ports of Pods, which is as many as can be.`;
      throw new AppError('CONFLICT', `${most} Close some first.`);
    }
    opening++;
    try {
      const connection = await ports.connect(podId, port);
      const { socket } = request;
      if (socket.destroyed || response.writableEnded) {
        connection.close();
        return;
      }
      response.detachSocket(socket);
      server.handleUpgrade(request, socket, head, (client) => {
        clients.set(socket, client);
        socket.setTimeout(0);
        connection.join(client);
      });
    } finally {
      opening--;
    }
  }

  return {
    serve(request, response, head) {
      const [, podId, portText = ''] = PATH.exec(request.url ?? '') ?? [];
      if (podId === undefined) return false;
      const admission = { key: neededKey(request), need: 'all', place: null } as const;
      authorize(keys, admission);
      const { socket } = request;
      endWithKey(keys, admission, head ? socket : response, (error) => {
        const client = clients.get(socket);
        if (client) dismiss(client, REFUSED, 'The API key does not allow this any more.');
        else endAnswer(request, response, error, logger);
      });
      if (head === null)
        throw new AppError('BAD_REQUEST', 'A connection is a WebSocket: ask for that by "Upgrade: websocket".');
      const port = Number(portText);
      if (!/^\d{1,5}$/.test(portText) || port < 1 || port > LAST_PORT)
        throw new AppError('BAD_REQUEST', `A port is a number from 1 to ${LAST_PORT}.`);
      open(podId, port, request, response, head).catch((error: unknown) => sendError(response, error, logger));
      return true;
    },
    stop() {
      for (const client of server.clients) dismiss(client, GOING_AWAY);
    },
  };
}
