import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a container engine of some kind answers about itself, for tests of what is made of it. */
export interface EngineApi extends AsyncDisposable {
  /** As DOCKER_HOST takes it. */
  readonly host: string;
  /** The socket; null where it listens at a port. */
  readonly socketPath: string | null;
  readonly port: number;
  /** The paths of all requests, in order. */
  readonly requests: readonly string[];
}

/**
 * Answers each of these paths with what stands beside it; at a socket, or at a port of the loopback address. `lines`: the
 * paths whose answer is one JSON value in each line, which may depend on the query.
 */
export async function startEngineApi(
  answers: Record<string, object>,
  at: 'socket' | 'port',
  lines: Record<string, (query: URLSearchParams) => readonly object[]> = {},
): Promise<EngineApi> {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-engine-api-'));
  const socketPath = at === 'socket' ? join(folder, 'docker.sock') : null;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    requests.push(path);
    const values = lines[path]?.(new URLSearchParams(query));
    const answer = values ?? answers[path];
    response.writeHead(answer === undefined ? 404 : 200, { connection: 'close', 'content-type': 'application/json' });
    const sent = values ?? [answer ?? { message: `no such place: ${request.url}` }];
    response.end(sent.map((value) => JSON.stringify(value)).join('\n'));
  });
  if (socketPath === null) server.listen(0, '127.0.0.1');
  else server.listen(socketPath);
  await once(server, 'listening');
  const port = socketPath === null ? (server.address() as AddressInfo).port : 0;
  return {
    host: socketPath === null ? `tcp://127.0.0.1:${port}` : `unix://${socketPath}`,
    socketPath,
    port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
