/** Starts the engine as a child, waits until it is ready, restarts it after a crash, and stops it. */
import type { EngineStatus } from '#contract/app/account.ts';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { systemCode } from '#contract/core/systemCode.ts';
import {
  engineOutboundSchema,
  type engineFailures,
  type EngineOutbound,
  type EngineStart,
  type EngineTask,
  type OwnContainer,
} from '#contract/local/engine.ts';
import type { Logger } from 'pino';
import type { ChildExit, ChildProgram } from '../platform/childProgram.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import { createDeaths, exitText, isCrash } from '../crashes/restartPolicy.ts';
import { causeOf, createRun, killRun, type Run } from './engineRun.ts';
import { createTasks, type TaskAnswer } from './tasks.ts';

export type { ChildExit as EngineExit, ChildProgram as EngineChild } from '../platform/childProgram.ts';

export type EngineFailure = (typeof engineFailures)[number];
export type EngineReady = Extract<EngineOutbound, { type: 'ready' }>;
type EngineAnswer = Extract<EngineOutbound, { type: 'ready' | 'failed' }>;

/** Why the app could not start. A host derives its exit code from `failure`. The message is for a person. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError';
  readonly failure: EngineFailure;
  constructor(failure: EngineFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

type DataKeys = Pick<EngineStart, 'dataKey' | 'olderDataKeys' | 'dataKeyIsKept'>;

export interface EngineProcessOptions {
  fork: () => ChildProgram;
  start: Omit<EngineStart, keyof DataKeys>;
  /** The encryption keys of the engine, read at each start. */
  dataKeys: () => DataKeys;
  clock: Clock;
  logger: Logger;
  /** Called after each end that nobody requested, also during a start; `cause`: how it ended, as a sentence. */
  onCrash?: (exit: ChildExit, cause: string) => void;
  /** Messages for a person from before the start. */
  notices?: readonly string[];
  /** Longest start, in milliseconds; a longer one counts as failed. */
  readyLimitMs?: number;
  /** Longest stop, in milliseconds; after that the engine is killed. */
  stopLimitMs?: number;
}

export interface EngineProcess {
  readonly status: EngineStatus;
  /** Calls the listener at each change of status. Returns a function that unsubscribes. */
  onStatus(listener: (status: EngineStatus) => void): () => void;
  /**
   * Pings the engine from now on, for somebody who needs to know whether it answers. Returns a function that stops it.
   */
  watchLife(): () => void;
  /** The first start. Rejects with EngineStartError and does not retry. */
  start(): Promise<EngineReady>;
  /** Restarts the engine now; ends the running one first. */
  restart(): Promise<EngineStatus>;
  /**
   * Gives the engine a task, and resolves to the containers that it lists. Rejects with UNAVAILABLE if the engine does
   * not run or ends, and with the problem of the task.
   */
  task(task: EngineTask): Promise<OwnContainer[]>;
  stop(): Promise<void>;
  /** Kills the engine immediately and permanently, without waiting. */
  kill(): void;
}

/** Longest recovery of damaged data. Its duration grows with the size of the data. */
const RECOVERY_LIMIT_MS = 10 * 60_000;

const RESTART_ADVICE = 'Restart it by hand; the log says more.';

function logReady(logger: Logger, { pid, address, notices }: EngineReady): void {
  logger.info({ enginePid: pid, address }, 'engine ready');
  for (const notice of notices) logger.warn({ notice }, 'the engine has something to tell');
}

interface StartOptions {
  clock: Clock;
  logger: Logger;
  readyLimitMs: number;
  /** Called at each answer to a ping. */
  onPong: () => void;
  /** Called at the end of each task. */
  onDone: (answer: TaskAnswer) => void;
  /** Sends the start message. */
  begin: () => void;
}

/**
 * Starts the child and returns its answer; its later messages are handled, too. A child that recovers its data has
 * RECOVERY_LIMIT_MS. Rejects with EngineStartError if no answer comes in time, or if the child ends.
 */
