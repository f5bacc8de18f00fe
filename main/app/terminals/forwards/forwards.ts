/**
 * Ports of Pods at ports of this computer, on loopback. The app holds them: they survive a reload of the page, and end
 * with the Pod, with its account, and with Hangar. A connection that is lost ends; the next one is made anew.
 */
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { PodForward, PodForwardStart } from '#contract/app/forwards/podForward.ts';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { errorCode } from '../../platform/systemError.ts';
import { SshFailure } from '../failure.ts';
import { createDialer, type Dialer, type DialerParts } from './dialer.ts';

export interface Forwards {
  /** The forwarded ports of a Pod, oldest first. */
  list(accountId: string, podId: string): PodForward[];
  /**
   * Rejects with AppError: CONFLICT if the port of this computer is taken, and in words for a person if the Pod cannot be
   * reached.
   */
  start(request: PodForwardStart): Promise<PodForward>;
  /** Ends a forwarded port and its connections. Does nothing for one that has ended. */
  end(id: string): Promise<void>;
  /** Ends the forwarded ports of a Pod; without `podId`, those of the account. */
  leave(accountId: string, podId?: string): Promise<void>;
  stop(): Promise<void>;
}

interface Entry {
  readonly accountId: string;
  readonly podId: string;
  readonly server: Server;
  readonly dialer: Dialer;
  readonly life: AbortController;
  readonly sockets: Set<Socket>;
  facts: PodForward;
}

const HOST = '127.0.0.1';
/** How many ports can be forwarded at the same time. */
const MOST_FORWARDS = 64;
/** How many connections one forwarded port can have at the same time. */
const MOST_CONNECTIONS = 256;
/** Ports below it belong to the system. */
const FIRST_OPEN_PORT = 1024;

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a server on a port has such an address
  return (server.address() as AddressInfo).port;
}

/**
 * Listens at the port `wanted`; null: at the same port as in the Pod, or at any free one. `isOwn`: whether Hangar has a
 * port for another forward. Returns the server and its port. Rejects with CONFLICT if the wanted port cannot be used.
 */
async function listenAt(
  make: () => Server,
  port: number,
  wanted: number | null,
  isOwn: (localPort: number) => boolean,
): Promise<[Server, number]> {
  const server = make();
  const first = wanted ?? (port >= FIRST_OPEN_PORT ? port : 0);
  try {
    return [server, await listen(server, first)];
  } catch (error) {
    if (wanted === null && first !== 0) {
      const other = make();
      return [other, await listen(other, 0)];
    }
    const code = errorCode(error);
    const holder = isOwn(first) ? 'is forwarded to a Pod already' : 'is taken by another program';
    const why = code === 'EADDRINUSE' ? holder : `cannot be used (${code})`;
    throw new AppError('CONFLICT', `Port ${first} of this computer ${why}. Choose another one, or none.`);
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof SshFailure)) return messageOf(error);
  return error.question === null ? error.message : `${error.message} Open a terminal in the Pod, and answer there.`;
}

export function createForwards(parts: DialerParts): Forwards {
  const entries = new Map<string, Entry>();
  let starting = 0;

  async function serve(entry: Entry, socket: Socket): Promise<void> {
    const { facts, dialer, life, sockets, accountId, podId } = entry;
    facts.open++;
    facts.total++;
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      facts.open--;
      sockets.delete(socket);
    });
    try {
      const join = await dialer.dial(life.signal);
      facts.problem = null;
      join(socket, {
        sent: (bytes) => (facts.sentBytes += bytes),
        received: (bytes) => (facts.receivedBytes += bytes),
      });
    } catch (error) {
      facts.problem = problemOf(error);
      socket.destroy();
      if (error instanceof AppError && error.code === 'NOT_FOUND') await leave(accountId, podId);
    }
  }

  async function end(id: string): Promise<void> {
    const entry = entries.get(id);
    if (!entry) return;
    entries.delete(id);
    const closed = once(entry.server, 'close');
    entry.life.abort();
    entry.server.close();
    for (const socket of entry.sockets) socket.destroy();
    await entry.dialer.close();
    await closed;
  }

  async function leave(accountId?: string, podId?: string): Promise<void> {
    const isLeft = (entry: Entry): boolean =>
      (accountId === undefined || entry.accountId === accountId) && (podId === undefined || entry.podId === podId);
    await Promise.all([...entries].flatMap(([id, entry]) => (isLeft(entry) ? [end(id)] : [])));
  }

  async function begin({ accountId, podId, port, localPort: wanted }: PodForwardStart): Promise<PodForward> {
    const life = new AbortController();
    const dialer = createDialer(parts, { accountId, podId, port });
    try {
      await dialer.prepare(life.signal);
      const make = (): Server => {
        const made = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void serve(entry, socket));
        made.maxConnections = MOST_CONNECTIONS;
        return made;
      };
      const isOwn = (local: number): boolean => [...entries.values()].some(({ facts }) => facts.localPort === local);
      const [server, localPort] = await listenAt(make, port, wanted, isOwn);
      const counted = { open: 0, total: 0, sentBytes: 0, receivedBytes: 0, problem: null };
      const facts: PodForward = { id: randomUUID(), port, localPort, ...counted };
      const entry: Entry = { accountId, podId, server, dialer, life, sockets: new Set(), facts };
      entries.set(facts.id, entry);
      return { ...facts };
    } catch (error) {
      await dialer.close();
      if (error instanceof AppError) throw error;
      throw new AppError('UNAVAILABLE', problemOf(error), { cause: error });
    }
  }

  return {
    list: (accountId, podId) =>
      [...entries.values()].flatMap((entry) =>
        entry.accountId === accountId && entry.podId === podId ? [{ ...entry.facts }] : [],
      ),
    async start(request) {
      if (entries.size + starting >= MOST_FORWARDS) {
        throw new AppError(
          'CONFLICT',
          `${MOST_FORWARDS} ports are forwarded, which is as many as can be. Stop one first.`,
        );
      }
      starting++;
      return begin(request).finally(() => starting--);
    },
    end,
    leave,
    stop: () => leave(),
  };
}
