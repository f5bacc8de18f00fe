/** A shell of this computer, in a terminal of the system. */
import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, messageOf } from '#contract/core/errors.ts';
import type { TerminalSize } from '../../../terminal/viewer.ts';
import { MOST_ANSWER_BYTES, programsOf, sessionProgramsScript } from '../../../terminal/programs.ts';
import type { ShellEnd } from '../../../terminal/session.ts';
import type { LinkedShell } from '../linkedShell.ts';
import { createFolderReports } from './folderReports.ts';
import type { Spawn } from './loadPty.ts';
import type { ShellStart } from './loginShell.ts';

/** After this time, a shell that stays although its terminal was closed is killed, in milliseconds. */
const HANG_UP_MS = 2000;
/** What the list of its programs may take, in milliseconds. */
const ASK_MS = 3000;

export interface HostShellOptions {
  spawn: Spawn;
  start: ShellStart;
  size: TerminalSize;
  onOutput(bytes: Buffer): void;
}

const signalName = (number: number): string =>
  Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`;

function endOf(exitCode: number, signal: number | undefined): ShellEnd {
  return signal
    ? { exitCode: null, reason: `The shell was ended by ${signalName(signal)}.` }
    : { exitCode, reason: `The shell exited with code ${exitCode}.` };
}

/** What a program has written; null if it failed or took too long. */
const outputOf = (file: string, args: string[]): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: ASK_MS, maxBuffer: MOST_ANSWER_BYTES }, (error, stdout) =>
      resolve(error ? null : stdout),
    );
  });

/** The processes of the session of `pid`, as `programsOf` reads them; null if this system does not tell. */
function listPrograms(pid: number): Promise<string | null> {
  if (process.platform === 'linux') return outputOf('/bin/sh', ['-c', sessionProgramsScript(pid)]);
  if (process.platform === 'win32') return Promise.resolve(null);
  // The column of sessions has no use here: elsewhere, the processes of a terminal are found by its name.
  const script = 't=$(ps -o tty= -p "$0") && ps -o pid=,args= -t "$t"';
  return outputOf('/bin/sh', ['-c', script, String(pid)]);
}

/** The folder of the shell itself, which Linux tells; null elsewhere, and once it has ended. */
function folderOfProcess(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // This system has no such list, or the shell has ended: the next one begins in the home folder.
    return null;
  }
}

/** Throws UNAVAILABLE if the system gives no terminal. */
export function createHostShell({ spawn, start, size, onOutput }: HostShellOptions): LinkedShell {
  const { file, args, cwd, env } = start;
  const isWindows = process.platform === 'win32';
  const open = () => {
    const { columns, rows } = size;
    const name = 'xterm-256color';
    return spawn(file, args, { name, cols: columns, rows, cwd, env, ...(!isWindows && { encoding: null }) });
  };
  let pty: ReturnType<Spawn>;
  try {
    pty = open();
  } catch (error) {
    throw new AppError('UNAVAILABLE', `The system gave no terminal for a shell: ${messageOf(error)}`, { cause: error });
  }
  let isOver = false;
  const ended = new Promise<ShellEnd>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      isOver = true;
      resolve(endOf(exitCode, signal));
    });
  });
  const reports = createFolderReports();
  pty.onData((data) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data);
    reports.take(bytes);
    onOutput(bytes);
  });

  return {
    command: isWindows ? [file, ...args] : args.slice(3),
    link: { state: 'up', why: null, retryAt: null, question: null },
    wasUp: true,
    ended,
    write(data) {
      if (!isOver) pty.write(data);
    },
    resize(columns, rows) {
      if (!isOver) pty.resize(columns, rows);
    },
    hold(paused) {
      if (paused) pty.pause();
      else pty.resume();
    },
    async programs() {
      if (isOver) return [];
      const answer = await listPrograms(pty.pid);
      return answer === null ? null : programsOf(answer);
    },
    folder: () => reports.folder() ?? folderOfProcess(pty.pid),
    retry: () => undefined,
    resumed: () => undefined,
    async hangUp() {
      if (isOver) return;
      // A paused terminal would keep the end from being noticed.
      pty.resume();
      if (isWindows) pty.kill();
      else pty.kill('SIGHUP');
      const patience = new AbortController();
      const late = delay(HANG_UP_MS, 'late' as const, { signal: patience.signal }).catch(() => null);
      if ((await Promise.race([ended, late])) === 'late' && !isWindows) pty.kill('SIGKILL');
      patience.abort();
      await ended;
    },
  };
}
