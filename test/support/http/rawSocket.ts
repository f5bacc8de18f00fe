import { connect, type Socket } from 'node:net';

/** A connection on which anything can be sent, and of which everything is kept that came back. */
export interface RawSocket extends Disposable {
  readonly socket: Socket;
  /** What came back so far, as text. */
  readonly said: string;
  send(text: string | Uint8Array): void;
  /** Settles with everything that came back once the other side has closed; rejects after `withinMs`. */
  closed(withinMs?: number): Promise<string>;
  /** Settles once what came back matches; rejects after `withinMs`. */
  heard(pattern: RegExp, withinMs?: number): Promise<string>;
}

/** Connects to an engine on this machine. `halfOpen`: may end its own side and go on reading. */
export async function openSocket(port: number): Promise<RawSocket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  let said = '';
  let ended = false;
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const over = (): void => {
    ended = true;
    changed();
  };
  socket.setEncoding('latin1').on('data', (text: string) => {
    said += text;
    changed();
  });
  socket.on('end', over).on('close', over);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  // A reset is one way to be closed.
  socket.on('error', over);

  const wait = (what: string, done: () => boolean, withinMs: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (done()) leave(() => resolve(said));
        else if (ended) leave(() => reject(new Error(`Closed before ${what}; it said: ${said.slice(-500)}`)));
      };
      const leave = (then: () => void): void => {
        clearTimeout(timer);
        listeners.delete(look);
        then();
      };
      const timer = setTimeout(
        () => leave(() => reject(new Error(`Waited ${withinMs} ms in vain for ${what}; it said: ${said.slice(-500)}`))),
        withinMs,
      );
      listeners.add(look);
      look();
    });

  return {
    socket,
    get said() {
      return said;
    },
    send: (text) => void socket.write(text),
    closed: (withinMs = 10_000) => wait('the end', () => ended, withinMs),
    heard: (pattern, withinMs = 10_000) => wait(String(pattern), () => pattern.test(said), withinMs),
    [Symbol.dispose]: () => socket.destroy(),
  };
}
