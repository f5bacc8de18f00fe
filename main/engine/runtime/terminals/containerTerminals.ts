/** The terminals in containers of Pods and workers. Their ids let a page reconnect to them. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { TerminalSession } from '#contract/local/terminal.ts';
import type { Container } from 'dockerode';
import type { Cancel, Clock, Ids } from '../../domain/core/ports.ts';
import type { Terminals, TerminalTarget } from '../../domain/terminals/ports.ts';
import { createSessionIds, type SessionIds } from '../../../terminal/sessionIds.ts';
import type { TerminalSize } from '../../../terminal/viewer.ts';
import type { RunningContainers } from '../containers/runningContainers.ts';
import { createEndedScreens, followingOutput } from '../../../terminal/endedScreens.ts';
import {
  createSession,
  noSeat,
  requireRoom,
  type LastScreen,
  type Session,
  type SessionOptions,
} from '../../../terminal/session.ts';
import { podStarted, type PodStarts } from './podStart.ts';
import { openShell, type ContainerShell } from './shell.ts';

export interface ContainerTerminalsOptions {
  clock: Clock;
  ids: Ids;
  containers: RunningContainers;
  pods: PodStarts;
  /** The runtime of a worker; null for an unknown worker. */
  runtimeOf(workerId: string): Promise<string | null>;
  /** Opens a shell in a container. */
  open?: typeof openShell;
  /** Creates the emulator that stores the screen of a terminal. */
  openScreen?: SessionOptions['openScreen'];
}

interface Entry {
  target: TerminalTarget;
  session: Session;
  shell: ContainerShell;
  startedAt: number;
  /** Why the engine ended it; null where its shell ends by itself or a person closes it. */
  endedBecause: string | null;
  /** Whether it was hung up. */
  isClosed: boolean;
  /** Cancels the timer that closes a terminal without viewers. */
  forget: Cancel;
  /** Resolves once the shell has ended and its viewers are notified. */
  ended: Promise<void>;
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));

/** The running container of a Pod or a worker. Throws an AppError with the remedy where none runs. */
async function findContainer(
  { containers, runtimeOf }: Pick<ContainerTerminalsOptions, 'containers' | 'runtimeOf'>,
  { kind, id }: TerminalTarget,
): Promise<Container> {
  const container = kind === 'pod' ? await containers.ofPod(id) : await containers.ofWorker(id);
  if (container) return container;
  if (kind === 'pod') {
    throw new AppError(
      'NOT_FOUND',
      `No container of a Pod ${quoted(id)} runs here. Start the Pod, then open a terminal.`,
    );
  }
  const runtime = await runtimeOf(id);
  if (runtime === null) throw new AppError('NOT_FOUND', `There is no worker ${quoted(id)} here, or no longer.`);
  if (runtime === 'container') {
    throw new AppError(
      'CONFLICT',
      `The container of the worker ${quoted(id)} is not running yet. Try again once it is.`,
    );
  }
  const reason = 'runs as a process of this machine and not in a container';
  throw new AppError('BAD_REQUEST', `The worker ${quoted(id)} ${reason}: open a terminal of the machine itself.`);
}

function sessionOf(id: string, { target, session, shell, startedAt }: Entry): TerminalSession {
  const { viewers } = session;
  const started = new Date(startedAt).toISOString();
  return { id, kind: target.kind, targetId: target.id, command: [...shell.command], startedAt: started, viewers };
}

/** Throws NOT_FOUND for an unknown terminal. */
function requireEntry(entries: ReadonlyMap<string, Entry>, sessionIds: SessionIds, id: string): Entry {
  const entry = entries.get(id);
  if (!entry) throw sessionIds.gone(id);
  return entry;
}

