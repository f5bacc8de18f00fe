/** How many workers an endpoint should have now. */

export interface ScalingState {
  /** Jobs that wait and may call for workers. */
  queued: number;
  /** Workers that have a job. */
  busy: number;
  workersMin: number;
  workersMax: number;
}

/** A worker for each running and each waiting job, within the endpoint's minimum and maximum; the maximum wins. */
export function wantedWorkers({ queued, busy, workersMin, workersMax }: ScalingState): number {
  return Math.min(workersMax, Math.max(workersMin, busy + queued));
}

/** Waits before a worker that keeps dying is started again, milliseconds; the last one repeats. */
const backOffMs = [0, 1000, 2000, 5000, 15_000, 30_000];

export function startDelayMs(failuresInARow: number): number {
  return backOffMs[Math.min(failuresInARow, backOffMs.length - 1)]!;
}
