/**
 * One worker as a container.
 *
 * preparing → running → ended. Preparing brings the image, makes the container and starts it; `stop` ends it at any point. However
 * it ends, the container is removed before its end is told.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Container, ContainerInspectInfo } from 'dockerode';
import type { Readable } from 'node:stream';
import type { WorkerExit, WorkerProcess, WorkerUsage } from '../../../domain/autoscaling/ports.ts';
import type { WorkerLog } from '../../logs/workerLogs.ts';
import { takeApart } from '../engine/demux.ts';
import { createUsage } from '../engine/stats.ts';

/** How long the last words of a container that has ended are waited for. */
const OUTPUT_PATIENCE_MS = 1000;
/** How long after a connection to a container that runs on broke off the next one is made. */
const RECONNECT_MS = 500;
/** How long a container that was killed may take to be gone, before nobody waits for it any more; a sweep will find it. */
const KILL_PATIENCE_MS = 20_000;
/** Shells tell of SIGKILL so, and container engines too. */
const KILLED = 137;
const TERMINATED = 143;
/** The last words of a container whose program the processor does not know. */
const FOREIGN_PROGRAM = /exec .*: exec format error$/;

export interface Preparation {
  /** Brings the image and makes the container; `onProgress` reports the phase. Rejects with words for a person. */
  create(signal: AbortSignal, onProgress: (phase: () => string) => void): Promise<Container>;
  /** After its start; where its ports are. Rejects where it cannot reach this engine. */
  started(facts: ContainerInspectInfo): Promise<void>;
  /** A failed start, in words for a person. */
  explain(error: Error): string;
  /** Whether numbers of processes mean something on this machine. */
  ownKernel: boolean;
  log: WorkerLog;
  /** A container could not be removed, because its engine does not answer. */
  onLeft(id: string): void;
  reach(port: number): { host: string; port: number } | null;
}

const isStatus = (error: unknown, ...codes: number[]): boolean =>
  codes.includes((error as { statusCode?: number }).statusCode ?? 0);

/** Settles with `promise`, or after `ms` without it. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

/** Signals a container; one that has ended already, or is gone, is none to signal. */
async function signal(container: Container, name: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await container.kill({ signal: name }).catch((error: unknown) => {
    if (!isStatus(error, 404, 409)) throw error;
  });
}

async function remove(container: Container): Promise<void> {
  await container.remove({ force: true, v: true }).catch((error: unknown) => {
    // 409: its removal is under way.
    if (!isStatus(error, 404, 409)) throw error;
  });
}

/** Whether a container has ended or is gone; false where its engine does not answer. */
const hasEnded = (container: Container): Promise<boolean> =>
  container.inspect().then(
    ({ State }) => !State.Running,
    (error: unknown) => isStatus(error, 404),
  );

/** Why nothing is known of a container that ran. */
const lost = (error: unknown): string =>
  isStatus(error, 404)
    ? 'its container was removed while it ran'
    : 'the container engine stopped answering while it ran';

interface ContainerEnd {
  code: number;
  outOfMemory: boolean;
}

/**
 * How a container ended, once it has. A wait that breaks off says nothing about the container, so its engine is asked: where it
 * runs on, it is waited for again. Rejects where the engine does not answer, or the container is gone.
 */
async function endOf(container: Container, wait: Promise<unknown>): Promise<ContainerEnd> {
  for (let waiting = wait; ; waiting = container.wait({ condition: 'not-running' })) {
    const answer = (await waiting.catch(() => null)) as { StatusCode?: number } | null;
    const code = answer?.StatusCode;
    if (code !== undefined) {
      const state = (await container.inspect().catch(() => null))?.State;
      return { code, outOfMemory: state?.OOMKilled ?? false };
    }
    const { State: state } = await container.inspect();
    if (!state.Running) return { code: state.ExitCode, outOfMemory: state.OOMKilled };
    await delay(RECONNECT_MS);
  }
}

/** How an ended container tells that it ended. */
function exitOf(log: WorkerLog, { code, outOfMemory }: ContainerEnd): WorkerExit {
  const name = code === KILLED ? 'SIGKILL' : code === TERMINATED ? 'SIGTERM' : null;
  return { code: name === null ? code : null, signal: name, lastLines: log.lastLines(), startError: null, outOfMemory };
}

export function startContainer(preparation: Preparation): WorkerProcess {
  const { log, explain } = preparation;
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

  /** Reads what the container writes from now on into the log, over one connection. `ended` settles once all of it was read. */
  async function attach(to: Container): Promise<{ ended: Promise<unknown> }> {
    const connection = (await to.attach({ stream: true, stdout: true, stderr: true })) as unknown as Readable;
    const { stdout, stderr } = takeApart(connection);
    const ended = Promise.all(
      [stdout, stderr].map((stream) => new Promise((resolve) => stream.once('close', resolve))),
    );
    log.read(stdout);
    log.read(stderr, 'stderr');
    return { ended };
  }

  /**
   * Reads what the container writes until it has ended. The connection may break while the container runs on, earlier or later
   * than the one that waits for its end, so the reader asks by itself and connects again.
   */
  async function readOutput(of: Container, first: { ended: Promise<unknown> }): Promise<void> {
    let output = first;
    for (;;) {
      await output.ended;
      if (!running || (await hasEnded(of))) return;
      await delay(RECONNECT_MS);
      // Where the container engine is away, the end of the container is noticed elsewhere; until then the reader tries again.
      if (running) output = await attach(of).catch(() => output);
    }
  }

  async function run(): Promise<WorkerExit> {
    const made = await preparation.create(stopping.signal, (phase) => (doing = phase));
    container = made;
    stopping.signal.throwIfAborted();
    const output = await attach(made);
    const waited = made.wait({ condition: 'next-exit' });
    // The rejection is handled below, also where the start fails first.
    waited.catch(() => undefined);
    await made.start();
    running = true;
    const outputRead = readOutput(made, output);
    // Stopped while it was being started: it has no job, and is removed.
    stopping.signal.throwIfAborted();
    usage = createUsage(made);
    const facts = await made.inspect();
    pid = preparation.ownKernel && facts.State.Pid > 0 ? facts.State.Pid : null;
    await preparation.started(facts);
    doing = null;
    begun();
    const end = await endOf(made, waited);
    await atMost(OUTPUT_PATIENCE_MS, outputRead);
    // A container engine may notice only in the container that its program is for another processor.
    const lastLine = log.lastLines().at(-1) ?? '';
    if (end.code !== 0 && FOREIGN_PROGRAM.test(lastLine)) return failed(explain(new Error(lastLine)));
    return exitOf(log, end);
  }

  async function life(): Promise<WorkerExit> {
    let exit: WorkerExit;
    try {
      exit = await run();
    } catch (error) {
      exit = stopping.signal.aborted
        ? { code: null, signal: 'SIGTERM', lastLines: log.lastLines(), startError: null }
        : failed(running ? lost(error) : explain(error as Error));
    }
    pid = null;
    running = false;
    const { onLeft } = preparation;
    if (container) {
      const { id } = container;
      await atMost(
        KILL_PATIENCE_MS,
        remove(container).catch(() => onLeft(id)),
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