export function createContainerTerminals(options: ContainerTerminalsOptions): Terminals {
  const { clock, ids, pods, open = openShell, openScreen } = options;
  const { unwatchedMs } = limits.terminal;
  const sessionIds = createSessionIds('', (bytes) => ids.random(bytes));
  const entries = new Map<string, Entry>();
  const ended = createEndedScreens<TerminalTarget>();
  const starting = new Set<Promise<unknown>>();
  /** Aborts when the engine stops. */
  const life = new AbortController();

  /** `last`: the screen that it continues; null for an empty one. */
  async function begin(
    target: TerminalTarget,
    size: TerminalSize,
    command: string[] | null,
    last: LastScreen | null,
    whenReady: () => Promise<void>,
  ): Promise<Entry> {
    if (life.signal.aborted) throw new AppError('UNAVAILABLE', 'The engine is stopping.');
    requireRoom(entries.size + starting.size);
    const id = sessionIds.next();
    await whenReady();
    const container = await findContainer(options, target);
    let early: Buffer[] | null = [];
    let session: Session | null = null;
    const onOutput = (bytes: Buffer): void => {
      if (session) session.output(bytes);
      else early?.push(bytes);
    };
    const shell = await open({ container, id, command, ...size, onOutput });
    const made = createSession({
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
    session = made;
    if (last !== null) made.output(followingOutput(last));
    for (const bytes of early) made.output(bytes);
    early = null;
    const whenEnded = shell.ended.then(async (end) => {
      entries.get(id)?.forget();
      entries.delete(id);
      const because = life.signal.aborted ? 'The engine has stopped.' : entry.endedBecause;
      await ended.end({ ...entry, id, owner: target, command: shell.command }, end, because);
    });
    const entry: Entry = {
      target,
      session: made,
      shell,
      startedAt: clock.now(),
      endedBecause: null,
      forget: () => undefined,
      isClosed: false,
      ended: whenEnded,
    };
    entries.set(id, entry);
    watch(id);
    if (life.signal.aborted) void shell.hangUp();
    return entry;
  }

  /** Closes the terminal when it has had no viewer for a while. */
  function watch(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    entry.forget();
    entry.forget = entry.session.viewers > 0 ? () => undefined : clock.after(unwatchedMs, () => void close(entry));
  }

  async function close(entry: Entry): Promise<void> {
    entry.isClosed = true;
    await entry.shell.hangUp();
    await entry.ended;
  }

  return {
    async find(target) {
      // A container that is being started is waited for.
      if (target.kind !== 'pod' || pods.waitsFor(target.id) === null) await findContainer(options, target);
    },
    async attach(target, { session, from, follows, command, columns, rows }, viewer, left = life.signal) {
      const size = { columns, rows };
      const former = ended.of(({ kind, id }) => kind === target.kind && id === target.id);
      const last = await former.open({ session, follows }, viewer);
      if (last === 'shown') return { ...noSeat, close: async () => void former.forget(session) };
      let entry: Entry;
      if (session === undefined) {
        const begun = begin(target, size, command ?? null, last, () =>
          podStarted(pods, target, viewer, AbortSignal.any([left, life.signal])),
        );
        starting.add(begun);
        entry = await begun.finally(() => starting.delete(begun));
      } else {
        entry = requireEntry(entries, sessionIds, session);
        if (entry.target.kind !== target.kind || entry.target.id !== target.id) {
          throw new AppError('NOT_FOUND', `The terminal ${quoted(session)} is one of another container.`);
        }
      }
      if (session === undefined) former.forget(follows);
      const seat = await entry.session.attach(viewer, size, session === undefined && last === null ? 0 : from);
      return { ...seat, close: () => close(entry) };
    },
    list: () => [...entries].map(([id, entry]) => sessionOf(id, entry)),
    programs: async (id) => requireEntry(entries, sessionIds, id).shell.programs(),
    async close(id) {
      if (!ended.of(() => true).forget(id)) await close(requireEntry(entries, sessionIds, id));
    },
    async stop() {
      life.abort();
      await Promise.allSettled(starting);
      await Promise.all([...entries.values()].map(close));
    },
  };
}
