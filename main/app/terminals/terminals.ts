/** The terminals over SSH that there are, of every account, by the ids that a page comes back with. */
import { randomBytes } from 'node:crypto';
import { AppError, toAppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { TerminalClientMessage, TerminalSession } from '#contract/local/terminal.ts';
import type { TerminalSeat } from '../../terminal/viewer.ts';
import { createSession, type Session } from '../../terminal/session.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { TerminalConnection, TerminalListener, TerminalsApi } from '../platform/terminalPort.ts';
import type { Connector } from './connection.ts';
import type { PodWays } from './routeFinder.ts';
import { createRemoteShell, type RemoteShell } from './remoteShell.ts';

export interface RemoteTerminals {
  of(accountId: string): TerminalsApi;
  /** Closes all that there are of an account: it was removed. */
  leave(accountId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface RemoteTerminalsOptions {
  clock: Clock;
  ways: Pick<PodWays, 'best'>;
  connector: Pick<Connector, 'connect'>;
  /** Whether shells run in tmux where there is one. */
  keepsShells: () => boolean;
}

interface Entry {
  id: string;
  accountId: string;
  podId: string;
  session: Session;
  shell: RemoteShell;
  startedAt: number;
  /** Why it is ended from here, where that was no person's click. */
  endedBecause: string | null;
  /** Cancels the timer that closes a terminal without viewers. */
  forget: Cancel;
  /** Settles once it is gone. */
  ended: Promise<void>;
}

type Attach = Extract<TerminalClientMessage, { type: 'attach' }>;

export function createRemoteTerminals({
  clock,
  ways,
  connector,
  keepsShells,
}: RemoteTerminalsOptions): RemoteTerminals {
  const { most, unwatchedMs } = limits.terminal;
  const entries = new Map<string, Entry>();
  let stopping = false;

  function begin(
    accountId: string,
    podId: string,
    { columns, rows, command = null }: Omit<Attach, 'command'> & { command?: readonly string[] | null | undefined },
  ): Entry {
    if (stopping) throw new AppError('UNAVAILABLE', 'Hangar is stopping.');
    if (entries.size >= most) {
      throw new AppError(
        'CONFLICT',
        `There are ${most} terminals already, which is as many as can be. Close one first.`,
      );
    }
    const id = randomBytes(8).toString('hex');
    const size = { columns, rows };
    const session = createSession({ id, size, shell: () => shell, onViewers: () => watch(id) });
    const shell = createRemoteShell({
      clock,
      id,
      command,
      size,
      keeps: keepsShells,
      async connect(signal) {
        const { way, to } = await ways.best(accountId, podId);
        return { way, connection: await connector.connect(to, signal) };
      },
      onOutput: (bytes) => session.output(bytes),
      onLink: (link) => session.broadcast({ type: 'link', ...link }),
    });
    const ended = shell.ended.then(async (end) => {
      entries.get(id)?.forget();
      entries.delete(id);
      const reason = stopping ? 'Hangar has stopped.' : entry.endedBecause;
      await session.end(reason === null ? end : { ...end, reason });
    });
    const entry: Entry = {
      id,
      accountId,
      podId,
      session,
      shell,
      startedAt: clock.now(),
      endedBecause: null,
      forget: () => undefined,
      ended,
    };
    entries.set(id, entry);
    return entry;
  }

  /** Closes a terminal that has had no viewer for long; one that never connected closes with its last viewer. */
  function watch(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    entry.forget();
    const { viewers } = entry.session;
    entry.forget =
      viewers > 0 ? () => undefined : clock.after(entry.shell.wasUp ? unwatchedMs : 0, () => void close(entry));
  }

  async function close({ shell, ended }: Entry): Promise<void> {
    await shell.hangUp();
    await ended;
  }

  function requireEntry(id: string, accountId: string): Entry {
    const entry = entries.get(id);
    if (entry?.accountId === accountId) return entry;
    throw new AppError('NOT_FOUND', 'This terminal is not there any more. Open a new one.');
  }

  /** One viewer: its messages are dealt with in their order. */
  function seatViewer(accountId: string, podId: string, listener: TerminalListener): TerminalConnection {
    let seat: TerminalSeat | null = null;
    let entry: Entry | null = null;
    let left = false;
    let turn: Promise<void> = Promise.resolve();

    async function attach(message: Attach): Promise<void> {
      const { session, from } = message;
      entry = session === undefined ? begin(accountId, podId, message) : requireEntry(session, accountId);
      const { shell } = entry;
      const { link } = shell;
      listener.send({ type: 'link', ...link });
      seat = await entry.session.attach(listener, message, session === undefined ? 0 : from);
      // What changed while the screen was read was told to those who were seated already.
      if (shell.link !== link && entries.has(entry.id)) listener.send({ type: 'link', ...shell.link });
      if (left) seat.leave();
    }

    async function take(message: TerminalClientMessage): Promise<void> {
      if (left) return;
      if (message.type === 'attach') await attach(message);
      else if (message.type === 'input') seat?.input(message.data);
      else if (message.type === 'resize') seat?.resize(message);
      else if (message.type === 'shown') seat?.shown(message.upTo);
      else if (message.type === 'retry') entry?.shell.retry();
      else if (entry) await close(entry);
    }

    return {
      say(message) {
        turn = turn
          .then(() => take(message))
          .catch((thrown: unknown) => {
            listener.send({ type: 'error', message: toAppError(thrown).message });
            if (!seat) listener.closed();
          });
      },
      leave() {
        left = true;
        seat?.leave();
      },
    };
  }

  return {
    of: (accountId) => ({
      list: () =>
        Promise.resolve(
          [...entries.values()]
            .filter((entry) => entry.accountId === accountId)
            .map(({ id, podId, session, shell, startedAt }): TerminalSession => {
              const started = new Date(startedAt).toISOString();
              return {
                id,
                kind: 'pod',
                targetId: podId,
                command: [...shell.command],
                startedAt: started,
                viewers: session.viewers,
              };
            }),
        ),
      close: (id) => close(requireEntry(id, accountId)),
      async connect({ kind, targetId }, listener) {
        if (kind === 'pod') return seatViewer(accountId, targetId, listener);
        throw new AppError('BAD_REQUEST', 'Workers of this account cannot be looked into: only its Pods have SSH.');
      },
    }),
    async leave(accountId) {
      const left = [...entries.values()].filter((entry) => entry.accountId === accountId);
      for (const entry of left) entry.endedBecause = 'Its account was removed.';
      await Promise.all(left.map(close));
    },
    async stop() {
      stopping = true;
      await Promise.all([...entries.values()].map(close));
    },
  };
}
