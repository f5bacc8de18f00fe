/**
 * How jobs end: by their worker's word, cancelled, out of time, or lost with their worker; and how their records go.
 */
import { limits } from '#contract/core/limits.ts';
import type { Job } from './jobRecord.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { JobRegistry } from './jobRegistry.ts';
import type { Clock } from '../core/ports.ts';
import type { JobCounter, JobFailure, JobStore } from './ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import type { JsonText } from './payload/payloadRef.ts';
import type { PayloadCache } from './payload/payloadCache.ts';
import type { WebhookPlanner } from './ports.ts';
import type { JobEvent } from './stateMachine.ts';
import type { WorkerRegistry } from './workers/registry.ts';

/** When a removal that could not be stored is tried again. */
const REMOVE_AGAIN_MS = 60_000;

/**
 * Who is to blame for the loss of a worker: the worker itself, something outside that ended it, such as a crash of the
 * container engine, or nobody, as where it was stopped on purpose. Each has its own number of retries; nobody's is not
 * limited.
 */
export type LossBlame = 'worker' | 'outside' | 'nobody';

export interface JobCompletion {
  end(
    job: Job,
    event: JobEvent,
    result: { output: JsonText | null; error: string | null },
    settled: CommitCallback,
  ): void;
  /** Its worker is gone: back to the queue, or FAILED when that has happened too often. */
  lose(job: Job, reason: string, blame: LossBlame): void;
  /** Deletes the record; a worker that has the job is told to stop. */
  remove(job: Job): void;
  /** Its ttl or its retention has passed. */
  expire(job: Job): void;
  /** It has run as long as it may, or its worker is gone. */
  timeOut(job: Job): void;
  /** Cancels jobs that wait, all in one write. */
  cancelWaiting(jobs: readonly Job[], settled: CommitCallback): void;
  stopOnWorker(job: Job): void;
}

/** Counts the end of the job as it is now: once that is stored, the job may be queued again. */
function countOf(counter: JobCounter, job: Job): () => void {
  const { endpointId, status, startedAt, delayTime, executionTime } = job;
  const delayMs = startedAt === null ? null : delayTime;
  const executionMs = startedAt === null || status === 'CANCELLED' ? null : executionTime;
  return () => counter.ended(endpointId, status, delayMs, executionMs);
}

/** How a job failed that a worker had; null for any other end. */
function failureOf({ id, endpointId, workerId, status, error }: Job): JobFailure | null {
  if (status !== 'FAILED' || workerId === null || error === null) return null;
  return { jobId: id, endpointId, workerId, error };
}

export interface JobCompletionOptions {
  clock: Clock;
  store: JobStore;
  webhooks?: WebhookPlanner;
  counter?: JobCounter;
  onDemand(endpointId: string): void;
  /** Called once the failure of a job that a worker had is committed. */
  onFailed?(failure: JobFailure): void;
}

/** The error of a job that lost a worker once too often; null if it is tried again. */
function finalError({ lost, endedFromOutside }: Job, reason: string): string | null {
  const what = `The job's worker was lost: ${reason}.`;
  if (lost > limits.lostWorkerRetries) return `${what} The job lost ${lost} workers and is not tried again.`;
  if (endedFromOutside <= limits.outsideEndRetries) return null;
  return `${what} That happened ${endedFromOutside} times while the job ran, so it is not tried again. Look at the log of the container engine before you retry it.`;
}

