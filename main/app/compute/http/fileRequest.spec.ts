/** Rules of requests that send a file, against real servers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { until } from '../../../../test/support/core/until.ts';
import { createFileRequests, type FileAnswer, type FileRequest } from './fileRequest.ts';

const PIECE = 64 * 1024;
const never = new AbortController().signal;

interface Sending {
  put(file: Pick<FileRequest, 'body' | 'lengthBytes'> & Partial<FileRequest>): Promise<FileAnswer>;
  url: string;
}

async function withServer<T>(server: Server, use: (sending: Sending) => Promise<T>, connectMs = 10_000): Promise<T> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const requests = createFileRequests(connectMs);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
  try {
    return await use({ url, put: (file) => requests.put({ url, headers: {}, signal: never, ...file }) });
  } finally {
    requests.stop();
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

const serving = (handle: (request: IncomingMessage, response: ServerResponse) => void): Server => createServer(handle);

/** `count` pieces, each filled with its number; `pieces` has all that were read. */
async function* numbered(count: number, pieces: Uint8Array[] = []): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < count; at++) {
    const piece = new Uint8Array(PIECE).fill(at);
    pieces.push(piece);
    yield piece;
  }
}

describe('a file in a request', () => {
  it('comes as it is, and its pieces are empty then', async () => {
    const requests: { length: string | undefined; file: Buffer }[] = [];
    const server = serving((request, response) => {
      void buffer(request).then((file) => {
        requests.push({ length: request.headers['content-length'], file });
        response.end('it is there');
      });
    });
    const pieces: Uint8Array[] = [];
    await withServer(server, async ({ put }) => {
      const answer = await put({ body: numbered(40, pieces), lengthBytes: 40 * PIECE });
      expect([answer.statusCode, await answer.body.text()]).toEqual([200, 'it is there']);
      // The connection serves the next file, too.
      const empty = await put({ body: numbered(0), lengthBytes: 0 });
      expect(await empty.body.text()).toBe('it is there');
    });
    const whole = Buffer.concat(Array.from({ length: 40 }, (_, at) => Buffer.alloc(PIECE, at)));
    expect(requests.map(({ length }) => length)).toEqual([String(40 * PIECE), '0']);
    expect(requests[0]?.file.equals(whole)).toBe(true);
    expect(pieces.map(({ length }) => length)).toEqual(Array(40).fill(0));
  });

  it('is read at the speed of the other side', async () => {
    let unread: IncomingMessage | null = null;
    const server = serving((request, response) => {
      unread = request;
      request.on('end', () => response.end());
    });
    const pieces: Uint8Array[] = [];
    await withServer(server, async ({ put }) => {
      const answered = put({ body: numbered(2000, pieces), lengthBytes: 2000 * PIECE });
      await until('the buffers of the system are full', () => pieces.length > 0 && pieces.at(-1)?.length === PIECE);
      expect(pieces.length).toBeLessThan(2000);
      await until('the request is there', () => unread !== null);
      unread?.resume();
      expect((await answered).statusCode).toBe(200);
    });
    expect(pieces.length).toBe(2000);
  });

  it('that is refused is not read to its end, and the refusal arrives', async () => {
    const server = serving((_request, response) => response.writeHead(507).end('full'));
    const pieces: Uint8Array[] = [];
    let isOver = false;
    async function* watched(): AsyncGenerator<Uint8Array, void, void> {
      try {
        yield* numbered(20_000, pieces);
      } finally {
        isOver = true;
      }
    }
    await withServer(server, async ({ put }) => {
      const answer = await put({ body: watched(), lengthBytes: 20_000 * PIECE });
      expect([answer.statusCode, await answer.body.text()]).toEqual([507, 'full']);
      await until('the file is no longer read', () => isOver);
    });
    expect(pieces.length).toBeLessThan(20_000);
  });

  it('that is shorter than announced is no file', async () => {
    const server = serving((request) => void request.resume());
    await withServer(server, async ({ put }) => {
      await expect(put({ body: numbered(1), lengthBytes: 2 * PIECE })).rejects.toThrow('instead of');
    });
  });

  it('ends with the error of what reads it, with the signal, and with the connection', async () => {
    const server = serving((request) => void request.once('data', () => undefined));
    await withServer(server, async ({ put }) => {
      async function* broken(): AsyncGenerator<Uint8Array, void, void> {
        yield* numbered(1);
        throw new Error('the page went away');
      }
      await expect(put({ body: broken(), lengthBytes: 2 * PIECE })).rejects.toThrow('the page went away');
      const abort = new AbortController();
      const pieces: Uint8Array[] = [];
      const aborted = put({ body: numbered(2000, pieces), lengthBytes: 2000 * PIECE, signal: abort.signal });
      const failed = expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
      await until('it is under way', () => pieces.length > 1);
      abort.abort();
      await failed;
    });
    const breaking = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await withServer(breaking, async ({ put }) => {
      await expect(put({ body: numbered(2000), lengthBytes: 2000 * PIECE })).rejects.toMatchObject({
        code: expect.stringMatching(/ECONNRESET|EPIPE/),
      });
    });
  });

  it('waits for a connection only for so long', async () => {
    // A server that never begins TLS.
    const silent = createTcpServer((socket) => socket.on('error', () => undefined).resume());
    await withServer(
      silent,
      async ({ url, put }) => {
        const waiting = put({ url: url.replace('http:', 'https:'), body: numbered(1), lengthBytes: PIECE });
        await expect(waiting).rejects.toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' });
      },
      50,
    );
  });
});
