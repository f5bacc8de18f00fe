/** The socket of the command line: only the person who runs Hangar can open it, and no browser can. */
import { chmodSync, rmdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { COMMAND_PATH } from '#contract/command/index.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import type { Logger } from 'pino';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import { makeSocketFolder, socketPaths } from './socketPath.ts';
import { createCommandRouter, type CommandRouterOptions } from './router.ts';

export interface CommandSocket {
  /**
   * Path of the socket, or name of the pipe. Null if no socket can be created: Hangar then runs without a command line.
   */
  listen(): Promise<string | null>;
  stop(): Promise<void>;
}

export interface CommandSocketOptions extends CommandRouterOptions {
  dataDir: string;
}

/** A submitted body has up to 20 MB, and JSON inside JSON escapes its quotes. */
const MOST_BYTES = 64 * 1024 * 1024;
const GOING_AWAY = 1001;
const isPipe = process.platform === 'win32';

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function removeEmpty(folder: string, logger: Logger): void {
  try {
    rmdirSync(folder);
  } catch (err) {
    // The folder is not empty, or no longer exists.
    const isExpected = ['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(systemCode(err) ?? '');
    if (!isExpected) logger.warn({ err, folder }, 'the folder of the socket could not be removed');
  }
}

export function createCommandSocket({ dataDir, ...options }: CommandSocketOptions): CommandSocket {
  const { logger } = options;
  const handler = new RPCHandler(createCommandRouter(options));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES, perMessageDeflate: false });
  const server = createServer((_request, response) => {
    response.writeHead(426, { connection: 'close' }).end();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A client that disconnects during the refusal is no fault.
    socket.on('error', () => socket.destroy());
    if (request.url !== COMMAND_PATH) return refuse(socket, '404 Not Found');
    // Browsers send the origin of their page; the command line has none.
    if (request.headers.origin !== undefined) {
      logger.warn({ origin: request.headers.origin }, 'a page tried to use the socket of the command line');
      return refuse(socket, '403 Forbidden');
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', (err) => logger.debug({ err }, 'a command line went away'));
      void handler.upgrade(client);
    });
  });

  /** Rejects with an error of the system. Only this run uses the data folder, so an existing socket is a leftover. */
  async function listenAt(path: string): Promise<void> {
    if (!isPipe) {
      makeSocketFolder(path);
      rmSync(path, { force: true });
    }
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
    if (!isPipe) chmodSync(path, 0o600);
  }

  async function listenSomewhere(): Promise<string | null> {
    for (const path of socketPaths(dataDir, process.env)) {
      try {
        await listenAt(path);
        return path;
      } catch (err) {
        logger.warn({ err, path }, 'the socket of the command line cannot be here');
      }
    }
    return null;
  }
  let listening: Promise<string | null> = Promise.resolve(null);

  return {
    listen: () => (listening = listenSomewhere()),
    async stop() {
      const path = await listening;
      if (path === null) return;
      for (const socket of sockets.clients) {
        socket.close(GOING_AWAY, 'Hangar is stopping.');
        // All data is sent. A client that does not answer the close must not delay the stop.
        setImmediate(() => socket.terminate());
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      sockets.close();
      if (!isPipe) removeEmpty(dirname(path), logger);
    },
  };
}
