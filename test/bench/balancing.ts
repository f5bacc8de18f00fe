/** Load for whatever passes requests on, from bare sockets: what the load costs must not hide what passing costs. */
import { connect } from 'node:net';

/** Environment variable of the bare proxy: where it passes requests to. */
export const UPSTREAM = 'HANGAR_BENCH_UPSTREAM';

export interface ProxyTarget {
  readonly address: string;
  readonly key: string;
  /** Before the worker's own path. */
  readonly prefix: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Sends `request` over one connection `count` times, one after the other, and reads each answer to its end without
 * looking at it. Every answer must be a 200 with a content-length.
 */
function repeat(address: string, head: string, body: Buffer | null, count: number): Promise<void> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let left = count;
    let missing = 0;
    let begun = Buffer.alloc(0);
    const send = (): void => {
      socket.write(head);
      if (body) socket.write(body);
    };
    socket.once('connect', send);
    socket.once('error', reject);
    socket.on('data', (data) => {
      if (missing === 0) {
        begun = begun.length === 0 ? data : Buffer.concat([begun, data]);
        const end = begun.indexOf(HEAD_END);
        if (end < 0) return;
        const text = begun.toString('latin1', 0, end);
        const length = /content-length: *(\d+)/i.exec(text)?.[1];
        if (!text.startsWith('HTTP/1.1 200') || length === undefined) {
          socket.destroy();
          reject(new Error(`Not a 200 with a length: ${begun.toString('latin1').slice(0, 400)}`));
          return;
        }
        missing = end + HEAD_END.length + Number(length) - begun.length;
        begun = Buffer.alloc(0);
      } else missing -= data.length;
      if (missing > 0) return;
      if (--left > 0) send();
      else {
        socket.destroy();
        resolve();
      }
    });
  });
}

const headOf = ({ address, key, prefix }: ProxyTarget, method: string, path: string, bytes: number): string =>
  `${method} ${prefix}${path} HTTP/1.1\r\nhost: ${new URL(address).host}\r\nauthorization: Bearer ${key}\r\n` +
  `${bytes > 0 ? `content-length: ${bytes}\r\n` : ''}\r\n`;

/** MB (1000-based) a second through `connections` at once. */
export async function bytesThrough(
  to: ProxyTarget,
  way: 'up' | 'down',
  { bytes, count, connections }: { bytes: number; count: number; connections: number },
): Promise<number> {
  const body = way === 'up' ? Buffer.alloc(bytes, 'x') : null;
  const head = way === 'up' ? headOf(to, 'POST', '/', bytes) : headOf(to, 'GET', `/bytes/${bytes}`, 0);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, () => repeat(to.address, head, body, count)));
  return (bytes * count * connections) / 1000 / (performance.now() - startedAt);
}
