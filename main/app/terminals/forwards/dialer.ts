/** Connections to ports of Pods: through the engine of a Hangar, or through the sshd of the Pod. */
import type { Socket } from 'node:net';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { joinSocket, type Traffic } from '../../../terminal/byteSocket.ts';
import type { Directory } from '../../services/directory.ts';
import type { Connection, Connector } from '../connection.ts';
import type { PodWays } from '../routeFinder.ts';

/** Joins a connection of this computer with one that was opened to a port of a Pod. */
export type Join = (socket: Socket, traffic: Traffic) => void;

export interface Dialer {
  /** Checks that the port can be reached at all, as far as that shows before a connection. Rejects as `dial` does. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Opens a connection. Rejects with SshFailure or AppError, in words for a person. */
  dial(signal: AbortSignal): Promise<Join>;
  /** Ends what all its connections use. */
  close(): Promise<void>;
}

export interface DialerParts {
  directory: Pick<Directory, 'compute'>;
  ways: Pick<PodWays, 'of'>;
  connector: Pick<Connector, 'connect'>;
}

interface Target {
  accountId: string;
  podId: string;
  port: number;
}

const LOOPBACK = '127.0.0.1';
/** The reasons of RFC 4254, section 5.1, by the names and the numbers of ssh2. */
const PROHIBITED: readonly unknown[] = ['ADMINISTRATIVELY_PROHIBITED', 1];

/** Throws NOT_FOUND without the Pod, CONFLICT if it does not run. */
async function requireRunning({ directory }: DialerParts, { accountId, podId }: Target): Promise<void> {
  const pod = (await directory.compute(accountId).pods.list()).find(({ id }) => id === podId);
  if (!pod) throw new AppError('NOT_FOUND', 'The Pod is not there any more.');
  if (pod.desiredStatus !== 'RUNNING') throw new AppError('CONFLICT', 'The Pod is stopped. Start it.');
}

function engineDialer(parts: DialerParts, target: Target): Dialer {
  const { accountId, podId, port } = target;
  const { pods } = parts.directory.compute(accountId);
  return {
    prepare: () => requireRunning(parts, target),
    async dial(signal) {
      let socket;
      try {
        socket = await pods.connectPort(podId, port, signal);
      } catch (error) {
        // The engine does not know why no container runs.
        if (error instanceof AppError && error.code === 'NOT_FOUND') await requireRunning(parts, target);
        throw error;
      }
      return (local, traffic) =>
        joinSocket(socket, { input: local, output: local, close: () => local.destroySoon() }, traffic);
    },
    close: () => Promise.resolve(),
  };
}

function sshDialer(parts: DialerParts, target: Target): Dialer {
  const { accountId, podId, port } = target;
  let line: Promise<Connection> | null = null;

  async function connect(signal: AbortSignal): Promise<Connection> {
    await requireRunning(parts, target);
    const { direct, proxy, problem } = await parts.ways.of(accountId, podId);
    if (direct !== null) return parts.connector.connect(direct, signal);
    if (proxy === null) throw new AppError('UNAVAILABLE', problem ?? 'The Pod has no SSH.');
    const message = 'The Pod is only reachable through the proxy, which forwards no ports. Add 22/tcp to its ports.';
    throw new AppError('BAD_REQUEST', message);
  }
  /** The connection that there is, or a new one. */
  function connection(signal: AbortSignal): Promise<Connection> {
    if (line !== null) return line;
    const opening = connect(signal);
    line = opening;
    const drop = (): void => {
      if (line === opening) line = null;
    };
    opening.then(({ closed }) => void closed.then(drop), drop);
    return opening;
  }

  return {
    async prepare(signal) {
      await connection(signal);
    },
    async dial(signal) {
      const { client } = await connection(signal);
      const channel = await new Promise<NodeJS.ReadWriteStream & { destroy(): void }>((resolve, reject) => {
        client.forwardOut(LOOPBACK, 0, LOOPBACK, port, (error, opened) => {
          if (error === undefined) resolve(opened);
          else if ('reason' in error && PROHIBITED.includes(error.reason))
            reject(new AppError('BAD_REQUEST', 'The sshd of the Pod forwards no ports (AllowTcpForwarding).'));
          else if ('reason' in error)
            reject(new AppError('UPSTREAM', `Nothing listens at port ${port} in the Pod. Start its server.`));
          else reject(new AppError('UNAVAILABLE', `The connection to the Pod was lost: ${messageOf(error)}.`));
        });
      });
      return (local, traffic) => {
        local.on('data', (bytes: Buffer) => traffic.sent(bytes.length));
        channel.on('data', (bytes: Buffer) => traffic.received(bytes.length));
        channel.on('error', () => local.destroy());
        channel.on('close', () => local.destroySoon());
        local.on('close', () => channel.destroy());
        local.pipe(channel).pipe(local);
      };
    },
    async close() {
      const open = line;
      line = null;
      await (await open?.catch(() => null))?.end();
    },
  };
}

/** The better way to the Pods of this account. */
export const createDialer = (parts: DialerParts, target: Target): Dialer =>
  parts.directory.compute(target.accountId).terminals === null ? sshDialer(parts, target) : engineDialer(parts, target);
