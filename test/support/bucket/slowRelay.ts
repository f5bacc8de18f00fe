/** A way to a server that takes no more of what is sent while it is held, as a slow network does. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Between two pieces of a connection that waits. */
const PIECE_MS = 5000;

export interface SlowRelay {
  /** `http://host:port` */
  readonly address: string;
  /**
   * From now on, a connection takes about this many bytes, and then a piece of at most 64 KB every five seconds: who sends
   * gives up after a minute without progress.
   */
  hold(afterBytes: number): void;
  release(): void;
  /** Nobody listens any more, and what is connected breaks off. */
  stop(): Promise<void>;
}

export async function startSlowRelay(to: string): Promise<SlowRelay> {
  const { hostname, port: farPort } = new URL(to);
  const sockets = new Set<Socket>();
  let most = Infinity;
  const server = createServer((near) => {
    const far = connect(Number(farPort), hostname);
    let taken = 0;
    near.on('data', (piece) => {
      taken += piece.length;
      far.write(piece);
      if (taken > most) near.pause();
    });
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const resume = (): void => {
    for (const socket of sockets) socket.resume();
  };
  const trickle = setInterval(resume, PIECE_MS).unref();
  return {
    address: `http://127.0.0.1:${port}`,
    hold(afterBytes) {
      most = afterBytes;
      resume();
    },
    release() {
      most = Infinity;
      resume();
    },
    async stop() {
      clearInterval(trickle);
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
