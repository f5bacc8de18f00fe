/** The workers that wait for a job of one endpoint, the longest waiting first. */
import type { Job } from '../jobRecord.ts';

/** A worker's parked job-take. */
export interface ParkedWorker {
  readonly workerId: string;
  readonly max: number;
  /** Hands over the jobs, or none when the time is up. */
  deliver(jobs: Job[]): void;
}

export interface ParkedWorkers {
  park(taker: ParkedWorker): void;
  unpark(taker: ParkedWorker): void;
  /** Takes out the worker that has waited longest. */
  nextParkedWorker(): ParkedWorker | undefined;
  parkedWorkers(): Iterable<ParkedWorker>;
  /** The number of job-takes that are parked; a worker may have several. */
  parked(): number;
}

export function createParkedWorkers(): ParkedWorkers {
  const takers = new Set<ParkedWorker>();
  return {
    park(taker) {
      takers.add(taker);
    },
    unpark(taker) {
      takers.delete(taker);
    },
    nextParkedWorker() {
      for (const taker of takers) {
        takers.delete(taker);
        return taker;
      }
      return undefined;
    },
    parkedWorkers: () => takers,
    parked: () => takers.size,
  };
}
