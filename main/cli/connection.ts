/** The connection to a running Hangar, which it finds by the instance file of the data folder. It starts nothing. */
import { connect as connectSocket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import { COMMAND_PATH, type CommandClient } from '#contract/command/index.ts';
import { readMovedTo } from '../app/platform/folders/movedFolder.ts';
import { isAlive, readInstance, type Instance } from '../app/platform/instanceFile.ts';
import { CommandFailure, exitCodes } from './failure.ts';

export interface Connection {
  readonly client: CommandClient;
  readonly instance: Instance;
  /** Resolves when Hangar ends, or the connection is closed. */
  readonly closed: Promise<void>;
  close(): void;
}

/** An instance without a socket is starting: its engine may have to check a database. */
const STARTING_MS = 10_000;
const STARTING_PAUSE_MS = 100;

const notRunning = (sentence: string): CommandFailure => new CommandFailure(exitCodes.notRunning, sentence);

const moved = (dataDir: string): CommandFailure | null => {
  const to = readMovedTo(dataDir)?.to;
  return to === undefined
    ? null
    : notRunning(`The data of ${dataDir} was moved to ${to}. Name that folder with --data-dir or HANGAR_HOME.`);
};

const none = (dataDir: string): CommandFailure =>
  moved(dataDir) ??
  notRunning(
    `No Hangar runs on the data folder ${dataDir}. Start one with "hangar serve", or open the desktop program. ` +
      'To use another folder, set --data-dir or HANGAR_HOME.',
  );

/** The running instance with its socket; waits while it is starting. */
async function findInstance(dataDir: string): Promise<Instance & { socket: string }> {
  const giveUpAt = performance.now() + STARTING_MS;
  for (;;) {
    const instance = readInstance(dataDir);
    if (instance === null) throw none(dataDir);
    const { socket, pid } = instance;
    if (socket !== null) return { ...instance, socket };
    if (!isAlive(pid)) throw none(dataDir);
    if (performance.now() > giveUpAt) {
      throw notRunning(
        `Hangar (process ${pid}) does not answer the command line: it is still starting, or it is an older version. ` +
          'Its log says why.',
      );
    }
    await later(STARTING_PAUSE_MS);
  }
}

/** Throws CommandFailure `notRunning` if no Hangar runs on the data folder. */
export async function openConnection(dataDir: string): Promise<Connection> {
  const instance = await findInstance(dataDir);
  const websocket = new WebSocket(`ws://hangar${COMMAND_PATH}`, {
    createConnection: () => connectSocket(instance.socket),
    perMessageDeflate: false,
  });
  await new Promise<void>((resolve, reject) => {
    websocket.once('open', resolve);
    websocket.once('error', (cause: NodeJS.ErrnoException) => {
      const { code } = cause;
      // A killed instance leaves its file and its socket.
      if (code === 'ECONNREFUSED' || code === 'ENOENT') reject(none(dataDir));
      else if (code === 'EACCES' || code === 'EPERM') {
        reject(
          notRunning(`The Hangar of ${dataDir} belongs to another user of this machine. Only that user can use it.`),
        );
      } else reject(notRunning(`Hangar does not answer on its socket ${instance.socket}: ${cause.message}.`));
    });
  });
  websocket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => void websocket.once('close', () => resolve()));
  // oxlint-disable-next-line typescript/consistent-type-assertions -- behaves like the browser's WebSocket in all used parts
  const link = new RPCLink({ websocket: websocket as unknown as globalThis.WebSocket });
  return {
    client: createORPCClient(link),
    instance,
    closed,
    close: () => websocket.close(),
  };
}