async function awaitAnswer(
  run: Run,
  { clock, logger, readyLimitMs, onPong, onDone, begin }: StartOptions,
): Promise<EngineAnswer> {
  let cancelLimit: Cancel = () => undefined;
  try {
    return await new Promise<EngineAnswer>((resolve, reject) => {
      const limitTo = (limitMs: number): void => {
        cancelLimit();
        cancelLimit = clock.after(limitMs, () =>
          reject(new EngineStartError('failed', `The engine was not ready after ${limitMs / 1000} s.`)),
        );
      };
      limitTo(readyLimitMs);
      run.child.onMessage((message) => {
        const parsed = engineOutboundSchema.safeParse(message);
        if (!parsed.success) {
          logger.warn({ issues: parsed.error.issues }, 'the engine sent a message that is not understood');
          return;
        }
        const { data } = parsed;
        if (data.type === 'recovering') {
          logger.warn({ reason: data.message }, 'the engine recovers its data');
          limitTo(RECOVERY_LIMIT_MS);
        } else if (data.type === 'ending') run.lastWord = data.message;
        else if (data.type === 'pong') onPong();
        else if (data.type === 'done') onDone(data);
        else if (data.type === 'leaving') logger.warn({ message: data.message }, 'Pods run on');
        else resolve(data);
      });
      void run.exited.then((exit) =>
        reject(new EngineStartError('failed', `The engine ended while it started (${exitText(exit)}).`)),
      );
      begin();
    });
  } finally {
    cancelLimit();
  }
}

/** The code of a message to a child that is ending. */
const CHANNEL_CLOSED = 'ERR_IPC_CHANNEL_CLOSED';

/** Ends a run: requests a stop, and kills the child after the limit. Settles when the child has ended. */
async function endRun(
  { child, exited }: Run,
  { clock, logger, stopLimitMs }: { clock: Clock; logger: Logger; stopLimitMs: number },
): Promise<void> {
  try {
    child.send({ type: 'stop' });
  } catch (err) {
    // After its channel is closed, the child is already ending. The limit below covers the rest.
    if (systemCode(err) !== CHANNEL_CLOSED) logger.warn({ err }, 'the engine could not be asked to stop');
  }
  const cancelKill = clock.after(stopLimitMs, () => {
    logger.warn({ stopLimitMs }, 'the engine did not stop in time; killing it');
    child.kill('SIGKILL');
  });
  await exited;
  cancelKill();
}

interface LifeCheckOptions {
  clock: Clock;
  logger: Logger;
  isCurrent: (run: Run) => boolean;
  /** Called when a run stops answering pings, and when it answers again. */
  change: (next: { silentSince: number | null }) => void;
}

/** Pings the engine while somebody watches, because a process that hangs still exists. */
function createLifeCheck({ clock, logger, isCurrent, change }: LifeCheckOptions) {
  let watchers = 0;
  let answers = true;
  let cancel: Cancel = () => undefined;

  function ask(run: Run): void {
    const { askMs, unanswered } = limits.engineLife;
    if (!isCurrent(run) || run.ending) return;
    if (run.unanswered >= unanswered && answers) {
      logger.warn({ pid: run.child.pid }, 'the engine does not answer');
      answers = false;
      change({ silentSince: run.unansweredSince });
    }
    if (run.unanswered === 0) run.unansweredSince = clock.now();
    run.unanswered += 1;
    try {
      run.child.send({ type: 'ping' });
    } catch (err) {
      // After its channel is closed, the child is ending.
      if (systemCode(err) !== CHANNEL_CLOSED) logger.warn({ err }, 'the engine could not be asked whether it answers');
      return;
    }
    cancel = clock.after(askMs, () => ask(run));
  }

  return {
    /** A run is ready. */
    begin(run: Run): void {
      answers = true;
      if (watchers > 0) ask(run);
    },
    /** A run has answered. */
    answered(run: Run): void {
      run.unanswered = 0;
      if (!isCurrent(run) || answers) return;
      logger.info({ pid: run.child.pid }, 'the engine answers again');
      answers = true;
      change({ silentSince: null });
    },
    /** Pings the run, and all later runs, until the returned function is called. */
    watch(run: Run | null): () => void {
      if (watchers++ === 0 && run?.ready) ask(run);
      let watching = true;
      return () => {
        if (watching && --watchers === 0) cancel();
        watching = false;
      };
    },
    stop: () => cancel(),
  };
}

