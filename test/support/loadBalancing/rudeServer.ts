import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server on a bare socket that behaves as no HTTP server should. */
export interface RudeServer {
  readonly origin: string;
  /** Connections so far. */
  connections(): number;
  /** Those that are open now. */
  open(): number;
  /** Bytes written to all of them. */
  sent(): number;
  close(): Promise<void>;
}

/** `behave` is called for each connection, `tick` every 50 ms for each that is open. */
export async function startRudeServer(
  behave: (socket: Socket) => void,
  tick: (socket: Socket, count: number) => void = () => undefined,
): Promise<RudeServer> {
  const open = new Map<Socket, number>();
  let connections = 0;
  let sent = 0;
  const server = createServer((socket) => {
    connections++;
    open.set(socket, 0);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sent += socket.bytesWritten;
      open.delete(socket);
    });
    behave(socket);
  });
  const timer = setInterval(() => {
    for (const [socket, count] of open) {
      open.set(socket, count + 1);
      tick(socket, count);
    }
  }, 50);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    open: () => open.size,
    sent: () => sent,
    close: async () => {
      clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      for (const socket of open.keys()) socket.destroy();
      await closed;
    },
  };
}
