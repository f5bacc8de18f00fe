/** Thousands of connections at once, of clients that ask for nothing, or for one thing only. */
import { connect, type Socket } from 'node:net';

/** So many are opened at a time. */
const AT_ONCE = 500;

/** What a client asks for once and then no more. */
export const HEALTH_REQUEST = 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

/**
 * Opens connections to a port of this machine; each sends `first`, where that is not empty, and waits for the beginning
 * of the answer.
 */
export async function openMany(port: number, count: number, first: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined).resume();
      return socket;
    });
    sockets.push(...batch);
    await Promise.all(
      batch.map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.once('close', () => resolve());
            if (first === '') socket.once('connect', () => resolve());
            else socket.once('connect', () => socket.write(first)).once('data', () => resolve());
          }),
      ),
    );
  }
  return sockets;
}

/** Cuts those that are still open, and waits until they are gone. */
export async function cutAll(sockets: readonly Socket[]): Promise<void> {
  const open = sockets.filter(({ closed }) => !closed);
  await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve).destroy())));
}