/** The status of the engine and the listeners of its changes. */
function createStatus(notices: readonly string[]) {
  const listeners = new Set<(status: EngineStatus) => void>();
  let status: EngineStatus = {
    state: 'stopped',
    silentSince: null,
    address: null,
    restarts: 0,
    nextTryAt: null,
    reason: null,
    notices: [...notices],
  };
  return {
    current: () => status,
    change(next: Partial<EngineStatus>): void {
      status = { ...status, ...next };
      for (const listener of listeners) listener(status);
    },
    onStatus(listener: (status: EngineStatus) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const readyStatus = ({ notices }: EngineStatus, answer: EngineReady): Partial<EngineStatus> => ({
  state: 'ready',
  silentSince: null,
  address: answer.address,
  nextTryAt: null,
  reason: null,
  notices: [...notices, ...answer.notices],
});

export function createEngineProcess(options: EngineProcessOptions): EngineProcess {
  const { clock, logger, readyLimitMs = 30_000, stopLimitMs = limits.stop.engineMs } = options;
  const { current, change, onStatus } = createStatus(options.notices ?? []);
  let run: Run | null = null;
  const deaths = createDeaths();
  const tasks = createTasks();
  let cancelRetry: Cancel = () => undefined;
  let stopping = false;
  /** Grows whenever a run is ended on purpose, so that a start in progress does not count as a crash. */
  let generation = 0;
  /** The port of the first start: clients that know the address must find the engine there again. */
  let port = options.start.port;
  const life = createLifeCheck({ clock, logger, isCurrent: (one) => run === one, change });

  /** One attempt: fork, send the start message, wait for the answer. If this rejects, the child has ended. */
  async function launch(): Promise<EngineReady> {
    const launched = (run = createRun(options.fork(), options.onCrash));
    const { child, exited } = launched;
    try {
      const answer = await awaitAnswer(launched, {
        clock,
        logger,
        readyLimitMs,
        onPong: () => life.answered(launched),
        onDone: tasks.end,
        begin: () => child.send({ ...options.start, ...options.dataKeys(), port }),
      });
      if (answer.type === 'failed') throw new EngineStartError(answer.failure, answer.message);
      launched.ready = true;
      port = answer.port;
      logReady(logger, answer);
      change(readyStatus(current(), answer));
      life.begin(launched);
      void exited.then((exit) => {
        if (run === launched || run === null) life.stop();
        if (!launched.ending) died(exit, causeOf(launched, exit));
      });
      return answer;
    } catch (failure) {
      killRun(launched);
      await exited;
      throw failure;
    }
  }

  function died(exit: ChildExit | null, reason: string): void {
    if (stopping) return;
    run = null;
    const decision = deaths.record(exit === null || isCrash(exit), clock.now());
    if ('giveUp' in decision) {
      logger.error({ reason }, 'the engine keeps dying; not starting it again');
      change({ state: 'failed', nextTryAt: null, reason: `${decision.giveUp} ${reason} ${RESTART_ADVICE}` });
      return;
    }
    logger.warn({ reason, delayMs: decision.delayMs }, 'the engine died; starting it again');
    change({ state: 'restarting', nextTryAt: clock.now() + decision.delayMs, reason });
    cancelRetry = clock.after(decision.delayMs, () => void again());
  }

  async function again(): Promise<void> {
    cancelRetry();
    const ownGeneration = generation;
    change({ state: 'restarting', nextTryAt: null, restarts: current().restarts + 1 });
    try {
      await launch();
    } catch (failure) {
      if (ownGeneration === generation) died(null, messageOf(failure));
    }
  }

  async function end(): Promise<void> {
    cancelRetry();
    generation += 1;
    const ended = run;
    if (ended === null) return;
    ended.ending = true;
    life.stop();
    await endRun(ended, { clock, logger, stopLimitMs });
    if (run === ended) run = null;
  }

  return {
    get status() {
      return current();
    },
    onStatus,
    watchLife: () => life.watch(run),
    async start() {
      change({ state: 'starting', reason: null });
      try {
        return await launch();
      } catch (failure) {
        run = null;
        change({ state: 'failed', reason: messageOf(failure) });
        throw failure;
      }
    },
    async restart() {
      if (stopping) throw new AppError('CONFLICT', 'Hangar is stopping; the engine is not started again.');
      if (current().state === 'starting') return current();
      deaths.forget();
      await end();
      await again();
      return current();
    },
    task: (task) => tasks.begin(run, task),
    async stop() {
      stopping = true;
      await end();
      change({ state: 'stopped', nextTryAt: null, reason: null });
    },
    kill() {
      stopping = true;
      cancelRetry();
      life.stop();
      if (run !== null) killRun(run);
    },
  };
}
