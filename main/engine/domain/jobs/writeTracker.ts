/**
 * The writes about each job that are under way. Memory changes first. A change is reported only after its commit.
 *
 * The writes of a job are in one of three states:
 *
 * - SAVED        `pendingWrites` is 0, and the job equals its row; left by `trackWrite`
 * - WRITING      `pendingWrites` is above 0; entered by `trackWrite`; left by the last commit, or by a write that fails
 * - ROLLED_BACK  the job is in `rolledBack`: a write failed, and `rollback` reset the job to its row; left by
 *                `finishWrites` after the last write, which puts a waiting job back into its queue. Then it is SAVED.
 */
import { AppError } from '#contract/core/errors.ts';
import { isTerminal } from '#contract/api/job.ts';
import { isQuarantined, type Job } from './jobRecord.ts';
import { countMove } from './queue/counters.ts';
import type { JobQueue } from './queue/jobQueue.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import type { JobStore } from './ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import type { Worker, WorkerRegistry } from './workers/registry.ts';

export interface WriteTrackerOptions {
  clock: Clock;
  store: JobStore;
  logger: Logger;
  workers: WorkerRegistry;
  /** The job waits again, because the change that ended its wait could not be stored. */
  onWaiting(job: Job): void;
}

/** What a rollback changes in the index of all jobs. */
export interface JobIndex {
  queueOf(endpointId: string): JobQueue;
  workerOf(job: Job): Worker | undefined;
  schedule(job: Job): void;
  /** Lets the run of a running job end at `at`, on the clock that never runs backwards. */
  setRunDeadline(job: Job, at: number): void;
  drop(job: Job): void;
}

export interface WriteTracker {
  /** Returns the callback for a write about `job`. Clients and workers see the change only after it has run. */
  trackWrite(job: Job, settled: CommitCallback): CommitCallback;
  /** A callback for a write that nobody waits for. */
  logged(job: Job, what: string): CommitCallback;
  /** Calls `settled` once no write about the job is under way: with an error where its end was not stored. */
  afterWrites(job: Job, settled: CommitCallback): void;
  wake(job: Job): void;
  /** Calls `onChange` after each committed change of the job. */
  watch(job: Job, onChange: () => void): Cancel;
}

/** How soon the engine tries again to end or remove a job when that could not be stored. */
const TRY_AGAIN_MS = 1000;

export function createWriteTracker(options: WriteTrackerOptions, index: JobIndex): WriteTracker {
  const { clock, store, logger, workers, onWaiting } = options;
  /** Jobs of which a write failed while others were under way. */
  const rolledBack = new Set<Job>();

  function wake(job: Job): void {
    if (job.waiters && job.pendingWrites === 0) for (const waiter of [...job.waiters]) waiter();
  }

  function note(job: Job, error: unknown, message: string): void {
    // The store logs a full disk once, so a job logs it at a lower level.
    const level = error instanceof AppError && error.code === 'STORAGE_FULL' ? 'debug' : 'error';
    logger[level]({ err: error, jobId: job.id }, message);
  }

  /** Sets the job back to what its row says. `finishWrites` puts it into the queue where it waits then. */
  function rollback(job: Job): void {
    const before = job.status;
    const { counters } = index.queueOf(job.endpointId);
    const worker = index.workerOf(job);
    const had = before === 'IN_PROGRESS' ? worker : undefined;
    worker?.jobs.delete(job);
    const row = store.reload(job.seq);
    // The row names a process of ours as the worker a little later, so until then it is behind.
    if (worker?.own && row?.status === 'IN_QUEUE' && row.retries === job.retries) {
      const { workerId, ownWorker, startedAt, delayTime } = job;
      Object.assign(row, { status: 'IN_PROGRESS', workerId, ownWorker, startedAt, delayTime });
    }
    // A worker of this engine may have begun the job before the commit. If the job is no longer its own, it must stop.
    if (had?.own && (row?.status !== 'IN_PROGRESS' || row.workerId !== had.id)) workers.requestStop(had, job.id);
    if (row === null) {
      index.drop(job);
      return;
    }
    // The counters lose the job as it was and gain it as it is: its quarantine may differ.
    if (before === 'IN_QUEUE') countMove(counters, job, before, 'IN_PROGRESS');
    Object.assign(job, row);
    job.output = null;
    const counted = before === 'IN_QUEUE' ? 'IN_PROGRESS' : before;
    if (counted !== job.status) countMove(counters, job, counted, job.status);
    if (job.startedAt !== null) job.startedElapsed = clock.elapsed() - Math.max(0, clock.now() - job.startedAt);
    index.schedule(job);
    // The attempt is not on disk, so its chunks do not count.
    if (job.status === 'IN_QUEUE') job.chunks = null;
    if (job.status !== 'IN_PROGRESS') return;
    const has = index.workerOf(job);
    has?.jobs.add(job);
    // A deadline soon ends the run again. Without a worker, no other event would do so.
    const dueAt = has ? job.startedElapsed + job.executionTimeoutMs : 0;
    index.setRunDeadline(job, Math.max(dueAt, clock.elapsed() + TRY_AGAIN_MS));
  }

  /**
   * Runs after the last open write about a job. It now handles a deadline that passed in the meantime, and a failed
   * write.
   */
  function finishWrites(job: Job, error: unknown): void {
    if (rolledBack.delete(job)) {
      // A later write than the one that failed may have gone through.
      if (!error) rollback(job);
      if (job.status === 'IN_QUEUE' && !job.removed) {
        const queue = index.queueOf(job.endpointId);
        if (isQuarantined(job)) queue.quarantine(job);
        else queue.putBack(job);
        onWaiting(job);
      }
    }
    if (job.slot === -1 && !job.removed) index.schedule(job);
  }

  return {
    trackWrite(job, settled) {
      job.pendingWrites++;
      return (error) => {
        job.pendingWrites--;
        if (error) {
          note(job, error, 'a change could not be stored; the job is as its row says');
          rollback(job);
          rolledBack.add(job);
        }
        if (job.pendingWrites === 0) finishWrites(job, error);
        settled(error);
        wake(job);
      };
    },
    logged: (job, what) => (error) => {
      if (error) note(job, error, `could not store: ${what}`);
    },
    afterWrites(job, settled) {
      if (job.pendingWrites === 0) return settled(null);
      const check = (): void => {
        if (job.pendingWrites > 0) return;
        job.waiters?.delete(check);
        const isOver = job.removed || isTerminal(job.status);
        settled(isOver ? null : new AppError('UNAVAILABLE', 'The result could not be stored. Send it again.'));
      };
      (job.waiters ??= new Set()).add(check);
    },
    wake,
    watch(job, onChange) {
      const waiters = (job.waiters ??= new Set());
      waiters.add(onChange);
      return () => {
        waiters.delete(onChange);
        if (waiters.size === 0 && job.waiters === waiters) job.waiters = null;
      };
    },
  };
}
