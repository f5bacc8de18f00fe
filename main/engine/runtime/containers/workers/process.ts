/**
 * One worker as a container.
 *
 * States: preparing → running → ended. The preparation pulls the image, creates the container and starts it. `stop` ends it at any
 * point. The container is removed before the end is reported.
 */
import type { Container, ContainerInspectInfo } from 'dockerode';
import type { WorkerExit, WorkerProcess, WorkerUsage } from '../../../domain/autoscaling/ports.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import type { WorkerLog } from '../../logs/workerLogs.ts';
import { isConnectionLost, isStatus } from '../engine/errorMessages.ts';
import { createUsage } from '../engine/stats.ts';
import { removeContainer } from '../removal.ts';
import { ContainerLostError, endOf, type ContainerEnd } from './containerEnd.ts';
import { readOutput } from './output.ts';

/** How long the last output of an ended container is awaited, milliseconds. */
const OUTPUT_PATIENCE_MS = 1000;
/** How long the end of a killed container is awaited, milliseconds. After that, a sweep removes it later. */
const KILL_PATIENCE_MS = 20_000;
/** The exit code that shells and container engines report for SIGKILL. */
const KILLED = 137;
const TERMINATED = 143;
/** The last output of a container whose program is for another processor. */
const FOREIGN_PROGRAM = /exec .*: exec format error$/;

export interface Preparation {
  readonly logger: Logger;
  /**
   * Pulls the image and creates the container; `onProgress` reports the phase. The message of a rejection is for a
   * person.
   */
  create(signal: AbortSignal, onProgress: (phase: () => string) => void): Promise<Container>;
  /** Called after the start, with the addresses of the ports. Rejects where the container cannot reach this engine. */
  started(facts: ContainerInspectInfo): Promise<void>;
  /** The message for a failed start, for a person. */
  explain(error: unknown): string;
  /** Whether process ids of containers are valid on this machine. */
  ownKernel: boolean;
  log: WorkerLog;
  /** Called when a container could not be removed, because its engine does not answer. */
  onLeft(id: string): void;
  reach(port: number): { host: string; port: number } | null;
  /** Called when the text of `preparing` has changed. */
  onProgress?: (() => void) | undefined;
}

/** Resolves with `promise`, or after `ms` milliseconds. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

/** Sends a signal to a container. Ignores a container that has ended or is gone. */
async function signal(container: Container, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await container.kill({ signal: name }).catch((error: unknown) => {
    if (!isStatus(error, 404, 409)) throw error;
  });
}

/** Whether a container has ended or is gone; false where its engine does not answer. */
const hasEnded = (container: Container): Promise<boolean> =>
  container.inspect().then(
    ({ State }) => !State.Running,
    (error: unknown) => isStatus(error, 404),
  );

/**
 * Starts a container. The connection may break before the answer arrives, while the engine starts the container anyway:
 * only the state of the container tells.
 */
async function startOnce(container: Container): Promise<void> {
  try {
    await container.start();
  } catch (error) {
    if (!isConnectionLost(error) || (await container.inspect()).State.Status === 'created') throw error;
  }
}

/** The exit of a worker from the end of its container. */
function exitOf(log: WorkerLog, { code, outOfMemory, outside }: ContainerEnd): WorkerExit {
  const lastLines = log.lastLines();
  if (outside !== null) return { code: null, signal: null, lastLines, startError: outside, endedFromOutside: true };
  const name = code === KILLED ? 'SIGKILL' : code === TERMINATED ? 'SIGTERM' : null;
  return { code: name === null ? code : null, signal: name, lastLines, startError: null, outOfMemory };
}

export function startContainer(preparation: Preparation): WorkerProcess {
  const { log, logger, explain } = preparation;
  const stopping = new AbortController();
  let begun = (): void => undefined;
  const prepared = new Promise<void>((resolve) => (begun = resolve));
  let doing: (() => string) | null = () => 'Preparing its container';
  let container: Container | null = null;
  let running = false;
  let killedAfterMs: number | undefined;
  let pid: number | null = null;
  let usage: (() => Promise<WorkerUsage>) | null = null;

  const failed = (startError: string): WorkerExit => ({
    code: null,
    signal: null,
    lastLines: log.lastLines(),
    startError,
  });

  let reported = doing();
  /** A pull reports many steps that are the same text. */
  function setPhase(phase: () => string): void {
    doing = phase;
    const text = phase();
    if (text === reported) return;
    reported = text;
    preparation.onProgress?.();
  }

  async function run(): Promise<WorkerExit> {
    const made = await preparation.create(stopping.signal, setPhase);
    container = made;
    stopping.signal.throwIfAborted();
    const output = await readOutput(made, log);
    const waited = made.wait({ condition: 'next-exit' });
    // The rejection is handled below, even where the start fails first.
    waited.catch(() => undefined);
    await startOnce(made);
    running = true;
    const outputRead = output.readUntil(async () => !running || (await hasEnded(made)));
    // The worker was stopped during its start: it has no job, and its container is removed.
    stopping.signal.throwIfAborted();
    usage = createUsage(made, logger);
    const facts = await made.inspect();
    pid = preparation.ownKernel && facts.State.Pid > 0 ? facts.State.Pid : null;
    await preparation.started(facts);
    doing = null;
    begun();
    const end = await endOf(made, waited);
    await atMost(OUTPUT_PATIENCE_MS, outputRead);
    // Some engines detect a program for another processor only inside of the container.
    const lastLine = log.lastLines().at(-1) ?? '';
    if (end.outside === null && end.code !== 0 && FOREIGN_PROGRAM.test(lastLine))
      return failed(explain(new Error(lastLine)));
    return exitOf(log, end);
  }

  async function life(): Promise<WorkerExit> {
    let exit: WorkerExit;
    try {
      exit = await run();
    } catch (error) {
      exit = stopping.signal.aborted
        ? { code: null, signal: 'SIGTERM', lastLines: log.lastLines(), startError: null }
        : {
            ...failed(error instanceof ContainerLostError ? error.message : explain(error)),
            // It may have taken a job before its state was known.
            endedFromOutside: running && (error instanceof ContainerLostError || isConnectionLost(error)),
          };
    }
    pid = null;
    running = false;
    const { onLeft } = preparation;
    if (container) {
      const { id } = container;
      await atMost(
        KILL_PATIENCE_MS,
        removeContainer(container).catch(() => onLeft(id)),
      );
    }
    await log.written();
    begun();
    return killedAfterMs === undefined ? exit : { ...exit, killedAfterMs };
  }

  const exited = life();

  async function stop(graceMs: number): Promise<void> {
    const first = !stopping.signal.aborted;
    stopping.abort(new Error('It was stopped before it ran.'));
    if (!running || !container) {
      await exited;
      return;
    }
    if (first) await signal(container, 'SIGTERM').catch(() => undefined);
    await atMost(graceMs, exited);
    if (running) {
      killedAfterMs ??= graceMs;
      await signal(container, 'SIGKILL').catch(() => undefined);
    }
    await exited;
  }

  return {
    get pid() {
      return pid;
    },
    exited,
    prepared,
    stop,
    preparing: () => doing?.() ?? null,
    reach: (port) => (running ? preparation.reach(port) : null),
    usage: async () => (running && usage ? usage() : { cpuPercent: null, memoryBytes: null }),
  };
}
