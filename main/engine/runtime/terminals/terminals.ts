/** The terminals in containers of Pods and workers. Their ids let a page reconnect to them. */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { TerminalSession } from '#contract/local/terminal.ts';
import type { Container } from 'dockerode';
import type { Cancel, Clock, Ids } from '../../domain/core/ports.ts';
import type { Terminals, TerminalTarget } from '../../domain/terminals/ports.ts';
import type { RunningContainers } from '../containers/runningContainers.ts';
import { createSession, type Session, type SessionOptions } from '../../../terminal/session.ts';
import { openShell, type ContainerShell } from './shell.ts';

export interface TerminalsOptions {
  clock: Clock;
  ids: Ids;
  containers: RunningContainers;
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
  /** Cancels the timer that closes a terminal without viewers. */
  forget: Cancel;
  /** Resolves once the shell has ended and its viewers are notified. */
  ended: Promise<void>;
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));

/** The running container of a Pod or a worker. Throws an AppError with the remedy where none runs. */
async function findContainer(
  { containers, runtimeOf }: Pick<TerminalsOptions, 'containers' | 'runtimeOf'>,
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
      `The container of the worker ${quoted(id)} does not run yet. Try again once it does.`,
    );
  }
  const reason = 'runs as a process of this machine and not in a container';
  throw new AppError('BAD_REQUEST', `The worker ${quoted(id)} ${reason}: open a terminal of the machine itself.`);
}

export function createTerminals(options: TerminalsOptions): Terminals {
  const { clock, ids, open = openShell, openScreen } = options;
  const { most, unwatchedMs } = limits.terminal;
  const entries = new Map<string, Entry>();
  const starting = new Set<Promise<unknown>>();
  let stopping = false;

  async function begin(target: TerminalTarget, size: { columns: number; rows: number }, command: string[] | null) {
    if (stopping) throw new AppError('UNAVAILABLE', 'The engine is stopping.');
    if (entries.size + starting.size >= most) {
      throw new AppError(
        'CONFLICT',
        `There are ${most} terminals already, which is as many as can be. Close one first.`,
      );
    }
    const id = ids.random(8);
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
      size,
      shell: () => shell,
      onViewers: () => watch(id),
      onBroken(reason) {
        entry.endedBecause = reason;
        void close(entry);
      },
      ...(openScreen && { openScreen }),
    });
    session = made;
    for (const bytes of early) made.output(bytes);
    early = null;
    const ended = shell.ended.then(async (end) => {
      entries.get(id)?.forget();
      entries.delete(id);
      const reason = stopping ? 'The engine has stopped.' : entry.endedBecause;
      await made.end(reason === null ? end : { exitCode: null, reason });
    });
    const entry: Entry = {
      target,
      session: made,
      shell,
      startedAt: clock.now(),
      endedBecause: null,
      forget: () => undefined,
      ended,
    };
    entries.set(id, entry);
    watch(id);
    if (stopping) void shell.hangUp();
    return entry;
  }

  /** Closes the terminal when it has had no viewer for a while. */
  function watch(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    entry.forget();
    entry.forget = entry.session.viewers > 0 ? () => undefined : clock.after(unwatchedMs, () => void close(entry));
  }

  async function close({ shell, ended }: Entry): Promise<void> {
    await shell.hangUp();
    await ended;
  }

  const requireEntry = (id: string): Entry => {
    const entry = entries.get(id);
    if (!entry) throw new AppError('NOT_FOUND', `There is no terminal ${quoted(id)} any more. Open a new one.`);
    return entry;
  };

  return {
    async find(target) {
      await findContainer(options, target);
    },
    async attach(target, { session, from, command, columns, rows }, viewer) {
      const size = { columns, rows };
      let entry: Entry;
      if (session === undefined) {
        const begun = begin(target, size, command ?? null);
        starting.add(begun);
        entry = await begun.finally(() => starting.delete(begun));
      } else {
        entry = requireEntry(session);
        if (entry.target.kind !== target.kind || entry.target.id !== target.id) {
          throw new AppError('NOT_FOUND', `The terminal ${quoted(session)} is one of another container.`);
        }
      }
      const seat = await entry.session.attach(viewer, size, session === undefined ? 0 : from);
      return { ...seat, close: () => close(entry) };
    },
    list: () =>
      [...entries].map(([id, { target, session, shell, startedAt }]): TerminalSession => {
        const { viewers } = session;
        const started = new Date(startedAt).toISOString();
        return { id, kind: target.kind, targetId: target.id, command: [...shell.command], startedAt: started, viewers };
      }),
    programs: async (id) => requireEntry(id).shell.programs(),
    close: (id) => close(requireEntry(id)),
    async stop() {
      stopping = true;
      await Promise.allSettled(starting);
      await Promise.all([...entries.values()].map(close));
    },
  };
}