export function createJobCompletion(
  { clock, store, webhooks, counter, onDemand, onFailed }: JobCompletionOptions,
  registry: JobRegistry,
  workers: WorkerRegistry,
  dispatcher: Dispatcher,
  outputs: PayloadCache,
): JobCompletion {
  /** Ends the job in memory; the caller writes it. */
  function mark(job: Job, event: JobEvent, result: { output: JsonText | null; error: string | null }): void {
    const now = clock.now();
    if (job.status === 'IN_PROGRESS') {
      job.executionTime = Math.max(0, Math.round(clock.elapsed() - job.startedElapsed));
    } else {
      job.delayTime = Math.max(0, now - job.queuedAt);
      job.executionTime = 0;
    }
    registry.apply(job, event);
    job.finishedAt = now;
    job.error = result.error;
    job.output = result.output;
    job.hasOutput = result.output !== null;
    registry.schedule(job);
  }

  function end(
    job: Job,
    event: JobEvent,
    result: { output: JsonText | null; error: string | null },
    settled: CommitCallback,
  ): void {
    mark(job, event, result);
    const worker = registry.workerOf(job);
    if (worker?.jobs.delete(job)) {
      worker.lastBusyElapsed = clock.elapsed();
      worker.lastJobId = job.id;
    }
    const delivery = webhooks?.planDelivery(job, () => job.body ?? store.body(job.seq), result.output) ?? null;
    const count = counter && countOf(counter, job);
    const failure = failureOf(job);
    const done = registry.trackWrite(job, (error) => {
      if (!error) {
        outputs.stored(job);
        count?.();
        if (failure !== null) onFailed?.(failure);
      }
      settled(error);
      if (error) delivery?.failed(error);
      else delivery?.begin();
    });
    store.finish(job, result.output, done, delivery?.write ?? null);
    onDemand(job.endpointId);
  }

  function stopOnWorker(job: Job): void {
    const worker = job.status === 'IN_PROGRESS' ? registry.workerOf(job) : undefined;
    if (worker) workers.requestStop(worker, job.id);
  }

  function remove(job: Job): void {
    if (!job.removed) {
      stopOnWorker(job);
      registry.workerOf(job)?.jobs.delete(job);
      registry.drop(job);
    }
    const logged = registry.logged(job, 'removal');
    store.remove(job.seq, job.chunks, (error) => {
      logged(error);
      // Clients no longer see the job, but its rows still take room. That matters most on a full disk.
      if (error) registry.expireAgain(job, REMOVE_AGAIN_MS);
    });
  }

  function lose(job: Job, reason: string, blame: LossBlame): void {
    if (job.status !== 'IN_PROGRESS' || job.removed) return;
    if (blame === 'worker') job.lost++;
    if (blame === 'outside') job.endedFromOutside++;
    const error = finalError(job, reason);
    if (error === null) dispatcher.requeue(job, 'lost', registry.logged(job, 'back to the queue'));
    else end(job, 'fail', { output: null, error }, registry.logged(job, 'failure'));
  }

  return {
    end,
    stopOnWorker,
    remove,
    lose,
    expire(job) {
      // A write that is under way may fail. The job then goes back to its stored state, which may expire later.
      // The write tracker looks at the deadline again when the last write has ended.
      if (job.pendingWrites === 0) remove(job);
    },
    timeOut(job) {
      // A failed write set the job back to its stored state, in which it runs, but its worker has gone.
      // Its deadline came early so that the job is queued again here.
      if (!registry.workerOf(job) && clock.elapsed() - job.startedElapsed < job.executionTimeoutMs) {
        lose(job, 'its worker was gone', 'nobody');
        return;
      }
      stopOnWorker(job);
      const error = `The job ran longer than its executionTimeout of ${job.executionTimeoutMs} ms.`;
      end(job, 'timeout', { output: null, error }, registry.logged(job, 'time-out'));
    },
    cancelWaiting(jobs, settled) {
      let open = jobs.length;
      let failure: unknown = null;
      const stored = jobs.map((job) => {
        mark(job, 'cancel', { output: null, error: null });
        return registry.trackWrite(job, (error) => {
          failure ??= error;
          if (!error) counter?.ended(job.endpointId, 'CANCELLED', null, null);
          if (--open === 0) settled(failure);
        });
      });
      store.finishAll(jobs, (error) => {
        for (const one of stored) one(error);
      });
    },
  };
}
