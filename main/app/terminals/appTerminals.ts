/** The terminals whose shells the app runs: over SSH for all accounts, or of this computer. By session id. */
import { randomBytes } from 'node:crypto';
import { AppError, toAppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { PageTerminal } from '#contract/bridge/terminal.ts';
import type { TerminalClientMessage } from '#contract/local/terminal.ts';
import type { TerminalLink } from '#contract/local/terminalLink.ts';
import type { TerminalSeat } from '../../terminal/viewer.ts';
import { createEndedScreens, followingOutput, type FormerTerminals } from '../../terminal/endedScreens.ts';
import {
  createSession,
  noSeat,
  requireRoom,
  type LastScreen,
  type Session,
  type SessionOptions,
} from '../../terminal/session.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { TerminalConnection, TerminalListener, TerminalsApi } from '../platform/terminalPort.ts';
import { createSessionIds, type SessionIds } from '../../terminal/sessionIds.ts';
import type { TerminalSize } from '../../terminal/viewer.ts';
import type { LinkedShell } from './linkedShell.ts';

export interface AppTerminals {
  /** The number of terminals of all accounts. */
  count(): number;
  of(accountId: string): TerminalsApi;
  /** This computer woke up: reconnects terminals whose connection broke, without a wait. */
  resumed(): void;
  /** Closes all terminals of a removed account. */
  leave(accountId: string): Promise<void>;
  stop(): Promise<void>;
}

/** What a new shell runs in, and where its output goes. */
export interface ShellRequest {
  id: string;
  accountId: string;
  kind: PageTerminal['kind'];
  /** The id of the Pod, or the destination of `ssh`; of a login shell of this computer without meaning. */
  targetId: string;
  /** A command instead of the shell; null for the shell. */
  command: readonly string[] | null;
  size: TerminalSize;
  /** The shell of the same account beside which it begins; null if there is none. */
  beside: LinkedShell | null;
  onOutput(bytes: Buffer): void;
  onLink(link: TerminalLink): void;
}

export interface AppTerminalsOptions {
  clock: Clock;
  /** What its terminals lead into. */
  kinds: readonly Exclude<PageTerminal['kind'], 'worker'>[];
  /** The ids of its sessions begin with it. */
  idPrefix: string;
  /** Throws AppError if there can be no shell. */
  openShell(request: ShellRequest): LinkedShell;
  /** Creates the emulator of a terminal's screen. */
  openScreen?: SessionOptions['openScreen'];
}

type Target = Pick<PageTerminal, 'kind' | 'targetId'>;
type Owner = Target & { accountId: string };

interface Entry extends Owner {
  id: string;
  session: Session;
  shell: LinkedShell;
  startedAt: number;
  /** Why Hangar ended it, if no person closed it. */
  endedBecause: string | null;
  /** Whether it was hung up. */
  isClosed: boolean;
  /** Cancels the timer that closes a terminal without viewers. */
  forget: Cancel;
  /** Resolves after its end. */
  ended: Promise<void>;
}

type Attach = Extract<TerminalClientMessage, { type: 'attach' }>;
type Begin = Omit<Attach, 'command'> & { command?: readonly string[] | null | undefined };

/** The functions that a viewer needs. */
interface Seating {
  /** Starts a terminal; `last` is the screen that it continues. Throws if there are too many. */
  begin: (message: Attach, last: LastScreen | null) => Entry;
  /** The ended terminals of the same Pod. */
  former: FormerTerminals;
  /** Throws NOT_FOUND. */
  existing: (id: string) => Entry;
  isThere: (entry: Entry) => boolean;
  close: (entry: Entry) => Promise<void>;
}

/** Connects one viewer. Its messages take effect in order. */
function seatViewer(
  { begin, former, existing, isThere, close }: Seating,
  listener: TerminalListener,
): TerminalConnection {
  let seat: TerminalSeat | null = null;
  let entry: Entry | null = null;
  let left = false;
  let turn: Promise<void> = Promise.resolve();

  async function attach(message: Attach): Promise<void> {
    const { session, from, follows } = message;
    const last = await former.open(message, listener);
    if (last === 'shown') {
      seat = noSeat;
      return;
    }
    entry = session === undefined ? begin(message, last) : existing(session);
    if (session === undefined) former.forget(follows);
    const { shell } = entry;
    const { link } = shell;
    listener.send({ type: 'link', ...link });
    seat = await entry.session.attach(listener, message, session === undefined && last === null ? 0 : from);
    // Earlier viewers got changes that happened while the screen was read; this one gets them now.
    if (shell.link !== link && isThere(entry)) listener.send({ type: 'link', ...shell.link });
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

/** Throws NOT_FOUND if the account has no such terminal. */
function requireOf(entries: ReadonlyMap<string, Entry>, ids: SessionIds, accountId: string, id: string): Entry {
  const entry = entries.get(id);
  if (entry?.accountId === accountId) return entry;
  throw ids.gone(id);
}

const sessionOf = ({ id, kind, targetId, session, shell, startedAt }: Entry): PageTerminal => ({
  id,
  kind,
  targetId,
  command: [...shell.command],
  startedAt: new Date(startedAt).toISOString(),
  viewers: session.viewers,
});

const sessionsOf = (entries: ReadonlyMap<string, Entry>, accountId: string): PageTerminal[] =>
  [...entries.values()].filter((entry) => entry.accountId === accountId).map(sessionOf);

function shellOf(entries: ReadonlyMap<string, Entry>, accountId: string, id: string | undefined): LinkedShell | null {
  const entry = id === undefined ? undefined : entries.get(id);
  return entry?.accountId === accountId ? entry.shell : null;
}

/** Throws what `openShell` throws; the session is closed then. */
function openOrEnd(openShell: AppTerminalsOptions['openShell'], session: Session, request: ShellRequest): LinkedShell {
  try {
    return openShell(request);
  } catch (error) {
    void session.end({ exitCode: null, reason: toAppError(error).message }, false);
    throw error;
  }
}

export function createAppTerminals(options: AppTerminalsOptions): AppTerminals {
  const { clock, idPrefix, openShell, openScreen } = options;
  const kinds: readonly PageTerminal['kind'][] = options.kinds;
  const { unwatchedMs } = limits.terminal;
  const ids = createSessionIds(idPrefix, (bytes) => randomBytes(bytes).toString('hex'));
  const entries = new Map<string, Entry>();
  const former = createEndedScreens<Owner>();
  let stopping = false;

  function begin(
    owner: Owner,
    { columns, rows, command = null }: Begin,
    last: LastScreen | null,
    beside: string | undefined,
  ): Entry {
    if (stopping) throw new AppError('UNAVAILABLE', 'Hangar is stopping.');
    requireRoom(entries.size);
    const id = ids.next();
    const size = { columns, rows };
    const session = createSession({
      id,
      size: last ?? size,
      shell: () => shell,
      onViewers: () => watch(id),
      onBroken(reason) {
        entry.endedBecause = reason;
        void close(entry);
      },
      ...(openScreen && { openScreen }),
    });
    const shell = openOrEnd(openShell, session, {
      ...owner,
      id,
      command,
      size,
      beside: shellOf(entries, owner.accountId, beside),
      onOutput: (bytes) => session.output(bytes),
      onLink: (link) => session.broadcast({ type: 'link', ...link }),
    });
    if (last !== null) session.output(followingOutput(last));
    const ended = shell.ended.then(async (end) => {
      entries.get(id)?.forget();
      entries.delete(id);
      const because = stopping ? 'Hangar has stopped.' : entry.endedBecause;
      await former.end({ ...entry, owner, command: shell.command }, end, because);
    });
    const entry: Entry = {
      ...owner,
      id,
      session,
      shell,
      startedAt: clock.now(),
      endedBecause: null,
      isClosed: false,
      forget: () => undefined,
      ended,
    };
    entries.set(id, entry);
    return entry;
  }

  /** Closes a terminal that has had no viewer for a long time. One that never connected closes with its last viewer. */
  function watch(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    entry.forget();
    const { viewers } = entry.session;
    entry.forget =
      viewers > 0 ? () => undefined : clock.after(entry.shell.wasUp ? unwatchedMs : 0, () => void close(entry));
  }

  async function close(entry: Entry): Promise<void> {
    entry.isClosed = true;
    await entry.shell.hangUp();
    await entry.ended;
  }

  return {
    count: () => entries.size,
    of: (accountId) => ({
      list: () => Promise.resolve(sessionsOf(entries, accountId)),
      programs: async (id) => requireOf(entries, ids, accountId, id).shell.programs(),
      folder: (id) => shellOf(entries, accountId, id)?.folder?.() ?? null,
      async close(id) {
        const isFormer = former.of((owner) => owner.accountId === accountId).forget(id);
        if (!isFormer) await close(requireOf(entries, ids, accountId, id));
      },
      async connect({ kind, targetId, beside }, listener) {
        if (kinds.includes(kind)) {
          return seatViewer(
            {
              begin: (message, last) => begin({ accountId, kind, targetId }, message, last, beside),
              former: former.of(
                (owner) => owner.accountId === accountId && owner.kind === kind && owner.targetId === targetId,
              ),
              existing: (id) => requireOf(entries, ids, accountId, id),
              isThere: ({ id }) => entries.has(id),
              close,
            },
            listener,
          );
        }
        throw new AppError('BAD_REQUEST', 'Workers of this account cannot be looked into: only its Pods have SSH.');
      },
    }),
    resumed() {
      for (const { shell } of entries.values()) shell.resumed();
    },
    async leave(accountId) {
      former.forgetAll((owner) => owner.accountId === accountId);
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
