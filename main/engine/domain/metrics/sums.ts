/** The sums of an endpoint in one span of time. Sums of several spans add up. */
import { addHistogram, newHistogram, type Histogram } from '#contract/core/histogram.ts';

export interface MetricSums {
  /** Jobs that were submitted. */
  accepted: number;
  /** Jobs that ended, by their end. */
  completed: number;
  failed: number;
  cancelled: number;
  timedOut: number;
  /** The wait in the queue of each ended job that a worker had taken. */
  delay: Histogram;
  /** The run time of each job that its worker ended, or that ran out of time. */
  execution: Histogram;
  /** The time of all workers together, milliseconds. */
  workerMs: number;
  /** The greatest number of workers at the same time. */
  workersMost: number;
  /** US dollars. */
  cost: number;
}

export const newSums = (): MetricSums => ({
  accepted: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  timedOut: 0,
  delay: newHistogram(),
  execution: newHistogram(),
  workerMs: 0,
  workersMost: 0,
  cost: 0,
});

export function addSums(to: MetricSums, other: MetricSums): void {
  to.accepted += other.accepted;
  to.completed += other.completed;
  to.failed += other.failed;
  to.cancelled += other.cancelled;
  to.timedOut += other.timedOut;
  addHistogram(to.delay, other.delay);
  addHistogram(to.execution, other.execution);
  to.workerMs += other.workerMs;
  to.workersMost = Math.max(to.workersMost, other.workersMost);
  to.cost += other.cost;
}
