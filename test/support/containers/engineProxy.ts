import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A request to a container engine. */
export interface EngineRequest {
  /** As in "POST /containers/ID/start"; without a version. */
  what: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A way to a real container engine that notes every request, and can hold the starts of containers back. */
export interface EngineProxy extends AsyncDisposable {
  /** As DOCKER_HOST takes it. */
  readonly host: string;
  readonly requests: readonly EngineRequest[];
  /** The answers to starts of containers that the engine has given, milliseconds since the epoch. */
  readonly started: readonly number[];
  /** From now on, no start of a container reaches the engine. */
  hold(): void;
  /** Lets them through. */
  release(): void;
}

const STARTS = /^POST \/containers\/[^/]+\/start$/;

/** `to`: `unix:///path/of/a.socket`. */
export async function startEngineProxy(to: string): Promise<EngineProxy> {
  const socketPath = new URL(to).pathname;
  const folder = mkdtempSync(join(tmpdir(), 'hangar-engine-proxy-'));
  const requests: EngineRequest[] = [];
  const started: number[] = [];
  const sockets = new Set<Duplex>();
  let waiting: (() => void)[] | null = null;

  const note = ({ method, url = '' }: IncomingMessage): string => {
    const [path = ''] = url.replace(/^\/v[\d.]+\//, '/').split('?');
    const what = `${method} ${path}`;
    requests.push({ what, at: Date.now() });
    return what;
  };
  function pass(request: IncomingMessage, response: ServerResponse, isStart: boolean): void {
    const far = ask({ socketPath, method: request.method, path: request.url, headers: request.headers });
    request.pipe(far);
    response.on('close', () => far.destroy());
    far.on('error', () => response.destroy());
    far.on('response', (answer) => {
      if (isStart) started.push(Date.now());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
  }
  const server = createServer((request, response) => {
    const isStart = STARTS.test(note(request));
    const go = (): void => pass(request, response, isStart);
    if (isStart && waiting !== null) waiting.push(go);
    else go();
  });
  // Of programs in containers: the connection becomes their input and output.
  server.on('upgrade', (request: IncomingMessage, near: Duplex, head: Buffer) => {
    note(request);
    const headers = request.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
    const far = connect(socketPath);
    far.write([`${request.method} ${request.url} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
    far.write(head);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const path = join(folder, 'docker.sock');
  server.listen(path);
  await once(server, 'listening');
  const release = (): void => {
    for (const go of waiting ?? []) go();
    waiting = null;
  };
  return {
    host: `unix://${path}`,
    requests,
    started,
    hold: () => void (waiting ??= []),
    release,
    async [Symbol.asyncDispose]() {
      release();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
