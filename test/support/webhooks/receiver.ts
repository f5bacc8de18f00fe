import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What to answer: a status, or whatever it takes. A response that is left alone hangs until `close`. */
export type Answering = number | ((response: ServerResponse, received: Received) => void);

/** A real HTTP server that is told of jobs. */
export interface Receiver extends AsyncDisposable {
  readonly origin: string;
  /** Every request whose body has arrived, oldest first. */
  readonly received: Received[];
  /** How to answer requests for this path; others are answered 200. */
  answer(path: string, answering: Answering): void;
  close(): Promise<void>;
}

/** `tls`: key and certificate in PEM, for a server that speaks HTTPS. */
export async function startReceiver(tls: { key: string; cert: string } | null = null): Promise<Receiver> {
  const received: Received[] = [];
  const answers = new Map<string, Answering>();
  const server: Server = tls ? createSecureServer(tls) : createServer();
  server.on('request', (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const one = { at: Date.now(), method, path, headers, text: Buffer.concat(parts).toString('utf8') };
      received.push(one);
      const answering = answers.get(path) ?? 200;
      if (typeof answering === 'number') response.writeHead(answering).end();
      else answering(response, one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (path, answering) => void answers.set(path, answering),
    close,
    [Symbol.asyncDispose]: close,
  };
}
