/** WebSockets to the workers of load-balancing endpoints, opened by a client that is not ours. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';
import type { TestEngine } from '../engine/engine.ts';

export interface Close {
  code: number;
  reason: string;
}

export interface Connected extends Disposable {
  readonly socket: WebSocket;
  readonly handshake: IncomingMessage;
  readonly closed: Promise<Close>;
  /** What has come and was not read yet, in order. */
  next(): Promise<{ data: Buffer; isBinary: boolean }>;
}

interface How extends ClientOptions {
  /** Through {endpoint}.localhost instead of /lb/{endpoint}. */
  byHost?: boolean;
  protocols?: string[];
}

/** One that is not open yet. */
export function beginSocket(
  engine: TestEngine,
  id: string,
  path: string,
  { byHost = false, protocols = [], headers, ...options }: How = {},
) {
  const address = `ws://127.0.0.1:${engine.port}${byHost ? '' : `/lb/${id}`}${path}`;
  return new WebSocket(address, protocols, {
    perMessageDeflate: false,
    ...options,
    headers: {
      authorization: `Bearer ${engine.key}`,
      ...(byHost ? { host: `${id}.localhost:${engine.port}` } : {}),
      ...headers,
    },
  });
}

/** One that is open. */
export async function connectSocket(engine: TestEngine, id: string, path: string, how: How = {}): Promise<Connected> {
  const socket = beginSocket(engine, id, path, how);
  const messages: { data: Buffer; isBinary: boolean }[] = [];
  let onMessage = (): void => undefined;
  socket.on('message', (data, isBinary) => {
    messages.push({ data: data as Buffer, isBinary });
    onMessage();
  });
  const closed = new Promise<Close>((resolve) =>
    socket.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
    }),
  );
  const handshaking = once(socket, 'upgrade') as Promise<[IncomingMessage]>;
  await once(socket, 'open');
  // A connection that breaks is told by how it was closed.
  socket.on('error', () => undefined);
  return {
    socket,
    closed,
    handshake: (await handshaking)[0],
    async next() {
      if (messages.length === 0) await new Promise<void>((resolve) => (onMessage = resolve));
      return messages.shift()!;
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** What the worker answers instead of a change of protocols. */
export async function refusedSocket(
  engine: TestEngine,
  id: string,
  path: string,
  how: How = {},
): Promise<{ status: number; text: string }> {
  const socket = beginSocket(engine, id, path, how);
  socket.on('error', () => undefined);
  const [request, answer] = (await once(socket, 'unexpected-response')) as [{ destroy(): void }, IncomingMessage];
  const text = Buffer.concat(await answer.toArray()).toString();
  request.destroy();
  return { status: answer.statusCode ?? 0, text };
}
