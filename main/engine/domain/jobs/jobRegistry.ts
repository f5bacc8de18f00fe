/**
 * All jobs in memory: the index, the queues, the deadlines, and the one way a change reaches the store.
 *
 * Memory changes first. The store gets the changes in the same order, and callers are answered after the commit. If a
 * write fails, the job is reset to its row. `writeTracker.ts` has the states of a job's writes (SAVED, WRITING,
 * ROLLED_BACK).
 */
import { createDeadlines } from '../core/timerHeap.ts';
import { isQuarantined, type Job, type RunTimeout } from './jobRecord.ts';
import { restoreJob } from './jobEntity.ts';
import { requireNextStatus, type JobEvent } from './stateMachine.ts';
import { countMove } from './queue/counters.ts';
import { createJobQueue, type JobQueue } from './queue/jobQueue.ts';
import { createChunkLog } from './payload/chunkLog.ts';
import type { WorkerRegistry } from './workers/registry.ts';
import { createWriteTracker, type WriteTracker, type WriteTrackerOptions } from './writeTracker.ts';

export interface JobRegistryOptions extends WriteTrackerOptions {
  /** It was added, changed its state, or was removed. Called often: must be cheap. */
  onTouched(job: Job): void;
  /** Its ttl or its retention has passed. */
  onExpired(job: Job): void;
  /** It has run as long as it may, or its worker is gone. */
  onTimeout(job: Job): void;
  /** It was removed from memory. Everybody else who keeps it must release it. */
  onDropped(job: Job): void;
}

export interface JobRegistry extends WriteTracker {
  get(id: string): Job | undefined;
  all(): Iterable<Job>;
  queueOf(endpointId: string): JobQueue;
  queues(): Iterable<JobQueue>;
  forgetQueue(endpointId: string): void;
  add(job: Job): void;
  /**
   * Applies an event: changes the status by the state machine, and the counters with it. CONFLICT where the state has
   * no such event.
   */
  apply(job: Job, event: JobEvent): void;
  /** Whether it was there when the engine was started: it may be what an earlier run of the engine died of. */
  isOfEarlierRun(job: Job): boolean;
  /** Who has the job, where that worker is known. */
  workerOf(job: Job): ReturnType<WorkerRegistry['get']>;
  /** Sets the deadlines of the job for its present state. Call it after each change that affects them. */
  schedule(job: Job): void;
  /** Has the job expire after `ms`, whatever its deadlines say. */
  expireAgain(job: Job, ms: number): void;
  /** Takes the job out of memory. Calls that wait for it continue, and find that it is gone. */
  drop(job: Job): void;
  /** Reads what the store holds, each job as it is asked for. Run once, to its end. */
  load(): Generator<Job>;
  /** From now on deadlines come due. */
  start(): void;
  stop(): void;
}

export function createJobRegistry(options: JobRegistryOptions): JobRegistry {
  const { clock, store, workers } = options;
  const byId = new Map<string, Job>();
  const queues = new Map<string, JobQueue>();
  let lastLoadedSeq = 0;
  // Records go by the calendar; a run is timed by the clock that nobody sets.
  const expiries = createDeadlines<Job>(clock, clock.now, (job) => options.onExpired(job));
  const timeouts = createDeadlines<RunTimeout>(clock, clock.elapsed, ({ job }) => {
    job.timeout = null;
    options.onTimeout(job);
  });

  function queueOf(endpointId: string): JobQueue {
    let queue = queues.get(endpointId);
    if (!queue) queues.set(endpointId, (queue = createJobQueue()));
    return queue;
  }

  const workerOf = (job: Job): ReturnType<WorkerRegistry['get']> =>
    job.workerId === null ? undefined : workers.get(job.workerId);

  const setRunDeadline = (job: Job, at: number): void => timeouts.set((job.timeout ??= { slot: -1, job }), at);

  function schedule(job: Job): void {
    const ttlAt = job.submittedAt + job.ttlMs;
    expiries.set(job, job.finishedAt === null ? ttlAt : Math.min(ttlAt, job.finishedAt + job.retentionMs));
    if (job.status === 'IN_PROGRESS') {
      setRunDeadline(job, job.startedElapsed + job.executionTimeoutMs);
    } else if (job.timeout) {
      timeouts.clear(job.timeout);
      job.timeout = null;
    }
  }

  function drop(job: Job): void {
    if (job.removed) return;
    job.removed = true;
    byId.delete(job.id);
    expiries.clear(job);
    if (job.timeout) timeouts.clear(job.timeout);
    countMove(queueOf(job.endpointId).counters, job, job.status, null);
    if (job.waiters) for (const waiter of [...job.waiters]) waiter();
    options.onTouched(job);
    options.onDropped(job);
  }

  function add(job: Job): void {
    byId.set(job.id, job);
    queueOf(job.endpointId).note(job);
    countMove(queueOf(job.endpointId).counters, job, null, job.status);
    schedule(job);
    options.onTouched(job);
  }

  const writes = createWriteTracker(options, { queueOf, workerOf, schedule, setRunDeadline, drop });

  return {
    ...writes,
    get: (id) => byId.get(id),
    all: () => byId.values(),
    queueOf,
    queues: () => queues.values(),
    forgetQueue: (endpointId) => queues.delete(endpointId),
    add,
    apply(job, event) {
      const status = requireNextStatus(job.status, event);
      countMove(queueOf(job.endpointId).counters, job, job.status, status);
      job.status = status;
      options.onTouched(job);
    },
    isOfEarlierRun: ({ seq }) => seq <= lastLoadedSeq,
    workerOf,
    schedule,
    expireAgain: (job, ms) => expiries.set(job, clock.now() + ms),
    drop,
    *load() {
      const bySeq = new Map<number, Job>();
      const now = clock.now();
      for (const record of store.load()) {
        const job = restoreJob(record);
        lastLoadedSeq = job.seq;
        // How long it has run is known by the calendar alone; a calendar that was set back must not make it longer.
        if (job.startedAt !== null) job.startedElapsed = clock.elapsed() - Math.max(0, now - job.startedAt);
        add(job);
        if (job.status !== 'IN_QUEUE') bySeq.set(job.seq, job);
        const queue = queueOf(job.endpointId);
        queue.counters.retried += job.retries;
        if (job.status === 'IN_QUEUE') {
          if (isQuarantined(job)) queue.quarantine(job);
          else queue.push(job);
        }
        // Another machine's worker may still be at it: it has as long to be heard of as ever.
        if (job.status === 'IN_PROGRESS' && job.workerId !== null && !job.ownWorker) {
          workers.touch(job.workerId, job.endpointId).jobs.add(job);
        }
        yield job;
      }
      for (const { seq, firstRow, lastRow, readRow, total } of store.loadChunkRows()) {
        const job = bySeq.get(seq);
        if (job)
          job.chunks = { ...createChunkLog(firstRow), lastRow, storedRow: lastRow, readRow, total, ready: total };
      }
    },
    start() {
      for (const queue of queues.values()) queue.arrange();
      expiries.start();
      timeouts.start();
    },
    stop() {
      expiries.stop();
      timeouts.stop();
    },
  };
}
