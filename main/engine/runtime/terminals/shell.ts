/** A shell with a terminal in a running container. */
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container, Exec } from 'dockerode';
import { AppError } from '#contract/core/errors.ts';
import { programsOf, programsScript, TERMINAL_MARK } from '../../../terminal/programs.ts';
import type { Shell, ShellEnd } from '../../../terminal/session.ts';
import { isStatus } from '../containers/engine/errorMessages.ts';
import { ask, ASK_AGAIN_MS, ASK_TIMES, exitCodeOf, isNoProgram, NOT_STARTED, signalAll } from './exec.ts';

export interface ContainerShell extends Shell {
  /**
   * Hangs up: sends SIGHUP to the shell and its processes, then kills the remaining ones. Resolves when it has ended.
   */
  hangUp(): Promise<void>;
  /**
   * The command lines of what runs in it beside idle shells; null if that is not known: the container has no programs
   * to list them with, does not answer within `ASK_MS`, or is gone. Never rejects.
   */
  programs(): Promise<string[] | null>;
  /** Resolves once all output was reported. Never rejects. */
  readonly ended: Promise<ShellEnd>;
}

export interface ShellOptions {
  container: Container;
  id: string;
  /** A command instead of the shell of the image; null for the shell. */
  command: readonly string[] | null;
  columns: number;
  rows: number;
  onOutput(bytes: Buffer): void;
}

const HANG_UP_MS = 2000;
/** What a container may take to list its programs, milliseconds. A paused one never answers. */
const ASK_MS = 3000;
/**
 * Writes which shell the image has in a first line, and becomes it. One program does both: the start of a program in a
 * container takes much longer than a question to the container engine.
 */
const FIND_SHELL = 'if command -v bash >/dev/null 2>&1; then echo bash; exec bash; fi; echo sh; exec sh';
const SHELLS = new Set(['bash', 'sh']);
/** Longest first line that is read to find the name of the shell, characters. */
const MOST_LINE = 4096;
/** Exit codes above this number mean a signal. */
const SIGNALS = 128;

/**
 * Whether the container continues to run. A container that ends kills its shells first, and the engine knows its end a
 * moment later.
 */
async function staysAfter(container: Container, mayHaveEnded: boolean): Promise<boolean> {
  for (let times = mayHaveEnded ? ASK_TIMES : 1; ; times--) {
    const { State: state } = await container.inspect();
    if (!state.Running) return false;
    if (times <= 1) return true;
    await delay(ASK_AGAIN_MS);
  }
}

async function programsIn(container: Container, id: string): Promise<string[] | null> {
  const patience = new AbortController();
  const late = delay(ASK_MS, null, { signal: patience.signal }).catch(() => null);
  try {
    const answer = await Promise.race([ask(container, ['sh', '-c', programsScript(id)]), late]);
    return answer === null ? null : programsOf(answer.text);
  } catch {
    // The container has ended, or the container engine is gone: what runs cannot be known.
    return null;
  } finally {
    patience.abort();
  }
}

/** `byUs`: the shell was hung up. */
async function endOf(container: Container, exec: Exec, byUs: boolean): Promise<ShellEnd> {
  try {
    const exitCode = await exitCodeOf(exec);
    const mayHaveEnded = !byUs && (exitCode === null || exitCode === NOT_STARTED || exitCode > SIGNALS);
    if (!(await staysAfter(container, mayHaveEnded))) return { exitCode, reason: 'The container has ended.' };
    if (exitCode === null) return { exitCode, reason: 'The connection to the shell was lost.' };
    return { exitCode, reason: `The shell exited with code ${exitCode}.` };
  } catch (error) {
    const missing = isStatus(error, 404, 409);
    return { exitCode: null, reason: missing ? 'The container is gone.' : 'The container engine has gone.' };
  }
}

