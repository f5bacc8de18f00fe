/**
 * Makes the containers of Pods match their records, one step at a time for each Pod, and restarts containers that end
 * unexpectedly.
 */
import { toAppError, type AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { howEnded } from './history/exitWords.ts';
import { beginAfterEngine, createLife, isCalm, loseEngine, viewOfLife, type Life, type PodLife } from './life.ts';
import { isPull, type PodContainer, type PodDriver, type PodPlan, type PodRecord } from './podInterfaces.ts';
import type { DesiredStatus } from './state.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';

export interface PodLivesOptions {
  clock: Clock;
  logger: Logger;
  driver: PodDriver;
  find(podId: string): PodRecord | undefined;
  all(): PodRecord[];
  /** Throws AppError where a part of the plan is missing. */
  planOf(pod: PodRecord): PodPlan;
  /** Called when a container runs; it may have started before this engine did. */
  runs(podId: string, container: PodContainer): void;
  /** Called when a container has stopped: it uses no resources of the machine. */
  rests(podId: string): void;
  /** Called after the image of a Pod was pulled, with the duration in milliseconds. */
  pulled(pod: PodRecord, ms: number): void;
  /** Called when a container has ended by itself. */
  ended(podId: string, container: PodContainer): void;
  /** Called when a step has failed; `reason` is a sentence for a person. */
  failed(podId: string, reason: string): void;
  /** Called when the state of a container may have changed. */
  changed(podId: string): void;
  /** Called when a deleted Pod's container is gone. */
  deleted(podId: string): Promise<void>;
}

export interface PodLives {
  of(podId: string): PodLife;
  /**
   * Call this after a change of the record. `anew` recreates the container; `restart` stops and starts it. Aborts a
   * running preparation. Resolves after one step, with its error or null.
   */
  drive(podId: string, mode?: 'anew' | 'restart'): Promise<AppError | null>;
  /** Forgets a Pod without a record. */
  drop(podId: string): void;
  /** Adopts the existing containers and makes them match the records from now on. */
  begin(): Promise<void>;
  /** Aborts preparations; containers run on. */
  stop(): Promise<void>;
}

const { again: AGAIN, stopGraceMs } = limits.pod;

const RESETTING = 'Resetting: the old container is being stopped';

/**
 * Creates the steps that move one Pod towards its record. `ended`: called for a container that ended before a poll saw
 * it run.
 */
function createSteps(
  { clock, driver, find, planOf, runs, rests, pulled, changed, deleted }: PodLivesOptions,
  isClosed: () => boolean,
  ended: (podId: string, life: Life, container: PodContainer) => void,
): Record<DesiredStatus, (pod: PodRecord, life: Life) => Promise<void>> {
  /** Removes the container, so that a new one can be created. */
  async function removeOld(podId: string, life: Life): Promise<void> {
    // The container serves until it ends, which may take the whole grace period.
    life.preparing = life.container?.running === true ? RESETTING : 'Removing its container';
    await driver.stop(podId, stopGraceMs);
    await driver.remove(podId);
    life.container = null;
    life.anew = false;
  }

  return {
    async RUNNING(pod, life) {
      const starting = new AbortController();
      life.starting = starting;
      try {
        const plan = planOf(pod);
        if (life.anew) await removeOld(pod.id, life);
        starting.signal.throwIfAborted();
        const isRestart = life.restart && life.container?.running === true;
        life.restart = false;
        if (isRestart) {
          life.preparing = 'Restarting';
          life.container = await driver.restart(pod.id, stopGraceMs);
        } else {
          let pullingSince: number | null = null;
          const report = (text: string | null): void => {
            if (text !== null && isPull(text)) pullingSince ??= clock.now();
            else if (pullingSince !== null) {
              // A pull that fails reports no further step.
              if (text !== null) pulled(pod, clock.now() - pullingSince);
              pullingSince = null;
            }
            life.preparing = text;
            changed(pod.id);
          };
          life.container = await driver.start(plan, report, starting.signal);
        }
        life.problem = null;
        if (isClosed() || find(pod.id)?.desiredStatus !== 'RUNNING') return;
        runs(pod.id, life.container);
        if (!life.container.running) ended(pod.id, life, life.container);
      } finally {
        life.starting = null;
      }
    },

    async EXITED({ id }, life) {
      life.preparing = 'Stopping';
      await driver.stop(id, stopGraceMs);
      if (life.anew) await driver.remove(id);
      life.container = life.anew || !life.container ? null : { ...life.container, running: false };
      Object.assign(life, { anew: false, restart: false, problem: null, ended: null });
      if (!isClosed() && find(id)?.desiredStatus === 'EXITED') rests(id);
    },

    async TERMINATED({ id }, life) {
      life.preparing = 'Deleting its container';
      await driver.stop(id, stopGraceMs);
      await driver.remove(id);
      life.container = null;
      life.problem = null;
      if (!isClosed()) await deleted(id);
    },
  };
}

interface PodPoller {
  /** Polls now, or once more after the running poll. Resolves when no poll runs. */
  pollSoon(): Promise<void>;
  /** The container engine came or went: the containers that ended in between did not end by themselves. */
  noteEngineChange(): void;
  /** Settles once no poll runs. */
  settled(): Promise<void>;
}

interface PollerOptions extends PodLivesOptions {
  isClosed(): boolean;
  lives: ReadonlyMap<string, Life>;
  lifeOf(podId: string): Life;
  push(podId: string, life: Life): unknown;
  tryLater(podId: string, life: Life): void;
  noteEnd(podId: string, life: Life, container: PodContainer): void;
}

/** Compares the existing containers with the records, one poll at a time. */
function createPoller(options: PollerOptions): PodPoller {
  const { clock, logger, driver, find, isClosed, lives, lifeOf, push, tryLater, noteEnd } = options;
  let polling: Promise<void> | null = null;
  let pollAgain = false;
  let engineMoved = false;

  function apply(pod: PodRecord, life: Life, container: PodContainer | undefined, engineBack: boolean): void {
    const before = life.container;
    life.container = container ?? null;
    if (pod.desiredStatus === 'TERMINATED') {
      // It is still listed. Several such Pods would otherwise make each other's steps, and polls, without an end.
      if (container !== undefined || pod.containerGone !== true) push(pod.id, life);
    } else if (pod.desiredStatus !== 'RUNNING') {
      if (container?.running === true) push(pod.id, life);
    } else if (container?.running === true) {
      if (engineBack) life.engineEnds = 0;
      options.runs(pod.id, container);
    } else if (engineBack) {
      if (beginAfterEngine(life, clock.now())) tryLater(pod.id, life);
      else push(pod.id, life);
    } else if (before?.running === true) {
      noteEnd(pod.id, life, container ?? before);
    } else if (!life.again) {
      push(pod.id, life);
    }
  }

  /** The state of the containers is unknown. The driver reports when that changes. */
  function applyFailure(error: unknown, moves: (podId: string, life: Life) => boolean): void {
    for (const { id, desiredStatus } of options.all()) {
      const life = lifeOf(id);
      if (isClosed() || desiredStatus !== 'RUNNING' || moves(id, life)) continue;
      loseEngine(life, clock.now());
      life.problem = toAppError(error).message;
      options.changed(id);
      tryLater(id, life);
    }
  }

  async function stopUnknown(listed: readonly PodContainer[]): Promise<void> {
    for (const { podId, running } of listed) {
      if (find(podId) || !running) continue;
      // The record of this Pod is lost: its container must not use the machine, but its data stays for the person.
      logger.error({ podId }, 'the container of a Pod without a record is stopped and kept');
      await driver
        .stop(podId, stopGraceMs)
        .catch((err: unknown) =>
          logger.warn({ podId, err }, 'the container of a Pod without a record could not be stopped'),
        );
    }
  }

  async function poll(): Promise<void> {
    const stepsBefore = new Map([...lives].map(([podId, { steps }]) => [podId, steps]));
    const moves = (podId: string, life: Life): boolean =>
      life.loop !== null || (stepsBefore.has(podId) && stepsBefore.get(podId) !== life.steps);
    const engineBack = engineMoved;
    engineMoved = false;
    let listed: PodContainer[];
    try {
      listed = await driver.list();
    } catch (error) {
      engineMoved = engineBack;
      applyFailure(error, moves);
      return;
    }
    if (isClosed()) return;
    for (const pod of options.all()) {
      const life = lifeOf(pod.id);
      if (moves(pod.id, life)) {
        // The list may be older than the step, or contain an end right after it.
        if (life.loop) life.overlooked = true;
        else pollAgain = true;
        continue;
      }
      try {
        const container = listed.find(({ podId }) => podId === pod.id);
        apply(pod, life, container, engineBack);
        options.changed(pod.id);
      } catch (err) {
        // The record could not be saved.
        logger.warn({ podId: pod.id, err }, 'the record of a Pod could not be stored; the next poll tries again');
        tryLater(pod.id, life);
      }
    }
    await stopUnknown(listed);
  }

  async function pollAll(): Promise<void> {
    while (pollAgain && !isClosed()) {
      pollAgain = false;
      await poll();
    }
  }

  return {
    pollSoon() {
      pollAgain = true;
      polling ??= pollAll().finally(() => (polling = null));
      return polling;
    },
    noteEngineChange: () => void (engineMoved = true),
    settled: () => polling ?? Promise.resolve(),
  };
}

export function createPodLives(options: PodLivesOptions): PodLives {
  const { clock, logger, driver, find } = options;
  const lives = new Map<string, Life>();
  let unlisten: Cancel = () => undefined;
  let closed = false;
  const isClosed = (): boolean => closed;
  const steps = createSteps(options, isClosed, noteEnd);
  const poller = createPoller({ ...options, isClosed, lives, lifeOf, push, tryLater, noteEnd });

  function lifeOf(podId: string): Life {
    const existing = lives.get(podId);
    if (existing) return existing;
    const life = createLife();
    lives.set(podId, life);
    return life;
  }

  function noteEnd(podId: string, life: Life, container: PodContainer): void {
    if (isCalm(container, clock.now())) Object.assign(life, { failures: 0, ended: null });
    life.ended = { times: (life.ended?.times ?? 0) + 1, reason: howEnded(container), at: clock.now() };
    logger.warn({ podId, how: life.ended.reason }, 'the container of a Pod ended');
    tryLater(podId, life);
    options.ended(podId, container);
  }

  function tryLater(podId: string, life: Life): void {
    if (closed || life.again) return;
    const ms = Math.min(AGAIN.firstMs * 2 ** life.failures++, AGAIN.mostMs);
    const cancel = clock.after(ms, () => {
      life.again = null;
      void push(podId, life);
    });
    life.again = { cancel, at: clock.now() + ms };
  }

  /** Takes one step towards the record. Returns its error; null on success or when the step was aborted. */
  async function step(podId: string, life: Life): Promise<AppError | null> {
    const pod = find(podId);
    if (!pod || closed) return null;
    try {
      await steps[pod.desiredStatus](pod, life);
      return null;
    } catch (thrown) {
      // The record has changed during the step, or the engine stops.
      if (life.stepRequested || closed) return null;
      const error = toAppError(thrown);
      life.problem = error.message;
      options.failed(podId, error.message);
      logger.warn({ podId, err: thrown }, 'a step of a Pod failed; it is tried again');
      // The container may have ended during the step.
      if (life.container) life.container = { ...life.container, running: false };
      tryLater(podId, life);
      return error;
    } finally {
      life.preparing = null;
      life.steps++;
      options.changed(podId);
    }
  }

  async function run(podId: string, life: Life): Promise<void> {
    while (life.stepRequested && !closed) {
      life.stepRequested = false;
      const { waiting } = life;
      life.waiting = [];
      const error = await step(podId, life);
      for (const done of waiting) done(error);
    }
    for (const done of life.waiting) done(null);
    life.waiting = [];
    life.loop = null;
    if (!life.overlooked || closed) return;
    life.overlooked = false;
    void poller.pollSoon();
  }

  function push(podId: string, life: Life): Promise<AppError | null> {
    if (closed) return Promise.resolve(null);
    life.stepRequested = true;
    const result = new Promise<AppError | null>((resolve) => life.waiting.push(resolve));
    life.loop ??= run(podId, life);
    return result;
  }

  return {
    of: (podId) => viewOfLife(lifeOf(podId), clock.now()),
    drive(podId, mode) {
      const life = lifeOf(podId);
      if (mode === 'anew') life.anew = true;
      if (mode === 'restart') life.restart = true;
      life.again?.cancel();
      Object.assign(life, { again: null, failures: 0, engineEnds: 0, ended: null, problem: null });
      life.starting?.abort();
      return push(podId, life);
    },
    drop(podId) {
      lives.get(podId)?.again?.cancel();
      lives.delete(podId);
    },
    begin() {
      unlisten = driver.onChange((podId) => {
        if (podId === null) poller.noteEngineChange();
        void poller.pollSoon();
      });
      return poller.pollSoon();
    },
    async stop() {
      closed = true;
      unlisten();
      const busy = [...lives.values()].flatMap(({ starting, loop }) => (starting && loop ? [loop] : []));
      for (const life of lives.values()) {
        life.again?.cancel();
        life.starting?.abort();
      }
      await Promise.all(busy);
      await poller.settled();
    },
  };
}
