/**
 * A shell in a Pod, over connections that come and go. How it stands with the connection:
 *
 *   connecting → up       the shell is there, or again
 *   connecting → lost     it was not reached, and is tried again by itself
 *   connecting → refused  it is tried again when somebody asks only: after a question, or where the key was not taken
 *   up → lost             the connection broke
 *   lost, refused → connecting   its time has come, or somebody asked
 *
 * From any of them it ends: with the shell, with the Pod, or because it is hung up.
 */
import { toAppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { TerminalLink } from '#contract/local/terminalLink.ts';
import type { ClientChannel } from 'ssh2';
import { PLAIN_AGAIN } from '../../terminal/resetSequence.ts';
import type { TerminalSize } from '../../terminal/viewer.ts';
import type { ShellEnd } from '../../terminal/session.ts';
import { pause, type Clock } from '../platform/clock.ts';
import { endTmux, findTmux, openChannel, programsAt, type OpenChannel, type Program } from './channel.ts';
import type { Connection } from './connection.ts';
import { SshFailure } from './failure.ts';
import type { LinkedShell } from './linkedShell.ts';

export interface RemoteShellOptions {
  clock: Clock;
  id: string;
  command: readonly string[] | null;
  size: TerminalSize;
  /** Whether to run the shell in tmux, if there is one. */
  keeps: () => boolean;
  /** Rejects with SshFailure. */
  connect(signal: AbortSignal): Promise<{ connection: Connection; way: 'direct' | 'proxy' }>;
  onOutput(bytes: Buffer): void;
  onLink(link: TerminalLink): void;
}

const NEW_SHELL =
  '\r\n\x1b[2m[ Connected again. This is a new shell: what ran in the one before may have ended with it. ]\x1b[0m\r\n';
/** Time for the end of a tmux session; after that, the connection counts as stalled. */
const HANG_UP_MS = 2000;
/** What the other side may take to list its programs, milliseconds. */
const ASK_MS = 3000;

/** Resolves at the end of the channel, with the end of the shell or the reason why the connection ended. */
async function overOf({ exit, closed }: OpenChannel, connection: Connection): Promise<ShellEnd | string> {
  await closed;
  const ended = exit();
  if (ended !== null) {
    const how = ended.code === null ? `was ended by ${ended.signal ?? 'a signal'}` : `exited with code ${ended.code}`;
    return { exitCode: ended.code, reason: `The shell ${how}.` };
  }
  // A broken connection also closes its channels. If the connection stays, only the shell has ended.
  const lost = new Promise<null>((settle) => setImmediate(() => settle(null)));
  const reason = await Promise.race([connection.closed, lost]);
  return reason ?? { exitCode: null, reason: 'The other side has closed the shell.' };
}

/** Milliseconds until the next try, after this many failures in a row. */
const waitAfter = (failures: number): number => limits.ssh.againMs[failures] ?? limits.ssh.againMs.at(-1) ?? 0;

/** A connection with the shell at it. */
interface Current {
  connection: Connection;
  channel: ClientChannel;
  way: 'direct' | 'proxy';
  inTmux: boolean;
}

/** What runs in the shell. Null if it cannot be asked. Never rejects. */
async function programsNow(
  clock: Clock,
  current: Current | null,
  programOf: (inTmux: boolean) => Program,
): Promise<string[] | null> {
  if (current === null || current.way === 'proxy') return null;
  const { connection, inTmux } = current;
  const done = new AbortController();
  const gone = Promise.race([connection.closed, pause(clock, ASK_MS, done.signal)]).then(() => null);
  const answer = programsAt(connection, programOf(inTmux)).catch(() => null);
  try {
    return await Promise.race([answer, gone]);
  } finally {
    done.abort();
  }
}

/** `tmuxName`: the shell to end on the other side, for which it waits a limited time; null if there is none. */
async function endConnection(clock: Clock, connection: Connection, tmuxName: string | null): Promise<void> {
  const done = new AbortController();
  const late = pause(clock, HANG_UP_MS, done.signal);
  if (tmuxName !== null) await Promise.race([endTmux(connection, tmuxName).catch(() => undefined), late]);
  done.abort();
  await connection.end();
}

export function createRemoteShell(options: RemoteShellOptions): LinkedShell {
  const { clock, id, onOutput } = options;
  const tmuxName = `hangar-${id}`;
  const programOf = (inTmux: boolean): Program => ({ id, command: options.command, tmux: inTmux ? tmuxName : null });
  const life = new AbortController();
  let { columns, rows } = options.size;
  let link: TerminalLink = { state: 'connecting', why: null, retryAt: null, question: null };
  let current: Current | null = null;
  let paused = false;
  let wasUp = false;
  let hurry = new AbortController();
  /** Failures in a row. */
  let lost = 0;

  function report(state: TerminalLink['state'], more: Partial<TerminalLink> = {}): void {
    link = { state, why: null, retryAt: null, question: null, ...more };
    options.onLink(link);
  }

  /** One connection from beginning to end. Rejects with SshFailure. */
  async function once(): Promise<ShellEnd | string> {
    const { connection, way } = await options.connect(life.signal);
    const giveUp = (): void => {
      if (current === null) void connection.end();
    };
    life.signal.addEventListener('abort', giveUp);
    try {
      const mayKeep = way === 'direct' && options.command === null && options.keeps();
      const tmux = mayKeep ? await findTmux(connection, tmuxName) : 'none';
      const inTmux = tmux !== 'none';
      const size = { columns, rows };
      const opened = await openChannel(connection, way, programOf(inTmux), size);
      const [channel, over] = [opened.channel, overOf(opened, connection)];
      if (wasUp) onOutput(Buffer.from(tmux === 'there' ? PLAIN_AGAIN : `${PLAIN_AGAIN}${NEW_SHELL}`));
      channel.on('data', onOutput);
      channel.stderr.on('data', onOutput);
      channel.on('error', () => undefined);
      if (paused) channel.pause();
      if (columns !== size.columns || rows !== size.rows) channel.setWindow(rows, columns, 0, 0);
      current = { connection, channel, way, inTmux };
      wasUp = true;
      report('up');
      return await over;
    } finally {
      current = null;
      life.signal.removeEventListener('abort', giveUp);
      await connection.end();
    }
  }

  async function run(): Promise<ShellEnd> {
    for (;;) {
      hurry = new AbortController();
      let failure: SshFailure;
      try {
        report('connecting');
        const over = await once();
        if (typeof over !== 'string') return over;
        lost = 0;
        failure = new SshFailure('lost', over);
      } catch (error) {
        failure = error instanceof SshFailure ? error : new SshFailure('refused', toAppError(error).message);
      }
      if (life.signal.aborted) return { exitCode: null, reason: 'The terminal was closed.' };
      const { kind, message: reason, question } = failure;
      if (kind === 'gone') return { exitCode: null, reason };
      const wake = AbortSignal.any([life.signal, hurry.signal]);
      if (kind === 'refused') {
        report('refused', { why: reason, question });
        await new Promise((resolve) => wake.addEventListener('abort', resolve, { once: true }));
      } else {
        const waitMs = waitAfter(lost++);
        report('lost', { why: reason, retryAt: clock.now() + waitMs });
        await pause(clock, waitMs, wake);
      }
      if (life.signal.aborted) return { exitCode: null, reason: 'The terminal was closed.' };
    }
  }

  const ended = run();
  return {
    command: options.command ?? [],
    get link() {
      return link;
    },
    get wasUp() {
      return wasUp;
    },
    ended,
    write(data) {
      if (current?.channel.writable) current.channel.write(data);
    },
    resize(wide, high) {
      [columns, rows] = [wide, high];
      current?.channel.setWindow(high, wide, 0, 0);
    },
    hold(to) {
      paused = to;
      current?.channel[to ? 'pause' : 'resume']();
    },
    programs: async () => (wasUp ? programsNow(clock, current, programOf) : []),
    retry: () => hurry.abort(),
    resumed() {
      // The network may come back a few seconds after the computer.
      lost = 0;
      if (link.state === 'lost') hurry.abort();
      void current?.connection.check();
    },
    async hangUp() {
      life.abort();
      if (current !== null) {
        // Remaining output must not delay the end.
        current.channel.removeListener('data', onOutput);
        current.channel.resume();
        await endConnection(clock, current.connection, current.inTmux ? tmuxName : null);
      }
      await ended;
    },
  };
}
