/** Listens for SSH on loopback, and passes each connection to the server of sessions. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Connection } from 'ssh2';
import { systemCode } from '#contract/core/systemCode.ts';
import type { Cancel, Clock } from '../../domain/core/ports.ts';
import type { ServedConnection } from './connection.ts';

export const HOST = '127.0.0.1';
/** Connections at once. */
const MOST_CONNECTIONS = 64;
/** The time within which a client signs in, milliseconds. */
const SIGN_IN_MS = 30_000;
/** A silent client is asked so often for a sign of life, milliseconds, and so many times before its connection ends. */
const ALIVE_MS = 30_000;
const ALIVE_MOST = 4;

interface Client {
  socket: Socket;
  late: Cancel;
  served: ServedConnection | null;
}

export interface SshListener {
  readonly port: number;
  /** Ends the connections whose keys may not sign in any more. Never rejects. */
  check(): Promise<void>;
  /** Ends all connections. */
  close(): Promise<void>;
}

export interface SshListenerOptions {
  clock: Clock;
  /** The private host key. */
  hostKey: string;
  /** The wanted port; 0 for any free one. */
  port: number;
  /** Whether a free port will do if the wanted one cannot be used. */
  takesOther: boolean;
  /**
   * `addresses`: both ends, as in the variable SSH_CONNECTION. `onSignIn`: to be called once the client has signed in.
   */
  serve(connection: Connection, addresses: string, onSignIn: () => void): ServedConnection;
}

/** Listens; resolves with the port. Rejects as `listen` does. */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, 'listening');
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('A server on a port has a port.');
  return at.port;
}

/** Whether this port cannot be used: another program has it, or the system does not allow it. */
const isPortRefused = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(systemCode(error) ?? '');

/** Listens at a port for a moment. Rejects as `listen` does. */
export async function tryPort(port: number): Promise<void> {
  const server = createServer();
  await listen(server, port);
  const closed = once(server, 'close');
  server.close();
  await closed;
}

/** Rejects as `listen` does, unless it takes another port. */
export async function openListener(options: SshListenerOptions): Promise<SshListener> {
  const { clock, hostKey, takesOther, serve } = options;
  const ssh2 = (await import('ssh2')).default;
  /** By the address of the client. */
  const clients = new Map<string, Client>();
  let ownPort = 0;

  const ssh = new ssh2.Server(
    { hostKeys: [hostKey], ident: 'Hangar', keepaliveInterval: ALIVE_MS, keepaliveCountMax: ALIVE_MOST },
    (connection, { ip, port }) => {
      const client = clients.get(`${ip}:${port}`);
      const served = serve(connection, `${ip} ${port} ${HOST} ${ownPort}`, () => client?.late());
      if (client) client.served = served;
    },
  );

  function accept(socket: Socket): void {
    if (clients.size >= MOST_CONNECTIONS) {
      socket.destroy();
      return;
    }
    const at = `${socket.remoteAddress}:${socket.remotePort}`;
    const late = clock.after(SIGN_IN_MS, () => socket.destroy());
    clients.set(at, { socket, late, served: null });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      late();
      clients.delete(at);
    });
    ssh.injectSocket(socket);
  }

  const make = (): Server => createServer({ noDelay: true }, accept);
  let server = make();
  try {
    ownPort = await listen(server, options.port);
  } catch (error) {
    if (!isPortRefused(error) || !takesOther) throw error;
    server = make();
    ownPort = await listen(server, 0);
  }
  return {
    port: ownPort,
    async check() {
      await Promise.all([...clients.values()].flatMap(({ served }) => (served ? [served.check()] : [])));
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const { socket } of clients.values()) socket.destroy();
      await closed;
    },
  };
}
