/**
 * Terminals for the page: the app holds the authenticated connection, sends output to the page, and forwards its
 * acknowledgements.
 */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import type { TerminalClientMessage } from '#contract/local/terminal.ts';
import type { PageTerminal, TerminalAttach, terminalContract, TerminalEvent } from '#contract/bridge/terminal.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Directory } from '../services/directory.ts';
import { HOST_SESSION, type Shells } from '../terminals/shells.ts';
import type { TerminalConnection, TerminalListener, TerminalsApi } from '../platform/terminalPort.ts';
import { createBell } from './asyncSignal.ts';

/** Largest message to the page, in bytes. The engine applies the backpressure for bytes that were not shown yet. */
const PIECE_BYTES = 128 * 1024;

type TerminalMessage = Exclude<TerminalEvent, { type: 'output' }>;

/** A queue of received messages, in order. Consecutive output is joined to one piece. */
function createWaiting() {
  const waiting: (TerminalMessage | Buffer)[] = [];
  return {
    push: (came: TerminalMessage | Buffer) => void waiting.push(came),
    next(): TerminalEvent | null {
      const first = waiting.shift();
      if (first === undefined) return null;
      if (!Buffer.isBuffer(first)) return first;
      const pieces = [first];
      let length = first.length;
      for (let piece = waiting[0]; length < PIECE_BYTES && Buffer.isBuffer(piece); piece = waiting[0]) {
        waiting.shift();
        pieces.push(piece);
        length += piece.length;
      }
      return { type: 'output', bytes: Buffer.concat(pieces).toString('base64') };
    },
  };
}

/** Ends after `ended` or a refusal; rejects when the connection breaks. */
async function* follow(
  connect: (listener: TerminalListener) => Promise<TerminalConnection>,
  attach: Extract<TerminalClientMessage, { type: 'attach' }>,
  signal: AbortSignal,
): AsyncGenerator<TerminalEvent, void, void> {
  const bell = createBell(signal);
  const waiting = createWaiting();
  let closed = false;
  const came = (message: TerminalMessage | Buffer): void => {
    waiting.push(message);
    bell.ring();
  };
  try {
    const connection = await connect({
      output: (bytes) => came(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
      send: came,
      closed() {
        closed = true;
        bell.ring();
      },
    });
    connection.say(attach);
    while (!signal.aborted) {
      for (let event = waiting.next(); event !== null; event = waiting.next()) {
        yield event;
        if (event.type === 'ended') return;
      }
      if (closed) throw new AppError('UNAVAILABLE', 'The connection to the terminal was lost.');
      await bell.next();
    }
  } finally {
    bell.stop();
  }
}

export function bindTerminals(
  terminals: ImplementerInternalWithMiddlewares<typeof terminalContract, object, object>,
  { directory, shells }: { directory: Directory; shells: Pick<Shells, 'terminals' | 'host'> },
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal,
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>,
) {
  const viewers = new Map<string, TerminalConnection>();

  const of = (accountId: string): TerminalsApi =>
    directory.compute(accountId).terminals ?? shells.terminals.of(accountId);

  /** Shells of this computer are terminals of its account alone. */
  function hostOf(accountId: string): TerminalsApi {
    if (accountId === THIS_MACHINE) return shells.host.of(accountId);
    throw new AppError('BAD_REQUEST', 'A shell of this computer is not one of a remote account.');
  }
  const ofSession = (accountId: string, session: string): TerminalsApi =>
    session.startsWith(HOST_SESSION) ? hostOf(accountId) : of(accountId);

  async function list(accountId: string): Promise<PageTerminal[]> {
    const sessions = await of(accountId).list();
    return accountId === THIS_MACHINE ? [...sessions, ...(await hostOf(accountId).list())] : sessions;
  }

  async function* attach(input: TerminalAttach, signal: AbortSignal): AsyncGenerator<TerminalEvent, void, void> {
    const { accountId, viewer, kind, targetId, beside, ...request } = input;
    try {
      const connect = async (listener: TerminalListener): Promise<TerminalConnection> => {
        const terminalsOf = kind === 'host' || kind === 'ssh' ? hostOf : of;
        const connection = await terminalsOf(accountId).connect({ kind, targetId, beside }, listener, signal);
        viewers.set(viewer, connection);
        return connection;
      };
      yield* follow(connect, { type: 'attach', ...request }, signal);
    } finally {
      viewers.get(viewer)?.leave();
      viewers.delete(viewer);
    }
  }

  /** Input of a viewer that has just left is dropped, because its terminal is closed. */
  const say = (viewer: string, message: TerminalClientMessage): void => viewers.get(viewer)?.say(message);

  return {
    list: terminals.list.handler(({ input }) => list(input.accountId)),
    attach: terminals.attach.handler(({ input, signal }) => translated(attach(input, lifeOf(signal)))),
    input: terminals.input.handler(({ input: { viewer, data } }) => say(viewer, { type: 'input', data })),
    resize: terminals.resize.handler(({ input: { viewer, columns, rows } }) =>
      say(viewer, { type: 'resize', columns, rows }),
    ),
    shown: terminals.shown.handler(({ input: { viewer, upTo } }) => say(viewer, { type: 'shown', upTo })),
    retry: terminals.retry.handler(({ input }) => say(input.viewer, { type: 'retry' })),
    hostShell: terminals.hostShell.handler(async () => ({ problem: await shells.host.problem() })),
    sshHosts: terminals.sshHosts.handler(() => shells.host.sshHosts()),
    programs: terminals.programs.handler(async ({ input: { accountId, session } }) => ({
      programs: await ofSession(accountId, session).programs(session),
    })),
    folder: terminals.folder.handler(({ input: { accountId, session } }) => ({
      folder: ofSession(accountId, session).folder?.(session) ?? null,
    })),
    close: terminals.close.handler(({ input: { accountId, session } }) => ofSession(accountId, session).close(session)),
  };
}
