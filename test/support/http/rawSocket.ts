import { connect, type Socket } from 'node:net';
import { until } from '../core/until.ts';

/** A connection on which anything can be sent, and of which everything is kept that came back. */
export interface RawSocket extends Disposable {
  readonly socket: Socket;
  /** What came back so far, as text. */
  readonly received: string;
  send(text: string | Uint8Array): void;
  /** Settles with everything that came back once the other side has closed; rejects at the shared deadline. */
  closed(): Promise<string>;
  /** Settles once what came back matches; rejects at the shared deadline. */
  heard(pattern: RegExp): Promise<string>;
}

/** Connects to an engine on this machine, over loopback unless `host` is another address of it. */
export async function openSocket(port: number, host = '127.0.0.1'): Promise<RawSocket> {
  const socket = connect({ port, host, allowHalfOpen: true, noDelay: true });
  let received = '';
  let ended = false;
  const over = (): void => void (ended = true);
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.on('end', over).on('close', over);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  // A reset is one way to be closed.
  socket.on('error', over);

  const wait = async (what: string, isDone: () => boolean): Promise<string> => {
    await until(
      what,
      () => received,
      () => {
        if (isDone()) return true;
        if (ended) throw new Error(`The other side closed before; it said: ${received.slice(-500)}`);
        return false;
      },
    );
    return received;
  };

  return {
    socket,
    get received() {
      return received;
    },
    send: (text) => void socket.write(text),
    closed: () => wait('the end of the connection', () => ended),
    heard: (pattern) => wait(String(pattern), () => pattern.test(received)),
    [Symbol.dispose]: () => socket.destroy(),
  };
}