/** The first line of the output, without its end, and the bytes behind it. Null if the output ends before that. */
function readLine(stream: Duplex, over: Promise<void>): Promise<{ line: string; rest: Buffer } | null> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const take = (bytes: Buffer): void => {
      read = Buffer.concat([read, bytes]);
      const end = read.indexOf('\n');
      if (end < 0 && read.length < MOST_LINE) return;
      // What follows is read by the caller, which listens only later.
      stream.pause();
      stream.off('data', take);
      resolve({ line: read.subarray(0, Math.max(end, 0)).toString().trim(), rest: read.subarray(end + 1) });
    };
    stream.on('data', take);
    void over.then(() => resolve(null));
  });
}

/** Why no shell has begun. */
async function whyNoShell(container: Container): Promise<AppError> {
  const { State: state } = await container.inspect();
  return state.Running
    ? new AppError('BAD_REQUEST', 'The image has no shell. Name a command of it that is to be run in the terminal.')
    : new AppError('CONFLICT', 'The container ended before its shell began. Start it, then open a terminal.');
}

/** Begins the program. Rejects as `openShell` does. */
async function begin({ container, id, command: requested, columns, rows, onOutput }: ShellOptions) {
  const exec = await container.exec({
    Cmd: requested === null ? ['sh', '-c', FIND_SHELL] : [...requested],
    Env: [`${TERMINAL_MARK}=${id}`, 'TERM=xterm-256color', 'COLORTERM=truecolor'],
    Tty: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    ConsoleSize: [rows, columns],
  });
  const starting: Promise<Duplex> = exec.start({ hijack: true, stdin: true, Tty: true });
  const stream = await starting.catch(async (error: unknown) => {
    // Some engines report a missing program this way, others in the output.
    throw requested === null && isNoProgram(error) ? await whyNoShell(container) : error;
  });
  const over = new Promise<void>((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.on('error', () => resolve());
  });
  if (requested !== null) {
    stream.on('data', onOutput);
    return { exec, stream, over, command: [...requested] };
  }
  const first = await readLine(stream, over);
  if (first === null || !SHELLS.has(first.line)) {
    stream.destroy();
    throw await whyNoShell(container);
  }
  if (first.rest.length > 0) onOutput(first.rest);
  stream.on('data', onOutput);
  stream.resume();
  return { exec, stream, over, command: [first.line] };
}

/**
 * Opens a shell in a running container. Rejects with BAD_REQUEST if the image has no shell, with CONFLICT if the
 * container has ended, else with the error of the container engine.
 */
export async function openShell(options: ShellOptions): Promise<ContainerShell> {
  const { container, id, columns, rows } = options;
  const { exec, stream, over, command } = await begin(options);
  // Sizes are sent in separate requests. The newest must arrive last, and later input must follow it.
  let sizes = 0;
  let sized = Promise.resolve();
  const resize = (wide: number, high: number): void => {
    sizes++;
    sized = sized
      // An ended shell has no size.
      .then(() => Promise.race([over, exec.resize({ w: wide, h: high }).catch(() => undefined)]))
      .then(() => {
        sizes--;
      });
  };
  const put = (data: string): void => {
    if (stream.writable) stream.write(data);
  };
  let hangingUp = false;
  // For engines that ignore the size at the start.
  resize(columns, rows);
  const ended = over.then(async () => {
    stream.destroy();
    return endOf(container, exec, hangingUp);
  });

  return {
    command,
    ended,
    resize,
    write(data) {
      if (sizes === 0) put(data);
      else void sized.then(() => put(data));
    },
    hold(paused) {
      if (paused && !hangingUp) stream.pause();
      else stream.resume();
    },
    programs: () => programsIn(container, id),
    async hangUp() {
      // Unread output must not delay the end.
      hangingUp = true;
      stream.resume();
      for (const signal of ['HUP', 'KILL']) {
        await signalAll(container, id, signal).catch(() => undefined);
        const patience = new AbortController();
        const late = delay(HANG_UP_MS, false, { signal: patience.signal }).catch(() => false);
        const exited = await Promise.race([over.then(() => true), late]);
        patience.abort();
        if (exited) break;
      }
      stream.destroy();
      await ended;
    },
  };
}
