/** The second port of the engine, for workers in containers: it serves the worker protocol and nothing else. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '#contract/core/errors.ts';
import type { Logger } from '../domain/core/ports.ts';
import { createConnections, serverOptions, type Connections } from './http/connectionLimits.ts';
import { sendError } from './http/errorMapper.ts';
import { KEEP_ALIVE_MS } from './http/fastPath/response.ts';
import { takeOrigin } from './http/hostGuard.ts';
import { JOB_PREFIX } from './http/route.ts';
import { ONLY_WORKERS, type JobRouter } from './jobs/router.ts';

export interface WorkerListener {
  listenAt: string;
  /** The name in the `Host` header of its requests. */
  name: string;
  mayEnter(remoteAddress: string): boolean;
}

export interface WorkerListenerParts {
  jobs: Pick<JobRouter, 'serveUrl'>;
  logger: Logger;
  /** The number of connections that are served at once. */
  mostConnections: number;
}

/** Answers the port. `port`: 0 = any free one. Rejects as `listen` does. */
export function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address: AddressInfo | string | null = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
      else reject(new Error(`The server listens at ${String(address)}, which has no port.`));
    });
  });
}

/** Ends every connection, and settles once the server is closed. */
export async function closeServer(server: Server, connections: Connections): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  connections.stop();
  server.closeAllConnections();
  await closed;
}

/** Serves workers at `listener.listenAt`. Answers the port, and how to close it. Rejects as `listen` does. */
export async function openWorkerListener(
  { listenAt, name, mayEnter }: WorkerListener,
  wantedPort: number,
  { jobs, logger, mostConnections }: WorkerListenerParts,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer({ ...serverOptions, keepAliveTimeout: KEEP_ALIVE_MS });
  server.maxRequestsPerSocket = 0;
  server.on('connection', (socket) => {
    if (!mayEnter(socket.remoteAddress ?? '')) socket.destroy();
  });
  const connections = createConnections(server, mostConnections);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    connections.entered(request.socket, response);
    try {
      takeOrigin(request);
      const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
      if (host !== name || request.url?.startsWith(JOB_PREFIX) !== true) throw new AppError('NOT_FOUND', ONLY_WORKERS);
      jobs.serveUrl(request, response, true);
    } catch (error) {
      sendError(response, error, logger);
    }
  });
  const port = await listenOn(server, listenAt, wantedPort);
  return { port, close: () => closeServer(server, connections) };
}
