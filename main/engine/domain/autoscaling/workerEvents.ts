/** Events of workers: each state change, and the end. The timeline, the logs and the metering observe them. */
import type { LaneSpan } from '#contract/local/log.ts';

export interface WorkerChange {
  readonly workerId: string;
  readonly endpointId: string;
  readonly state: LaneSpan['state'];
  /** Of a running one: the jobs it has now, in the order they began. */
  readonly jobIds: readonly string[];
  /** Wall clock. */
  readonly at: number;
  /** Of a stopping one: why, for a person. */
  readonly reason: string | null;
  /** What it runs and what it was given, for a person; the same in each change. */
  readonly about: readonly string[];
}

export interface WorkerEnd {
  readonly workerId: string;
  readonly endpointId: string;
  readonly at: number;
  /** How, or why it was stopped, for a person. */
  readonly reason: string;
  /** It died, or was ended for being of no use. */
  readonly unhealthy: boolean;
}

export interface WorkerWatch {
  /** A state began, or a running worker has other jobs. */
  changed(change: WorkerChange): void;
  ended(end: WorkerEnd): void;
}

/** Tells all of them, in their order. */
export const watchedByAll = (watches: readonly Partial<WorkerWatch>[]): WorkerWatch => ({
  changed(change) {
    for (const watch of watches) watch.changed?.(change);
  },
  ended(end) {
    for (const watch of watches) watch.ended?.(end);
  },
});
