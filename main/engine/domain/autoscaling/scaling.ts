/** Calculates the number of workers that an endpoint should have. Pure functions. */
import type { Endpoint } from '#contract/api/resources.ts';
import type { Demand } from './demand.ts';

export type ScalingSettings = Pick<Endpoint, 'workersMin' | 'workersMax' | 'scalerType' | 'scalerValue'>;

export interface WorkerTarget {
  readonly workers: number;
  /** The number of workers that stay, however long they are idle. */
  readonly keep: number;
  /** Milliseconds until the wait alone requires more workers; null when it does not. */
  readonly moreInMs: number | null;
}

/**
 * The first work starts the first worker at once. With QUEUE_DELAY, each full `scalerValue` seconds that the oldest
 * work has waited start one more worker, up to the amount of work. With REQUEST_COUNT there is one worker for every
 * `scalerValue` of all work. Work of low priority starts no worker. It only counts while other work waits, and then for
 * at most the number of busy workers. `busy`: workers with work that may get more. workersMax wins over workersMin.
 */
export function targetWorkers(
  { queued, oldestWaitMs, inProgress, lowInProgress }: Demand,
  busy: number,
  { workersMin, workersMax, scalerType, scalerValue }: ScalingSettings,
): WorkerTarget {
  const within = (workers: number): number => Math.min(workersMax, Math.max(workersMin, workers));
  if (scalerType === 'REQUEST_COUNT') {
    const takenUp = queued === 0 ? 0 : Math.min(busy, Math.ceil(lowInProgress / scalerValue));
    const workers = within(Math.ceil((queued + inProgress) / scalerValue) + takenUp);
    return { workers, keep: workers, moreInMs: null };
  }
  const keep = Math.min(workersMin, workersMax);
  if (queued === 0) return { workers: within(busy), keep, moreInMs: null };
  const delayMs = scalerValue * 1000;
  const workFor = busy + queued;
  const waited = Math.floor(oldestWaitMs / delayMs);
  const workers = within(Math.min(workFor, Math.max(1, busy) + waited));
  const canRise = workers < Math.min(workersMax, workFor);
  return { workers, keep, moreInMs: canRise ? (waited + 1) * delayMs - oldestWaitMs : null };
}

/**
 * The delay before a worker that keeps dying starts again, milliseconds, by the number of failures in a row, from 0.
 */
const backOffMs = [0, 1000, 2000, 5000, 15_000];
const LONGEST_BACK_OFF_MS = 30_000;

export function startDelayMs(failuresInARow: number): number {
  return backOffMs[failuresInARow] ?? LONGEST_BACK_OFF_MS;
}
