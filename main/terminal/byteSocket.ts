/**
 * The bytes of a connection over a WebSocket. Binary messages carry them; the text message `end` says that no more
 * follow from its side. Both sides are read only as fast as the other one takes.
 */

/** A WebSocket that is open. */
export interface ByteSocket {
  on(event: 'message', listener: (data: Uint8Array, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  send(data: Uint8Array | string, sent?: () => void): void;
  pause(): void;
  resume(): void;
  close(code: number): void;
  terminate(): void;
}

/** A connection: `input` takes its bytes, `output` has those of its other side. */
export interface ByteStream {
  readonly input: {
    write(bytes: Uint8Array): boolean;
    end(): unknown;
    once(event: 'drain', listener: () => void): unknown;
    on(event: 'error', listener: () => void): unknown;
  };
  readonly output: {
    /** Whether its end was emitted already: a connection that brings no byte ends unread. */
    readonly readableEnded: boolean;
    on(event: 'data', listener: (bytes: Uint8Array) => void): unknown;
    on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
    pause(): unknown;
    resume(): unknown;
  };
  /** Ends both directions at once. */
  close(): void;
}

/** Counts bytes as they pass. */
export interface Traffic {
  /** To the WebSocket. */
  sent(bytes: number): void;
  /** From the WebSocket. */
  received(bytes: number): void;
}

const END = 'end';
/** Bytes that wait in the WebSocket before its source is paused. */
const MOST_WAITING = 1024 * 1024;
const NORMAL = 1000;

/** Joins the two until both directions, or one of the two, have ended. */
export function joinSocket(socket: ByteSocket, { input, output, close }: ByteStream, traffic?: Traffic): void {
  let waiting = 0;
  const over = { sending: false, receiving: false };
  const end = (direction: keyof typeof over): void => {
    over[direction] = true;
    if (over.sending && over.receiving) socket.close(NORMAL);
  };
  output.on('data', (bytes) => {
    traffic?.sent(bytes.length);
    waiting += bytes.length;
    socket.send(bytes, () => {
      waiting -= bytes.length;
      if (waiting < MOST_WAITING) output.resume();
    });
    if (waiting >= MOST_WAITING) output.pause();
  });
  const onEnd = (): void => {
    socket.send(END);
    end('sending');
  };
  if (output.readableEnded) onEnd();
  else output.on('end', onEnd);
  output.on('close', () => socket.close(NORMAL));
  output.on('error', () => undefined);
  input.on('error', () => undefined);
  socket.on('message', (data, isBinary) => {
    if (!isBinary) {
      input.end();
      end('receiving');
    } else if (!over.receiving) {
      traffic?.received(data.length);
      if (input.write(data)) return;
      socket.pause();
      input.once('drain', () => socket.resume());
    }
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', close);
  // One that was paused until somebody listens.
  socket.resume();
}
