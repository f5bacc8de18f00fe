/** Starts the engine as a child, waits until it is ready, starts it again when it dies, and stops it. */
import type { EngineStatus } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import {
  engineOutboundSchema,
  type engineFailures,
  type EngineOutbound,
  type EngineStart,
} from '#contract/local/engine.ts';
import type { Logger } from 'pino';
import type { ChildExit, ChildProgram } from '../platform/childProgram.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import { decideRestart, type Death } from './restartPolicy.ts';

export type { ChildExit as EngineExit, ChildProgram as EngineChild } from '../platform/childProgram.ts';

export type EngineFailure = (typeof engineFailures)[number];
export type EngineReady = Extract<EngineOutbound, { type: 'ready' }>;
type EngineAnswer = Extract<EngineOutbound, { type: 'ready' | 'failed' }>;

/** Why the app could not start; a host turns `failure` into its exit code. The message is for a person. */
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
  /** What the engine seals with, asked for at each start of it. */
  dataKeys: () => DataKeys;
  clock: Clock;
  logger: Logger;
  /** What a person must be told from before its start. */
  notices?: readonly string[];
  /** How long a start may take until it counts as failed. */
  readyLimitMs?: number;
  /** How long a stop may take until the engine is killed. */
  stopLimitMs?: number;
}

export interface EngineProcess {
  readonly status: EngineStatus;
  /** Calls the listener at each change of status; answers how to stop that. */
  onStatus(listener: (status: EngineStatus) => void): () => void;
  /** Somebody looks at whether it answers: it is asked for a sign of life from now on, until the answer is called. */
  watchLife(): () => void;
  /** The first start. Rejects with EngineStartError and does not try again. */
  start(): Promise<EngineReady>;
  /** Starts it again now, ending the running one first. */
  restart(): Promise<EngineStatus>;
  stop(): Promise<void>;
  /** Ends it at once and for good, without waiting. */
  kill(): void;
}

/** Signals that only come from outside; a crash of its own ends with SIGSEGV, SIGABRT and the like, or with an exit code. */
const OUTSIDE_SIGNALS: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/** Reading what can be read of damaged data takes as long as it is large. */
const RECOVERY_LIMIT_MS = 10 * 60_000;

interface Run {
  child: ChildProgram;
  ready: boolean;
  exited: Promise<ChildExit>;
  /** Set when its end is wanted, so that it is not counted as a death. */
  ending: boolean;
  /** What it said about its end, if it said anything. */
  lastWord: string | null;
  /** How often it was asked for a sign of life since it gave one. */
  unanswered: number;
}

