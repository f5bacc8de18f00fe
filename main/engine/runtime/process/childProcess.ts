/** One worker as a child process. It starts without a shell, and ends together with all its descendants. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { messageOf } from '#contract/core/errors.ts';
import { expectCode } from '#contract/core/systemCode.ts';
import type { WorkerExit, WorkerProcess } from '../../domain/autoscaling/ports.ts';
import type { WorkerLog } from '../logs/workerLogs.ts';
import { oomKills } from '../host/oomKills.ts';
import { groupRuns, hasVariable, processesWith, startMark, type Variable } from './identity.ts';

const WINDOWS = process.platform === 'win32';
/** How long the end of a killed process is awaited, milliseconds. */
const KILL_PATIENCE_MS = 2000;
const LOOK_EVERY_MS = 10;
/**
 * How long the last output is awaited, milliseconds: a process outside of its group may keep the output open forever.
 */
const OUTPUT_PATIENCE_MS = 500;

export interface Launch {
  command: [program: string, ...args: string[]];
  folder: string;
  env: Record<string, string>;
  /** The umask of the process; without it, that of the engine. */
  mask?: number | undefined;
}

export interface ChildOptions {
  /** An environment variable that its descendants inherit. It identifies processes that have left the group. */
  mark: Variable;
  log: WorkerLog;
  /** Called right after the start. */
  onStarted: (pid: number) => void;
  /** Called once the process and its descendants are gone, before its end is reported. */
  onGone: (pid: number) => Promise<void>;
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves with `promise`, or after `ms` milliseconds. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

/** Kills a process and its descendants at once. */
export async function killTree(pid: number): Promise<void> {
  if (WINDOWS) {
    await new Promise<void>((resolve) => {
      execFile('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true }, () => resolve());
    });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // No process of the group is left. macOS refuses a signal to a group whose processes have all ended.
    expectCode(error, 'ESRCH', 'EPERM');
    return;
  }
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  while (groupRuns(pid) && performance.now() < giveUpAt) await later(LOOK_EVERY_MS);
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself.
    expectCode(error, 'ESRCH');
  }
}

/**
 * Kills processes that have left the group but have the variable of the worker, and waits until they have ended. On a
 * busy machine the search itself may take longer than the wait: what it finds is killed all the same.
 */
export async function killMarked(mark: Variable): Promise<void> {
  const giveUpAt = performance.now() + KILL_PATIENCE_MS;
  /** The start of each killed process. A process that is ending has no variables any more, but is still there. */
  const killed = new Map<number, string>();
  for (;;) {
    for (const [pid, start] of killed) if ((await startMark(pid)) !== start) killed.delete(pid);
    const marked = await processesWith(mark);
    for (const pid of marked) {
      const start = await startMark(pid);
      // Check again immediately before the kill: another process may have the id now.
      if (start === null || !hasVariable(pid, mark)) continue;
      killOne(pid);
      killed.set(pid, start);
    }
    if (marked.length + killed.size === 0 || performance.now() > giveUpAt) return;
    await later(LOOK_EVERY_MS);
  }
}

/** A child process inherits the umask of its parent, and no option changes it. */
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
        // A group of its own can be killed as a whole. The standard input closes when this engine ends.
        detached: !WINDOWS,
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      }),
    );
  } catch (error) {
    // An invalid argument, such as one with a NUL character.
    return neverStarted(messageOf(error));
  }
  const { pid } = child;
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let startError: string | null = null;
  let stopping: Promise<void> | null = null;
  let killedAfterMs: number | undefined;

  // The worker may end before it reads its standard input.
  child.stdin?.on('error', () => undefined);
  if (child.stdout) log.read(child.stdout, 'stdout');
  if (child.stderr) log.read(child.stderr, 'stderr');

  async function settle(code: number | null, signal: string | null): Promise<WorkerExit> {
    // The system does not report which process it killed for memory. A higher count since the start is the best
    // evidence.
    const kills = signal === 'SIGKILL' && stopping === null ? oomKills() : null;
    const outOfMemory = kills !== null && killsBefore !== null && kills > killsBefore;
    // Remaining descendants would use the machine without a purpose. Windows forgets the tree when the parent ends.
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
      // Signal only the worker itself: its child processes belong to the job that it finishes.
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

/** The result for a worker that could not be started. */
export function neverStarted(reason: string): WorkerProcess {
  return {
    pid: null,
    exited: Promise.resolve({ code: null, signal: null, lastLines: [], startError: reason }),
    stop: () => Promise.resolve(),
  };
}
