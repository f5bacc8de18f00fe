/** A keep-alive HTTP/1.1 client on a bare socket: what the load generator costs must not hide what the server costs. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

export interface RawConnection {
  /** One request and its answer; the next may be sent when it has settled. */
  request(method: string, path: string, body?: string | Buffer): Promise<RawAnswer>;
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
  let parts: Buffer[] = [];
  let pendingBytes = 0;
  /** What must have arrived before it is worth looking again: large answers are joined once. */
  let wantedBytes = 0;
  let failure: Error | null = null;

  const fail = (cause: Error): void => {
    // The first cause explains the ones that follow it.
    failure ??= cause;
    waiting?.reject(failure);
    waiting = null;
  };

  const onData = (data: Buffer): void => {
    parts.push(data);
    pendingBytes += data.length;
    if (pendingBytes < wantedBytes) return;
    const pending = parts.length === 1 ? data : Buffer.concat(parts);
    parts = [pending];
    const headEnd = pending.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = pending.toString('latin1', 0, headEnd);
    const status = Number(head.slice(9, 12));
    const length = status === 204 ? '0' : /content-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      fail(new Error(`An answer without content-length: ${head}`));
      return;
    }
    const bodyAt = headEnd + HEAD_END.length;
    wantedBytes = bodyAt + Number(length);
    if (pendingBytes < wantedBytes) return;
    const body = pending.toString('utf8', bodyAt, wantedBytes);
    // One request at a time: nothing follows an answer.
    parts = [];
    pendingBytes = wantedBytes = 0;
    if (!waiting) {
      fail(new Error(`An answer without a request, HTTP ${status}: ${body.slice(0, 300)}`));
      return;
    }
    const { resolve } = waiting;
    waiting = null;
    resolve({ status, body });
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
      if (body === undefined) socket.write(`${method} ${path} HTTP/1.1${head}\r\n`, 'latin1');
      else {
        const length = Buffer.byteLength(body);
        const start = `${method} ${path} HTTP/1.1${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
        // Text of ASCII alone is the cheapest to write.
        if (typeof body === 'string') socket.write(start + body, length === body.length ? 'latin1' : 'utf8');
        else {
          socket.write(start);
          socket.write(body);
        }
      }
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

/** `count` connections at once. */
export const openConnections = (address: string, key: string, count: number): Promise<RawConnection[]> =>
  Promise.all(Array.from({ length: count }, () => openConnection(address, key)));

/** The answer's body when it is a 200; otherwise an error that shows it. */
export function bodyOf(answer: RawAnswer): string {
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.body.slice(0, 300)}`);
  return answer.body;
}

/** Works through `items` with all connections at once, each taking the next item when it has its answer. */
export async function eachOver<T>(
  connections: readonly RawConnection[],
  items: Iterable<T>,
  work: (connection: RawConnection, item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  await Promise.all(
    connections.map(async (connection) => {
      for (let next = left.next(); next.done !== true; next = left.next()) await work(connection, next.value);
    }),
  );
}

const LENGTH_NAME = Buffer.from('ontent-length: ', 'latin1');
const DIGIT_0 = 48;
const OK_AT = 9;

/**
 * GETs the paths round about over `connections` sockets until `count` answers are in, as cheaply as Node can: for
 * servers that answer in a few microseconds. Every answer must be a 200 of one packet; anything else is an error that
 * shows it.
 */
export async function hammer(
  address: string,
  key: string,
  paths: readonly string[],
  count: number,
  connections = 64,
): Promise<void> {
  const { hostname, port } = new URL(address);
  const head = ` HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`;
  const requests = paths.map((path) => Buffer.from(`GET ${path}${head}`, 'latin1'));
  let sent = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      const send = (): void => {
        if (sent < count) socket.write(requests[sent++ % requests.length] ?? '');
        else {
          socket.destroy();
          resolve();
        }
      };
      socket.once('connect', send);
      socket.once('error', reject);
      socket.on('data', (data) => {
        const headEnd = data.indexOf(HEAD_END);
        let at = data.indexOf(LENGTH_NAME) + LENGTH_NAME.length;
        let length = 0;
        for (
          let digit = data[at];
          digit !== undefined && digit >= DIGIT_0 && digit <= DIGIT_0 + 9;
          digit = data[++at]
        ) {
          length = length * 10 + digit - DIGIT_0;
        }
        if (data[OK_AT] === DIGIT_0 + 2 && data.length === headEnd + HEAD_END.length + length) send();
        else reject(new Error(`An answer that is no whole 200: ${data.toString('latin1').slice(0, 300)}`));
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
}