export function createEngineProcess(options: EngineProcessOptions): EngineProcess {
  const { clock, logger, readyLimitMs = 30_000, stopLimitMs = limits.stop.engineMs } = options;
  const listeners = new Set<(status: EngineStatus) => void>();
  let status: EngineStatus = {
    state: 'stopped',
    answers: true,
    address: null,
    restarts: 0,
    nextTryAt: null,
    reason: null,
    notices: [...(options.notices ?? [])],
  };
  let run: Run | null = null;
  let deaths: Death[] = [];
  let cancelRetry: Cancel = () => undefined;
  let cancelAsking: Cancel = () => undefined;
  /** How many look at whether it answers. */
  let lifeWatchers = 0;
  let stopping = false;
  /** Grows whenever a run is ended on purpose, so that an attempt that was under way does not count as a death. */
  let generation = 0;
  /** The port it got first: clients that know the address must find it there again. */
  let port = options.start.port;

  const change = (next: Partial<EngineStatus>): void => {
    status = { ...status, ...next };
    for (const listener of listeners) listener(status);
  };

  /** One attempt: fork, hand over the start message, wait for the answer. The child is gone when this rejects. */
  async function launch(): Promise<EngineReady> {
    const child = options.fork();
    const exited = new Promise<ChildExit>((resolve) => child.onExit(resolve));
    const mine: Run = { child, ready: false, exited, ending: false, lastWord: null, unanswered: 0 };
    run = mine;
    let cancelLimit: Cancel = () => undefined;
    try {
      const answer = await new Promise<EngineAnswer>((resolve, reject) => {
        const limitTo = (limitMs: number): void => {
          cancelLimit();
          cancelLimit = clock.after(limitMs, () =>
            reject(new EngineStartError('failed', `The engine was not ready after ${limitMs / 1000} s.`)),
          );
        };
        limitTo(readyLimitMs);
        child.onMessage((message) => {
          const parsed = engineOutboundSchema.safeParse(message);
          if (parsed.success) {
            const { data } = parsed;
            if (data.type === 'recovering') {
              logger.warn({ reason: data.message }, 'the engine recovers its data');
              limitTo(RECOVERY_LIMIT_MS);
            } else if (data.type === 'ending') mine.lastWord = data.message;
            else if (data.type === 'pong') lives(mine);
            else if (data.type === 'leaving') logger.warn({ message: data.message }, 'Pods run on');
            else resolve(data);
          } else logger.warn({ issues: parsed.error.issues }, 'the engine sent a message that is not understood');
        });
        void exited.then((exit) =>
          reject(new EngineStartError('failed', `The engine ended while it started (${exitText(exit)}).`)),
        );
        child.send({ ...options.start, ...options.dataKeys(), port });
      });
      if (answer.type === 'failed') throw new EngineStartError(answer.failure, answer.message);
      mine.ready = true;
      port = answer.port;
      logger.info({ enginePid: answer.pid, address: answer.address }, 'engine ready');
      for (const notice of answer.notices) logger.warn({ notice }, 'the engine has something to tell');
      const notices = [...status.notices, ...answer.notices];
      change({ state: 'ready', answers: true, address: answer.address, nextTryAt: null, reason: null, notices });
      if (lifeWatchers > 0) askForLife(mine);
      void exited.then((exit) => {
        if (run === mine || run === null) cancelAsking();
        if (!mine.ending) died(exit, `${exitCause(exit)}${mine.lastWord === null ? '' : ` ${mine.lastWord}`}`);
      });
      return answer;
    } catch (failure) {
      mine.ending = true;
      child.kill('SIGKILL');
      await exited;
      throw failure;
    } finally {
      cancelLimit();
    }
  }

  /** Now, and from time to time as long as it runs and somebody looks: a process that stands still is there, and serves nobody. */
  function askForLife(mine: Run): void {
    const { askMs, unanswered } = limits.engineLife;
    if (run !== mine || mine.ending) return;
    if (mine.unanswered >= unanswered && status.answers) {
      logger.warn({ pid: mine.child.pid }, 'the engine does not answer');
      change({ answers: false });
    }
    mine.unanswered += 1;
    try {
      mine.child.send({ type: 'ping' });
    } catch {
      // Its channel is closed: it is ending.
      return;
    }
    cancelAsking = clock.after(askMs, () => askForLife(mine));
  }

  function lives(mine: Run): void {
    mine.unanswered = 0;
    if (run === mine && !status.answers) {
      logger.info({ pid: mine.child.pid }, 'the engine answers again');
      change({ answers: true });
    }
  }

  function died(exit: ChildExit | null, reason: string): void {
    if (stopping) return;
    run = null;
    const now = clock.now();
    deaths.push({ at: now, crashed: exit === null || !OUTSIDE_SIGNALS.has(exit.signal ?? '') });
    deaths = deaths.slice(-100);
    const decision = decideRestart(deaths, now);
    if ('giveUp' in decision) {
      logger.error({ reason }, 'the engine keeps dying; not starting it again');
      const advice = 'Restart it by hand; the log says more.';
      change({ state: 'failed', nextTryAt: null, reason: `${decision.giveUp} ${reason} ${advice}` });
      return;
    }
    logger.warn({ reason, delayMs: decision.delayMs }, 'the engine died; starting it again');
    change({ state: 'restarting', nextTryAt: now + decision.delayMs, reason });
    cancelRetry = clock.after(decision.delayMs, () => void again());
  }

  async function again(): Promise<void> {
    cancelRetry();
    const mine = generation;
    change({ state: 'restarting', nextTryAt: null, restarts: status.restarts + 1 });
    try {
      await launch();
    } catch (failure) {
      if (mine === generation) died(null, failure instanceof Error ? failure.message : String(failure));
    }
  }

  async function end(): Promise<void> {
    cancelRetry();
    generation += 1;
    const ended = run;
    if (ended === null) return;
    ended.ending = true;
    cancelAsking();
    try {
      ended.child.send({ type: 'stop' });
    } catch {
      // Its channel is closed: it is ending already, and the limit below covers the rest.
    }
    const cancelKill = clock.after(stopLimitMs, () => {
      logger.warn({ stopLimitMs }, 'the engine did not stop in time; killing it');
      ended.child.kill('SIGKILL');
    });
    await ended.exited;
    cancelKill();
    if (run === ended) run = null;
  }

  return {
    get status() {
      return status;
    },
    onStatus(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watchLife() {
      if (lifeWatchers++ === 0 && run?.ready) askForLife(run);
      let watching = true;
      return () => {
        if (watching && --lifeWatchers === 0) cancelAsking();
        watching = false;
      };
    },
    async start() {
      change({ state: 'starting', reason: null });
      try {
        return await launch();
      } catch (failure) {
        run = null;
        change({ state: 'failed', reason: failure instanceof Error ? failure.message : String(failure) });
        throw failure;
      }
    },
    async restart() {
      if (stopping) throw new AppError('CONFLICT', 'Hangar is stopping; the engine is not started again.');
      if (status.state === 'starting') return status;
      deaths = [];
      await end();
      await again();
      return status;
    },
    async stop() {
      stopping = true;
      await end();
      change({ state: 'stopped', nextTryAt: null, reason: null });
    },
    kill() {
      stopping = true;
      cancelRetry();
      cancelAsking();
      run?.child.kill('SIGKILL');
    },
  };
}

const exitText = (exit: ChildExit): string =>
  exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;

const exitCause = (exit: ChildExit): string => `The engine ended unexpectedly (${exitText(exit)}).`;
