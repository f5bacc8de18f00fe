/** A keep-alive HTTP/1.1 client on a bare socket: what the load generator costs must not hide what the server costs. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

export interface RawConnection {
  /** One request and its answer; the next may be sent when it has settled. */
  request(method: string, path: string, body?: string): Promise<RawAnswer>;
  /** Opens a request whose body is written bit by bit. */
  open(method: string, path: string): OpenRequest;
  close(): void;
}

export interface OpenRequest {
  /** Writes one piece of the body; settles when the socket can take more. */
  write(text: string): Promise<void>;
  /** Ends the body and waits for the answer. */
  end(): Promise<RawAnswer>;
}

interface Waiting {
  resolve(answer: RawAnswer): void;
  reject(cause: Error): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Opens one connection. Answers must carry a content-length or be a 204, which is what a service under load sends. */
export async function openConnection(address: string, key: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let waiting: Waiting | null = null;
  let pending: Buffer = Buffer.alloc(0);
  let failure: Error | null = null;

  const fail = (cause: Error): void => {
    failure = cause;
    waiting?.reject(cause);
    waiting = null;
  };

  const onData = (data: Buffer): void => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data]);
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = pending.toString('latin1', 0, headEnd);
      const status = Number(head.slice(9, 12));
      const length = status === 204 ? '0' : /content-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) {
        fail(new Error(`An answer without content-length: ${head}`));
        return;
      }
      const bodyAt = headEnd + 4;
      const endAt = bodyAt + Number(length);
      if (pending.length < endAt) return;
      const body = pending.toString('utf8', bodyAt, endAt);
      pending = pending.length === endAt ? Buffer.alloc(0) : pending.subarray(endAt);
      const answered = waiting;
      waiting = null;
      answered?.resolve({ status, body });
    }
  };

  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('data', onData);
  socket.on('error', fail);
  socket.on('close', () => {
    fail(new Error('The connection was closed'));
  });

  const head = `\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n`;
  const answer = (): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      if (failure) reject(failure);
      else waiting = { resolve, reject };
    });

  return {
    request: (method, path, body) => {
      const answering = answer();
      socket.write(
        body === undefined
          ? `${method} ${path} HTTP/1.1${head}\r\n`
          : `${method} ${path} HTTP/1.1${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return answering;
    },
    open: (method, path) => {
      const answering = answer();
      socket.write(`${method} ${path} HTTP/1.1${head}transfer-encoding: chunked\r\n\r\n`);
      return {
        write: (text) => {
          const flowing = socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
          return flowing
            ? Promise.resolve()
            : new Promise((resolve) => {
                socket.once('drain', resolve);
              });
        },
        end: () => {
          socket.write('0\r\n\r\n');
          return answering;
        },
      };
    },
    close: () => socket.destroy(),
  };
}

/** The answer's body when it is a 200; otherwise an error that shows it. */
export function bodyOf(answer: RawAnswer): string {
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.body.slice(0, 300)}`);
  return answer.body;
}
