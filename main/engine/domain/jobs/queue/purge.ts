/** Purging a queue: the jobs that wait are cancelled, the ones that run go on. */
import type { CommitCallback } from '../../core/commits.ts';
import type { JobCompletion } from '../completion.ts';
import type { Job } from '../jobRecord.ts';
import type { JobRegistry } from '../jobRegistry.ts';
import type { JobStore } from '../ports.ts';

/** Jobs that one commit cancels: a purge of a million jobs must not delay other requests. */
const JOBS_PER_COMMIT = 500;

/**
 * Cancels the jobs that waited in the queue of the endpoint at the time of the call. `settled` gets the number of
 * cancelled jobs once all of them are stored, or the error of the first commit that failed; nothing is cancelled after
 * that.
 */
export type Purge = (endpointId: string, settled: (error: unknown, removed: number) => void) => void;

export function createPurge(
  registry: Pick<JobRegistry, 'queueOf'>,
  store: Pick<JobStore, 'nextSeq'>,
  completion: Pick<JobCompletion, 'cancelWaiting'>,
): Purge {
  return (endpointId, settled) => {
    const queue = registry.queueOf(endpointId);
    // No job has this number: jobs that are submitted from now on have greater ones. Jobs that come back are kept
    // apart.
    const border = store.nextSeq();
    const returned = [...queue.beginPurge(), ...queue.quarantined()];
    let removed = 0;
    const cancelNext: CommitCallback = (error) => {
      const jobs: Job[] = [];
      while (error === null && jobs.length < JOBS_PER_COMMIT) {
        const job = returned.pop() ?? queue.shiftNew(border);
        if (job === undefined) break;
        if (job.status === 'IN_QUEUE' && !job.removed) jobs.push(job);
      }
      removed += jobs.length;
      if (jobs.length > 0) {
        completion.cancelWaiting(jobs, cancelNext);
        return;
      }
      queue.endPurge();
      settled(error, removed);
    };
    cancelNext(null);
  };
}
