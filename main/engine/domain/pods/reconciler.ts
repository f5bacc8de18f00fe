/** Makes the containers of Pods be what their records say, one step after the other for each, and starts again what ended by itself. */
import { toAppError, type AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { PodContainer, PodDriver, PodPlan, PodRecord } from './podInterfaces.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';

/** The state of a Pod besides its record. */
export interface PodLife {
  readonly container: PodContainer | null;
  /** The step before it runs, for a person; null otherwise. */
  readonly preparing: string | null;
  /** Why it is not what its record says, or was not until just now. */
  readonly problem: string | null;
}

export interface PodLivesOptions {
  clock: Clock;
  logger: Logger;
  driver: PodDriver;
  find(podId: string): PodRecord | undefined;
  all(): PodRecord[];
  /** Throws AppError where what it is made of cannot be had. */
  planOf(pod: PodRecord): PodPlan;
  /** Its container runs, now or since before this engine did. */
  runs(podId: string, container: PodContainer): void;
  /** Its container has stopped: nothing of the machine is used any more. */
  rests(podId: string): void;
  /** The state of its container may have changed. */
  changed(podId: string): void;
  /** The Pod was deleted, and its container is gone. */
  deleted(podId: string): Promise<void>;
}

export interface PodLives {
  of(podId: string): PodLife;
  /**
   * The record has changed. The mode `anew` makes its container again; `restart` stops and starts it. The preparation under way
   * is aborted. Settles once a step has been taken, with its error or null.
   */
  drive(podId: string, mode?: 'anew' | 'restart'): Promise<AppError | null>;
  /** Its record is gone. */
  drop(podId: string): void;
  /** Finds the containers there are, and makes them what the records say, from now on. */
  begin(): Promise<void>;
  /** Aborts preparations; containers run on. */
  stop(): Promise<void>;
}

interface Life {
  container: PodContainer | null;
  preparing: string | null;
  problem: string | null;
  /** How its container has ended by itself, since it last ran for a while. */
  ended: { times: number; reason: string; at: number } | null;
  anew: boolean;
  restart: boolean;
  stepRequested: boolean;
  waiting: ((error: AppError | null) => void)[];
  starting: AbortController | null;
  loop: Promise<void> | null;
  /** Counts steps, so that what was seen during one is not taken for what came of it. */
  steps: number;
  failures: number;
  /** When the next step is taken by itself; wall clock. */
  again: { cancel: Cancel; at: number } | null;
  /** A poll came while a step was under way, and skipped this Pod. */
  overlooked: boolean;
}

const { again: AGAIN, stopGraceMs } = limits.pod;

const RESETTING = 'Resetting: the old container is being stopped';

const howEnded = ({ exitCode, outOfMemory }: PodContainer): string =>
  outOfMemory ? ' because memory ran out' : exitCode === null ? '' : ` with exit code ${exitCode}`;

const moment = (at: number): string => new Date(at).toISOString();

export function createPodLives(options: PodLivesOptions): PodLives {
  const { clock, logger, driver, find, planOf } = options;
  const lives = new Map<string, Life>();
  let unlisten: Cancel = () => undefined;
  let closed = false;
  let polling: Promise<void> | null = null;
  let pollAgain = false;
  /** The container engine came or went: what has ended since has not ended by itself. */
  let engineMoved = false;

  function lifeOf(podId: string): Life {
    const existing = lives.get(podId);
    if (existing) return existing;
    const life: Life = {
      container: null,
      preparing: null,
      problem: null,
      ended: null,
      anew: false,
      restart: false,
      stepRequested: false,
      waiting: [],
      starting: null,
      loop: null,
      steps: 0,
      failures: 0,
      again: null,
      overlooked: false,
    };
    lives.set(podId, life);
    return life;
  }

  function noteEnd(podId: string, life: Life, container: PodContainer): void {
    const ranMs = clock.now() - (container.startedAt ?? clock.now());
    if (ranMs >= AGAIN.calmMs) Object.assign(life, { failures: 0, ended: null });
    life.ended = { times: (life.ended?.times ?? 0) + 1, reason: howEnded(container), at: clock.now() };
    logger.warn({ podId, how: life.ended.reason }, 'the container of a Pod ended');
    tryLater(podId, life);
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

  async function up(podId: string, life: Life, pod: PodRecord): Promise<void> {
    const starting = new AbortController();
    life.starting = starting;
    try {
      const plan = planOf(pod);
      if (life.anew) {
        // It serves on until it has ended, which may take all of its grace.
        life.preparing = life.container?.running === true ? RESETTING : 'Removing its container';
        await driver.stop(podId, stopGraceMs);
        await driver.remove(podId);
        life.container = null;
        life.anew = false;
      }
      starting.signal.throwIfAborted();
      if (life.restart && life.container?.running === true) {
        life.restart = false;
        life.preparing = 'Restarting';
        life.container = await driver.restart(podId, stopGraceMs);
      } else {
        life.restart = false;
        life.container = await driver.start(plan, (text) => (life.preparing = text), starting.signal);
      }
      life.problem = null;
      if (closed || find(podId)?.desiredStatus !== 'RUNNING') return;
      options.runs(podId, life.container);
      // It has ended before anybody could see it run.
      if (!life.container.running) noteEnd(podId, life, life.container);
    } finally {
      life.starting = null;
    }
  }

  async function down(podId: string, life: Life): Promise<void> {
    life.preparing = 'Stopping';
    await driver.stop(podId, stopGraceMs);
    if (life.anew) await driver.remove(podId);
    life.container = life.anew || !life.container ? null : { ...life.container, running: false };
    Object.assign(life, { anew: false, restart: false, problem: null, ended: null });
    if (!closed && find(podId)?.desiredStatus === 'EXITED') options.rests(podId);
  }

  async function remove(podId: string, life: Life): Promise<void> {
    life.preparing = 'Deleting its container';
    await driver.stop(podId, stopGraceMs);
    await driver.remove(podId);
    life.container = null;
    life.problem = null;
    if (!closed) await options.deleted(podId);
  }

  /** One step towards what the record says. Answers what went wrong; null too when it was broken off. */
  async function step(podId: string, life: Life): Promise<AppError | null> {
    const pod = find(podId);
    if (!pod || closed) return null;
    try {
      if (pod.desiredStatus === 'RUNNING') await up(podId, life, pod);
      else if (pod.desiredStatus === 'EXITED') await down(podId, life);
      else await remove(podId, life);
      return null;
    } catch (thrown) {
      // Somebody wants something else by now, or nobody wants anything.
      if (life.stepRequested || closed) return null;
      const error = toAppError(thrown);
      life.problem = error.message;
      logger.warn({ podId, err: thrown }, 'a Pod is not what it is meant to be; it is tried again');
      // The machine may have lost it meanwhile.
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
    void pollSoon();
  }

  function push(podId: string, life: Life): Promise<AppError | null> {
    if (closed) return Promise.resolve(null);
    life.stepRequested = true;
    const result = new Promise<AppError | null>((resolve) => life.waiting.push(resolve));
    life.loop ??= run(podId, life);
    return result;
  }

  function apply(pod: PodRecord, life: Life, container: PodContainer | undefined, engineBack: boolean): void {
    const before = life.container;
    life.container = container ?? null;
    if (pod.desiredStatus !== 'RUNNING') {
      if (pod.desiredStatus === 'TERMINATED' || container?.running === true) void push(pod.id, life);
    } else if (container?.running === true) {
      options.runs(pod.id, container);
    } else if (engineBack) {
      life.again?.cancel();
      Object.assign(life, { again: null, failures: 0 });
      void push(pod.id, life);
    } else if (before?.running === true) {
      noteEnd(pod.id, life, container ?? before);
    } else if (!life.again) {
      void push(pod.id, life);
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
      // Nothing can be said of containers just now; the driver tells when that changes.
      engineMoved = engineBack;
      for (const { id, desiredStatus } of options.all()) {
        const life = lifeOf(id);
        if (closed || desiredStatus !== 'RUNNING' || moves(id, life)) continue;
        life.container = null;
        life.problem = toAppError(error).message;
        options.changed(id);
        tryLater(id, life);
      }
      return;
    }
    if (closed) return;
    for (const pod of options.all()) {
      const life = lifeOf(pod.id);
      if (moves(pod.id, life)) {
        // What was listed may be older than the step, or tell of an end that came right after it.
        if (life.loop) life.overlooked = true;
        else pollAgain = true;
        continue;
      }
      try {
        apply(
          pod,
          life,
          listed.find(({ podId }) => podId === pod.id),
          engineBack,
        );
        options.changed(pod.id);
      } catch (err) {
        // Its record could not be written.
        logger.warn({ podId: pod.id, err }, 'what is known of a Pod could not be kept; it is looked at again');
        tryLater(pod.id, life);
      }
    }
    for (const { podId, running } of listed) {
      if (find(podId) || !running) continue;
      // Its record is lost: it holds nothing of the machine, and what it wrote stays for its person.
      logger.error({ podId }, 'a container of a Pod that is not known any more is stopped, and kept');
      await driver
        .stop(podId, stopGraceMs)
        .catch((err: unknown) => logger.warn({ podId, err }, 'it cannot be stopped'));
    }
  }

  /** One look at a time, and one more for what changed during it. */
  function pollSoon(): Promise<void> {
    pollAgain = true;
    polling ??= (async () => {
      while (pollAgain && !closed) {
        pollAgain = false;
        await poll();
      }
    })().finally(() => (polling = null));
    return polling;
  }

  return {
    of(podId) {
      const { container, preparing, problem, ended, again } = lifeOf(podId);
      const runs = container?.running === true;
      const calm = runs && clock.now() - (container.startedAt ?? clock.now()) >= AGAIN.calmMs;
      if (problem !== null || !ended || calm) return { container, preparing, problem };
      const times = ended.times === 1 ? '' : ` (${ended.times} times so far)`;
      const next = runs
        ? 'It was started again.'
        : `It is started again ${again ? `by itself at ${moment(again.at)}` : 'now'}.`;
      const message = `Its container ended${ended.reason} at ${moment(ended.at)}${times}. ${next} Stop the Pod if that is what it was meant to do, or change its command.`;
      return { container, preparing, problem: message };
    },
    drive(podId, mode) {
      const life = lifeOf(podId);
      if (mode === 'anew') life.anew = true;
      if (mode === 'restart') life.restart = true;
      life.again?.cancel();
      Object.assign(life, { again: null, failures: 0, ended: null, problem: null });
      life.starting?.abort();
      return push(podId, life);
    },
    drop(podId) {
      lives.get(podId)?.again?.cancel();
      lives.delete(podId);
    },
    begin() {
      unlisten = driver.onChange((podId) => {
        if (podId === null) engineMoved = true;
        void pollSoon();
      });
      return pollSoon();
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
      await polling;
    },
  };
}
