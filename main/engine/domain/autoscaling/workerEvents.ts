/**
 * The events of workers: each change of their state, and their end. The timeline, the logs and the metering observe
 * them.
 */
import type { LaneSpan } from '#contract/local/log.ts';

export interface WorkerChange {
  readonly workerId: string;
  readonly endpointId: string;
  readonly state: LaneSpan['state'];
  /** The current jobs of a running worker, in the order of their start. */
  readonly jobIds: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Why a stopping worker stops, for a person; null otherwise. */
  readonly reason: string | null;
  /** Its program, GPUs and other parameters, for a person; the same in each event. */
  readonly about: readonly string[];
}

export interface WorkerEnd {
  readonly workerId: string;
  readonly endpointId: string;
  readonly at: number;
  /** How it ended, or why it was stopped, for a person. */
  readonly reason: string;
  /** It died, or was stopped because it was unusable. */
  readonly unhealthy: boolean;
}

export interface WorkerWatch {
  /** A state began, or the jobs of a running worker changed. */
  changed(change: WorkerChange): void;
  ended(end: WorkerEnd): void;
}

/** Combines observers: each event goes to all of them, in their order. */
export const watchedByAll = (watches: readonly Partial<WorkerWatch>[]): WorkerWatch => ({
  changed(change) {
    for (const watch of watches) watch.changed?.(change);
  },
  ended(end) {
    for (const watch of watches) watch.ended?.(end);
  },
});
