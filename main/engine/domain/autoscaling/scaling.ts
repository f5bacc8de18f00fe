/** How many workers an endpoint should have: pure functions of what waits and what is there. */
import type { Endpoint } from '#contract/api/resources.ts';
import type { Demand } from './demand.ts';

export type ScalingSettings = Pick<Endpoint, 'workersMin' | 'workersMax' | 'scalerType' | 'scalerValue'>;

export interface WorkerTarget {
  readonly workers: number;
  /** How many stay however long they have been idle. */
  readonly keep: number;
  /** How long until waiting alone calls for more, milliseconds; null when it does not. */
  readonly moreInMs: number | null;
}

/**
 * The first work calls for the first worker at once. By QUEUE_DELAY, more come once the oldest has waited `scalerValue` seconds,
 * one for each time it has waited so long, and never more than there is work for. By REQUEST_COUNT there is one for every
 * `scalerValue` of all work. Work of low priority calls for nobody: it counts only beside other work that waits, and then for
 * no more workers than are at work. `busy`: workers that have work and may be given more. workersMax wins over workersMin.
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

/** Waits before a worker that keeps dying is started again, milliseconds; the last one repeats. */
const backOffMs = [0, 1000, 2000, 5000, 15_000, 30_000];

export function startDelayMs(failuresInARow: number): number {
  return backOffMs[Math.min(failuresInARow, backOffMs.length - 1)]!;
}
