/**
 * The reconciler's state of one Pod besides its record: its container, the running step and the results of its last
 * tries.
 */
import type { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { podHistoryLimits } from '#contract/local/podEvent.ts';
import type { Cancel } from '../core/ports.ts';
import type { PodContainer } from './podInterfaces.ts';

/** The state of a Pod besides its record. */
export interface PodLife {
  readonly container: PodContainer | null;
  /** The step that prepares the Pod, for a person; null otherwise. */
  readonly preparing: string | null;
  /** Why the Pod differs from its record, or differed until just now. */
  readonly problem: string | null;
  /** Whether its container ends again and again. */
  readonly isCrashLoop: boolean;
  /** When its container is started next, in milliseconds since the epoch; null if no start is planned. */
  readonly nextStartAt: number | null;
}

export interface Life {
  container: PodContainer | null;
  preparing: string | null;
  problem: string | null;
  /** The unexpected ends of its container since it last ran for a while. */
  ended: { times: number; reason: string; at: number } | null;
  anew: boolean;
  restart: boolean;
  stepRequested: boolean;
  waiting: ((error: AppError | null) => void)[];
  starting: AbortController | null;
  loop: Promise<void> | null;
  /** Counts steps: a poll that began before the last step does not know the result of that step. */
  steps: number;
  failures: number;
  /** How many times in a row the container engine went away soon after the container had started. */
  engineEnds: number;
  /** The timer of the next automatic step, and its time in milliseconds since the epoch. */
  again: { cancel: Cancel; at: number } | null;
  /** A poll skipped this Pod, because a step was running. */
  overlooked: boolean;
}

/** The state of a Pod before its first poll. */
export const createLife = (): Life => ({
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
  engineEnds: 0,
  again: null,
  overlooked: false,
});

/** Whether the container has run long enough to forget its earlier ends. `now`: milliseconds since the epoch. */
export const isCalm = ({ startedAt }: PodContainer, now: number): boolean =>
  now - (startedAt ?? now) >= limits.pod.again.calmMs;

/** How a container ended that the container engine took along each time. */
const WITH_ENGINE = ' with the container engine, soon after its start,';

/** As often may the container engine go away soon after a start of a Pod, before the Pod counts as a possible cause. */
const ENGINE_ENDS_IGNORED = 2;

/** The container engine went away. `now`: milliseconds since the epoch. */
export function loseEngine(life: Life, now: number): void {
  if (life.container?.running === true) life.engineEnds = isCalm(life.container, now) ? 0 : life.engineEnds + 1;
  life.container = null;
}

/**
 * The container engine is back, and the container does not run. Returns whether its next start is delayed: each of its
 * last starts may have ended the container engine. `now`: milliseconds since the epoch.
 */
export function beginAfterEngine(life: Life, now: number): boolean {
  life.again?.cancel();
  Object.assign(life, { again: null, failures: 0 });
  if (life.engineEnds <= ENGINE_ENDS_IGNORED) return false;
  life.ended = { times: life.engineEnds, reason: WITH_ENGINE, at: now };
  Object.assign(life, { failures: life.engineEnds, problem: null });
  return true;
}

const moment = (at: number): string => new Date(at).toISOString();

/**
 * The state for a person, with a sentence about unexpected ends of the container. `now`: milliseconds since the epoch.
 */
export function viewOfLife({ container, preparing, problem, ended, again }: Life, now: number): PodLife {
  const runs = container?.running === true;
  const isOver = !ended || (runs && isCalm(container, now));
  const isCrashLoop = !isOver && ended.times >= podHistoryLimits.crashLoopEnds;
  const view = { container, preparing, isCrashLoop, nextStartAt: again?.at ?? null };
  // A container that runs after its first ends is no problem: its restarts are counted.
  if (problem !== null || isOver || (runs && !isCrashLoop)) return { ...view, problem };
  const times = ended.times === 1 ? '' : ` (${ended.times} times so far)`;
  const next = runs
    ? 'It was started again.'
    : `It restarts ${again ? `automatically at ${moment(again.at)}` : 'now'}.`;
  const advice =
    ended.reason === WITH_ENGINE
      ? 'Look at the log of the container engine: the Pod may be what makes it end.'
      : 'Stop the Pod if that is what it was meant to do, or change its command.';
  const message = `Its container ended${ended.reason} at ${moment(ended.at)}${times}. ${next} ${advice}`;
  return { ...view, problem: message };
}

/** When a Pod without a running container is started next; null if no start is planned. */
export const nextStartOf = ({ container, nextStartAt }: PodLife): string | null =>
  container?.running === true || nextStartAt === null ? null : moment(nextStartAt);
