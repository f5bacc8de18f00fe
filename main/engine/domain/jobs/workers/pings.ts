/**
 * What a worker's pings tell of its jobs: one that it never got, or has dropped, is not waited for until its time is
 * up.
 */
import type { Job } from '../jobRecord.ts';
import type { Clock } from '../../core/ports.ts';
import { PINGS_APART_MS, type Worker, type WorkerRegistry } from './registry.ts';

export interface Ping {
  /** The ids of the jobs that the worker says it has. */
  jobIds: ReadonlySet<string>;
  /** Whether the worker names all its jobs in pings. A worker that has ever named a job is taken to do so. */
  namesAll: boolean;
}

export interface PingsOptions {
  clock: Clock;
  workers: WorkerRegistry;
  get(jobId: string): Job | undefined;
  /** The worker never got the job. */
  onNeverGot(job: Job): void;
  /** The worker had the job, has it no longer, and brought no result. */
  onDropped(job: Job): void;
}

/**
 * Two pings without a job, one well after it was handed out and one well after that, say that the worker does not have
 * it. And a job that a worker names though it is no longer its own is one that it should stop.
 */
export function createPings({ clock, workers, get, onNeverGot, onDropped }: PingsOptions) {
  const naming = new WeakSet<Worker>();
  const namedBy = new WeakMap<Job, Worker>();
  /** When each job of a worker was first missing from its pings. */
  const missing = new WeakMap<Worker, Map<Job, number>>();

  /**
   * Notes which jobs the worker has stopped as asked. A ping soon after the request does not count: it may be older
   * than the job.
   */
  function confirmStops(worker: Worker, jobIds: ReadonlySet<string>): void {
    const latest = clock.elapsed() - PINGS_APART_MS;
    for (const [jobId, { since }] of worker.stopping) {
      if (!jobIds.has(jobId) && since <= latest) workers.ackStop(worker, jobId);
    }
  }

  function stopWhatIsNotIts(worker: Worker, jobIds: ReadonlySet<string>): void {
    for (const jobId of jobIds) {
      const job = get(jobId);
      const its = job?.workerId === worker.id;
      // Its own result may just have crossed the ping.
      if (job && its && job.status !== 'CANCELLED' && job.status !== 'TIMED_OUT') continue;
      if (job && job.endpointId !== worker.endpointId) continue;
      workers.requestStop(worker, jobId);
    }
  }

  function lookForMissing(worker: Worker, jobIds: ReadonlySet<string>): void {
    const now = clock.elapsed();
    const before = missing.get(worker);
    const stillMissing = new Map<Job, number>();
    for (const job of [...worker.jobs]) {
      if (jobIds.has(job.id)) namedBy.set(job, worker);
      else if (!worker.posting.has(job.id) && job.pendingWrites === 0) {
        const since = before?.get(job) ?? now;
        if (since - job.startedElapsed < PINGS_APART_MS) continue;
        if (now - since < PINGS_APART_MS) stillMissing.set(job, since);
        else if (namedBy.get(job) === worker || job.chunks || job.output !== null) onDropped(job);
        else onNeverGot(job);
      }
    }
    missing.set(worker, stillMissing);
  }

  return (worker: Worker, { jobIds, namesAll }: Ping): void => {
    confirmStops(worker, jobIds);
    // The end of a process of ours is seen, and it asks anew when it has nothing.
    if (worker.own) return;
    if (namesAll || jobIds.size > 0) naming.add(worker);
    stopWhatIsNotIts(worker, jobIds);
    if (naming.has(worker)) lookForMissing(worker, jobIds);
  };
}
