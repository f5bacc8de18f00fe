/** One worker as a child process: started without a shell, ended with everything it started. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import type { WorkerExit, WorkerProcess } from '../../domain/autoscaling/ports.ts';
import type { WorkerLog } from '../logs/workerLogs.ts';
import { oomKills } from '../host/oomKills.ts';
import { groupRuns, hasVariable, processesWith, type Variable } from './identity.ts';

const WINDOWS = process.platform === 'win32';
/** How long a process that was killed may take to be gone, before nobody waits for it any more. */
const KILL_PATIENCE_MS = 2000;
const LOOK_EVERY_MS = 10;
/** How long its last words are waited for: a process outside of its group may hold its output open for ever. */
const OUTPUT_PATIENCE_MS = 500;

export interface Launch {
  command: [program: string, ...args: string[]];
  folder: string;
  env: Record<string, string>;
  /** The permissions that files of it are not given (umask); those of the engine itself where it is left out. */
  mask?: number | undefined;
}

export interface ChildOptions {
  /** In its environment and that of all it starts; by it is found what has left its group. */
  mark: Variable;
  log: WorkerLog;
  /** Called right after it was started. */
  onStarted: (pid: number) => void;
  /** Called once it is gone with all it started; its end is told after this. */
  onGone: (pid: number) => Promise<void>;
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Settles with `promise`, or after `ms` without it. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

/** Kills a process and everything it started, at once. */
export async function killTree(pid: number): Promise<void> {
  if (WINDOWS) {
    await new Promise<void>((resolve) => {
      execFile('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve());
    });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
    return;
  }
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  while (groupRuns(pid) && performance.now() < giveUpAt) await later(LOOK_EVERY_MS);
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Kills what has left the group of the process that started it, and still carries its mark. */
export async function killMarked(mark: Variable): Promise<void> {
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  for (;;) {
    const marked = await processesWith(mark);
    if (marked.length === 0 || performance.now() > giveUpAt) return;
    for (const pid of marked) {
      // Asked once more, at once: its number may have become another's meanwhile.
      if (hasVariable(pid, mark)) killOne(pid);
    }
    await later(LOOK_EVERY_MS);
  }
}

/** A process takes over the mask of the one that starts it, and cannot be given another. */
function withMask<T>(mask: number | undefined, start: () => T): T {
  if (mask === undefined || WINDOWS) return start();
  const own = process.umask(mask);
  try {
    return start();
  } finally {
    process.umask(own);
  }
}

export function startChild(launch: Launch, { mark, log, onStarted, onGone }: ChildOptions): WorkerProcess {
  const [program, ...args] = launch.command;
  const killsBefore = oomKills();
  let child: ChildProcess;
  try {
    child = withMask(launch.mask, () =>
      spawn(program, args, {
        cwd: launch.folder,
        env: launch.env,
        // A process group of its own can be ended as a whole. Its standard input ends when this process does.
        detached: !WINDOWS,
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      }),
    );
  } catch (error) {
    // An argument that no system takes, such as one with a NUL in it.
    return neverStarted((error as Error).message);
  }
  const { pid } = child;
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let startError: string | null = null;
  let stopping: Promise<void> | null = null;
  let killedAfterMs: number | undefined;

  // The worker may be gone before it has read what was written.
  child.stdin?.on('error', () => undefined);
  if (child.stdout) log.read(child.stdout, 'stdout');
  if (child.stderr) log.read(child.stderr, 'stderr');

  async function settle(code: number | null, signal: string | null): Promise<WorkerExit> {
    // Whom the system has killed it does not tell; that it has killed somebody meanwhile is as near as one gets.
    const kills = signal === 'SIGKILL' && stopping === null ? oomKills() : null;
    const outOfMemory = kills !== null && killsBefore !== null && kills > killsBefore;
    // What outlives it would go on using the machine for nobody. Windows forgets who was whose once the parent has ended.
    if (pid !== undefined && !WINDOWS) await killTree(pid);
    if (pid !== undefined) await killMarked(mark);
    if (pid !== undefined) await atMost(OUTPUT_PATIENCE_MS, closed);
    child.stdin?.destroy();
    child.stdout?.destroy();
    child.stderr?.destroy();
    await log.written();
    if (pid !== undefined) await onGone(pid);
    return {
      code,
      signal,
      lastLines: log.lastLines(),
      startError,
      ...(outOfMemory && { outOfMemory }),
      ...(killedAfterMs !== undefined && { killedAfterMs }),
    };
  }

  const exited = new Promise<WorkerExit>((resolve) => {
    child.once('error', (error) => {
      if (pid !== undefined) return;
      startError = `${program} could not be started: ${error.message}`;
      resolve(settle(null, null));
    });
    child.once('exit', (code, signal) => resolve(settle(code, signal)));
  });
  if (pid !== undefined) onStarted(pid);

  async function stop(graceMs: number): Promise<void> {
    if (pid !== undefined && child.exitCode === null && child.signalCode === null) {
      // Only the worker itself is asked: what it has started belongs to the job it is finishing.
      if (WINDOWS) child.stdin?.write('stop\n');
      else child.kill('SIGTERM');
      await atMost(graceMs, exited);
      if (child.exitCode === null && child.signalCode === null) {
        killedAfterMs = graceMs;
        await killTree(pid);
      }
    }
    await exited;
  }

  return {
    pid: pid ?? null,
    exited,
    stop: (graceMs) => (stopping ??= stop(graceMs)),
  };
}

/** A worker that could not even be tried. */
export function neverStarted(reason: string): WorkerProcess {
  return {
    pid: null,
    exited: Promise.resolve({ code: null, signal: null, lastLines: [], startError: reason }),
    stop: () => Promise.resolve(),
  };
}
