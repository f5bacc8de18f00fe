/** A way to an address that can be cut and joined again, as the network between two machines can. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './freePort.ts';

export interface Relay extends AsyncDisposable {
  /** Stays the same over cuts. */
  readonly address: string;
  /** Nobody listens any more, and what is connected breaks off. */
  cut(): Promise<void>;
  join(): Promise<void>;
  /** What is connected breaks off; who connects then gets through. */
  drop(): void;
  /**
   * The next request that contains `text` gets through, but its connection breaks off in place of the answer. Resolves
   * then.
   */
  dropAnswerTo(text: string): Promise<void>;
}

/** `to`: `http://host:port`, or `unix:///path/of/a.socket`. */
export async function startRelay(to: string): Promise<Relay> {
  const { protocol, hostname, port: farPort, pathname } = new URL(to);
  const sockets = new Set<Socket>();
  let unanswered: { text: string; dropped(): void } | null = null;
  const server = createServer((near) => {
    const far = protocol === 'unix:' ? connect(pathname) : connect(Number(farPort), hostname);
    near.on('data', (bytes: Buffer) => {
      if (unanswered === null || !bytes.includes(unanswered.text)) return;
      const { dropped } = unanswered;
      unanswered = null;
      far.unpipe(near);
      far.once('data', () => {
        near.destroy();
        dropped();
      });
      far.resume();
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      // Whatever ends one side ends the other.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const port = await freePort();
  const join = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    drop();
    await closed;
  };
  await join();
  const dropAnswerTo = (text: string): Promise<void> =>
    new Promise((resolve) => (unanswered = { text, dropped: resolve }));
  return { address: `http://127.0.0.1:${port}`, join, drop, dropAnswerTo, cut, [Symbol.asyncDispose]: cut };
}
