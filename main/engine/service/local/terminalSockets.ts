/** Terminals over WebSockets, at /local/v1/pods/{podId}/terminal and /local/v1/workers/{workerId}/terminal. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { AppError, toAppError } from '#contract/core/errors.ts';
import { parseJson } from '#contract/core/jsonScanner.ts';
import { terminalClientSchema, terminalServerSchema, type TerminalServerMessage } from '#contract/local/terminal.ts';
import type { ApiKeys } from '../../domain/access/apiKeys.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { Terminals, TerminalTarget } from '../../domain/terminals/ports.ts';
import { authorize, endAnswer, endWithKey, neededKey } from '../http/auth.ts';
import { sendError } from '../http/errorMapper.ts';
import { validate } from '../http/validate.ts';
import { named, type Operation } from '../openapi/operation.ts';

export interface TerminalSocketsOptions {
  clock: Clock;
  keys: ApiKeys;
  logger: Logger;
  terminals: Terminals;
}

export interface TerminalSockets {
  /** Null for any other request. */
  targetOf(request: IncomingMessage): TerminalTarget | null;
  /** `head`: the bytes behind a request to change protocols; null for any other request. Throws AppError. */
  serve(target: TerminalTarget, request: IncomingMessage, response: ServerResponse, head: Buffer | null): void;
  stop(): void;
}

const sentShape = named('TerminalClientMessage', terminalClientSchema);
const receivedShape = named('TerminalServerMessage', terminalServerSchema);

/** The messages of a WebSocket are not HTTP: the document has their schemas beside the answers. */
const terminalInto = (path: string, id: string, container: string): Operation => ({
  methods: ['get'],
  path,
  id,
  group: 'terminals',
  need: 'all',
  summary: `Opens a terminal into the container of a ${container}. It is a WebSocket: the request asks for that change of protocol.`,
  answers: {
    101: {
      words:
        'The WebSocket. Each way goes JSON in text messages, of which the first is `attach` and its answer `attached`. Output comes in binary messages, whose bytes are counted since the session began.',
      shape: null,
    },
  },
  webSocket: { sent: sentShape, received: receivedShape },
  refusals: ['BAD_REQUEST', 'CONFLICT'],
});

/** The operations whose paths match PATH. */
export const terminalOperations: readonly Operation[] = [
  terminalInto('/local/v1/pods/{podId}/terminal', 'podTerminal', 'Pod'),
  terminalInto('/local/v1/workers/{workerId}/terminal', 'workerTerminal', 'worker'),
];
const PATH = /^\/local\/v1\/(pod|worker)s\/([^/?]+)\/terminal(?:\?|$)/;
/** The size of the longest input message, with every character escaped. */
const MOST_BYTES = 512 * 1024;
/** The time within which a client attaches, milliseconds. */
const ATTACH_MS = 10_000;
const NORMAL = 1000;
const GOING_AWAY = 1001;
const REFUSED = 1008;

/** Serves one viewer; handles its messages in their order. */
function seatViewer(
  socket: WebSocket,
  target: TerminalTarget,
  { clock, terminals, logger }: TerminalSocketsOptions,
): void {
  const send = (message: TerminalServerMessage): void => {
    socket.send(JSON.stringify(message));
    if (message.type === 'ended') socket.close(NORMAL);
  };
  const viewer = { send, output: (bytes: Uint8Array) => socket.send(bytes) };
  let seat: Awaited<ReturnType<Terminals['attach']>> | null = null;
  let turn: Promise<void> = Promise.resolve();
  const left = new AbortController();
  const late = clock.after(ATTACH_MS, () => socket.close(REFUSED, 'Nothing was attached'));

  async function take(data: RawData, isBinary: boolean): Promise<void> {
    if (left.signal.aborted) return;
    if (isBinary || !Buffer.isBuffer(data))
      throw new AppError('BAD_REQUEST', 'Messages to a terminal are JSON in text.');
    const message = validate(terminalClientSchema, parseJson(data.toString(), 'The message'), 'The message');
    if (message.type === 'attach') {
      if (seat) throw new AppError('BAD_REQUEST', 'This connection is attached already.');
      late();
      seat = await terminals.attach(target, message, viewer, left.signal);
      if (left.signal.aborted) seat.leave();
      return;
    }
    if (!seat) throw new AppError('BAD_REQUEST', 'The first message must be "attach".');
    if (message.type === 'input') seat.input(message.data);
    else if (message.type === 'resize') seat.resize({ columns: message.columns, rows: message.rows });
    else if (message.type === 'shown') seat.shown(message.upTo);
    else if (message.type === 'close') await seat.close();
  }

  socket.on('message', (data, isBinary) => {
    turn = turn
      .then(() => take(data, isBinary))
      .catch((thrown: unknown) => {
        const error = toAppError(thrown);
        if (error.code === 'INTERNAL') logger.error({ err: error.cause ?? error }, 'a terminal failed');
        if (!left.signal.aborted) send({ type: 'error', message: error.message });
        if (!seat) socket.close(REFUSED);
      });
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    left.abort();
    late();
    seat?.leave();
  });
}

/** Closes the connection of a viewer that reads nothing; it can connect again. */
function watchReading(socket: Socket): void {
  socket.on('timeout', () => {
    if (socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(0);
  });
}

export function createTerminalSockets(options: TerminalSocketsOptions): TerminalSockets {
  const { keys, logger, terminals } = options;
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, perMessageDeflate: false });
  /** The viewers by their connections. */
  const viewers = new WeakMap<Socket, WebSocket>();

  /** Closes at once, without waiting for more input. */
  function dismiss(client: WebSocket, code: number, reason?: string): void {
    client.close(code, reason);
    client.terminate();
  }

  async function open(target: TerminalTarget, request: IncomingMessage, response: ServerResponse, head: Buffer) {
    await terminals.find(target);
    const { socket } = request;
    if (socket.destroyed || response.writableEnded) return;
    response.detachSocket(socket);
    server.handleUpgrade(request, socket, head, (client) => {
      viewers.set(socket, client);
      watchReading(socket);
      seatViewer(client, target, options);
    });
  }

  return {
    targetOf({ url }) {
      const [, noun, id] = PATH.exec(url ?? '') ?? [];
      return noun === undefined || id === undefined ? null : { kind: noun === 'pod' ? 'pod' : 'worker', id };
    },
    serve(target, request, response, head) {
      const admission = { key: neededKey(request), need: 'all', place: null } as const;
      authorize(keys, admission);
      const { socket } = request;
      endWithKey(keys, admission, head ? socket : response, (error) => {
        const client = viewers.get(socket);
        if (client) dismiss(client, REFUSED, 'The API key does not allow this any more.');
        else endAnswer(request, response, error, logger);
      });
      if (head === null)
        throw new AppError('BAD_REQUEST', 'A terminal is a WebSocket: ask for that by "Upgrade: websocket".');
      open(target, request, response, head).catch((error: unknown) => sendError(response, error, logger));
    },
    stop() {
      for (const client of server.clients) dismiss(client, GOING_AWAY);
    },
  };
}
