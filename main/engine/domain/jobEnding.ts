/** How jobs end: by their worker's word, cancelled, out of time, or lost with their worker; and how their records go. */
import type { JobStatus } from '#contract/job.ts';
import { limits } from '#contract/limits.ts';
import type { DeadlineKind } from './deadlines.ts';
import type { Job } from './job.ts';
import type { HandOff } from './jobHandOff.ts';
import type { JobTable } from './jobTable.ts';
import type { Clock, JobStore, Settled } from './ports.ts';
import type { Workers } from './workers.ts';

export interface JobEnding {
  end(job: Job, status: JobStatus, result: { output: string | null; error: string | null }, settled: Settled): void;
  /** Its worker is gone: back to the queue, or FAILED when that has happened too often. `countsAgainst`: whether it counts. */
  lose(job: Job, reason: string, countsAgainst: boolean): void;
  /** Deletes the record; a worker that has the job is told to stop. */
  remove(job: Job): void;
  due(job: Job, kind: DeadlineKind): void;
  stopOnWorker(job: Job): void;
}

export function createJobEnding(
  { clock, store, onDemand }: { clock: Clock; store: JobStore; onDemand: (endpointId: string) => void },
  table: JobTable,
  workers: Workers,
  handOff: HandOff,
): JobEnding {
  function end(
    job: Job,
    status: JobStatus,
    result: { output: string | null; error: string | null },
    settled: Settled,
  ): void {
    const worker = table.workerOf(job);
    if (worker?.jobs.delete(job)) worker.lastBusyElapsed = clock.elapsed();
    const now = clock.now();
    if (job.status === 'IN_PROGRESS') {
      const ranMs = job.startedElapsed > 0 ? clock.elapsed() - job.startedElapsed : now - (job.startedAt ?? now);
      job.executionTime = Math.max(0, Math.round(ranMs));
    } else {
      job.delayTime = Math.max(0, now - job.queuedAt);
      job.executionTime = 0;
    }
    table.move(job, status);
    job.finishedAt = now;
    job.error = result.error;
    job.output = result.output;
    job.hasOutput = result.output !== null;
    table.due(job, now + job.retentionMs, 'retention');
    const done = table.settling(job, (error) => {
      // Who waits now is told from memory; later readers read the store.
      if (!error) queueMicrotask(() => (job.output = null));
      settled(error);
    });
    store.finish(job, result.output, done);
    onDemand(job.endpointId);
  }

  function stopOnWorker(job: Job): void {
    const worker = job.status === 'IN_PROGRESS' ? table.workerOf(job) : undefined;
    if (worker) workers.tellStop(worker, job.id);
  }

  function remove(job: Job): void {
    stopOnWorker(job);
    table.workerOf(job)?.jobs.delete(job);
    table.drop(job);
    store.remove(job.seq, job.chunks, table.logged(job, 'removal'));
  }

  return {
    end,
    stopOnWorker,
    remove,
    lose(job, reason, countsAgainst) {
      if (job.status !== 'IN_PROGRESS') return;
      if (countsAgainst) job.lost++;
      if (job.lost > limits.lostWorkerRetries) {
        const error = `The job lost its worker ${job.lost} times and is not tried again. The last time, ${reason}.`;
        end(job, 'FAILED', { output: null, error }, table.logged(job, 'failure'));
        return;
      }
      job.retries++;
      table.queueOf(job.endpointId).tally.retried++;
      handOff.requeue(job, 'lost');
    },
    due(job, kind) {
      const now = clock.now();
      if (kind === 'ttl') {
        if (job.submittedAt + job.ttlMs <= now) remove(job);
      } else if (kind === 'retention') {
        if (job.finishedAt !== null && job.finishedAt + job.retentionMs <= now) remove(job);
      } else if (job.status === 'IN_PROGRESS' && job.startedAt !== null) {
        // An earlier attempt's deadline comes too soon for this one, which has its own.
        if (job.startedAt + job.executionTimeoutMs > now) return;
        stopOnWorker(job);
        const error = `The job ran longer than its executionTimeout of ${job.executionTimeoutMs} ms.`;
        end(job, 'TIMED_OUT', { output: null, error }, table.logged(job, 'time-out'));
      }
    },
  };
}
