/**
 * All jobs in memory: the index, the queues, the deadlines, and the one way a change reaches the store.
 *
 * Memory changes first; the store is told in the same order, and whoever asked is answered once that is committed. Where a
 * write fails, the job is set back to what its row says.
 */
import { AppError } from '#contract/core/errors.ts';
import { createDeadlines } from '../core/timerHeap.ts';
import { isQuarantined, type Job, type RunTimeout } from './jobRecord.ts';
import { restoreJob } from './jobEntity.ts';
import { requireNextStatus, type JobEvent } from './stateMachine.ts';
import { countMove, createJobQueue, type JobQueue } from './queue/jobQueue.ts';
import { createChunkLog } from './payload/chunkLog.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import type { JobStore } from './ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import type { WorkerRegistry } from './workerRegistry.ts';
import { isTerminal } from '#contract/api/job.ts';

export interface JobRegistryOptions {
  clock: Clock;
  store: JobStore;
  logger: Logger;
  workers: WorkerRegistry;
  /** It waits again, because what was to become of it could not be stored. */
  onWaiting(job: Job): void;
  /** Its ttl or its retention has passed. */
  onExpired(job: Job): void;
  /** It has run as long as it may, or its worker is gone. */
  onTimeout(job: Job): void;
  /** It is out of memory here: whoever else keeps it lets it go. */
  onDropped(job: Job): void;
}

export interface JobRegistry {
  get(id: string): Job | undefined;
  all(): Iterable<Job>;
  queueOf(endpointId: string): JobQueue;
  queues(): Iterable<JobQueue>;
  forgetQueue(endpointId: string): void;
  add(job: Job): void;
  /** Applies an event: changes the status by the state machine, and the counters with it. CONFLICT where the state has no such event. */
  apply(job: Job, event: JobEvent): void;
  /** Whether it was there when the engine was started: it may be what an earlier run of the engine died of. */
  isOfEarlierRun(job: Job): boolean;
  /** Who has the job, where that worker is known. */
  workerOf(job: Job): ReturnType<WorkerRegistry['get']>;
  /** Sets the deadlines that the job has in its state. To be called after whatever they depend on has changed. */
  schedule(job: Job): void;
  /** Has the job expire after `ms`, whatever its deadlines say. */
  expireAgain(job: Job, ms: number): void;
  /** A callback for a write about `job`: nothing is told of the job before it has run. */
  trackWrite(job: Job, settled: CommitCallback): CommitCallback;
  /** A callback for a write that nobody waits for. */
  logged(job: Job, what: string): CommitCallback;
  /** Calls `settled` once no write about the job is under way: with an error where its end was not stored. */
  afterWrites(job: Job, settled: CommitCallback): void;
  wake(job: Job): void;
  /** Calls `onChange` after each committed change of the job. */
  watch(job: Job, onChange: () => void): Cancel;
  /** Takes the job out of memory; who waits for it is woken and finds it gone. */
  drop(job: Job): void;
  /** Reads what the store holds, each job as it is asked for. Run once, to its end. */
  load(): Generator<Job>;
  /** From now on deadlines come due. */
  start(): void;
  stop(): void;
}

/** How soon what should have happened to a job is tried again when it could not be stored. */
const TRY_AGAIN_MS = 1000;

export function createJobRegistry(options: JobRegistryOptions): JobRegistry {
  const { clock, store, logger, workers } = options;
  const byId = new Map<string, Job>();
  const queues = new Map<string, JobQueue>();
  /** Jobs of which a write failed while others were under way. */
  const rolledBack = new Set<Job>();
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

  function wake(job: Job): void {
    if (job.waiters && job.pendingWrites === 0) for (const waiter of [...job.waiters]) waiter();
  }

  function schedule(job: Job): void {
    const ttlAt = job.submittedAt + job.ttlMs;
    expiries.set(job, job.finishedAt === null ? ttlAt : Math.min(ttlAt, job.finishedAt + job.retentionMs));
    if (job.status === 'IN_PROGRESS') {
      timeouts.set((job.timeout ??= { slot: -1, job }), job.startedElapsed + job.executionTimeoutMs);
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
    options.onDropped(job);
  }

  function note(job: Job, error: unknown, message: string): void {
    // A full disk is told once, by the store, and not for each job.
    const level = error instanceof AppError && error.code === 'STORAGE_FULL' ? 'debug' : 'error';
    logger[level]({ err: error, jobId: job.id }, message);
  }

  /** Makes the job what its row says. Whether it waits then is seen to when nothing of it is under way any more. */
  function rollback(job: Job): void {
    const before = job.status;
    const { counters: counters } = queueOf(job.endpointId);
    const worker = workerOf(job);
    const had = before === 'IN_PROGRESS' ? worker : undefined;
    worker?.jobs.delete(job);
    const row = store.reload(job.seq);
    // That a process of ours has it is written a little later: until then its row is behind.
    if (worker?.own && row?.status === 'IN_QUEUE' && row.retries === job.retries) {
      const { workerId, ownWorker, startedAt, delayTime } = job;
      Object.assign(row, { status: 'IN_PROGRESS', workerId, ownWorker, startedAt, delayTime });
    }
    // A worker of ours may have begun before the commit, and now has a job that is not its own.
    if (had?.own && (row?.status !== 'IN_PROGRESS' || row.workerId !== had.id)) workers.requestStop(had, job.id);
    if (row === null) {
      drop(job);
      return;
    }
    // Out of the counters as it was, and into them as it is: it may have been set aside, or not.
    if (before === 'IN_QUEUE') countMove(counters, job, before, 'IN_PROGRESS');
    Object.assign(job, row);
    job.output = null;
    const counted = before === 'IN_QUEUE' ? 'IN_PROGRESS' : before;
    if (counted !== job.status) countMove(counters, job, counted, job.status);
    if (job.startedAt !== null) job.startedElapsed = clock.elapsed() - Math.max(0, clock.now() - job.startedAt);
    schedule(job);
    // What an attempt wrote that is none on disk.
    if (job.status === 'IN_QUEUE') job.chunks = null;
    if (job.status !== 'IN_PROGRESS') return;
    const has = workerOf(job);
    has?.jobs.add(job);
    // Whatever ends its run comes again, only not at once; that its worker has gone, nobody else will notice.
    const dueAt = has ? job.startedElapsed + job.executionTimeoutMs : 0;
    timeouts.set(job.timeout!, Math.max(dueAt, clock.elapsed() + TRY_AGAIN_MS));
  }

  /** After the last of the writes that were under way: a deadline that passed meanwhile counts now, and so does a failure. */
  function finishWrites(job: Job, error: unknown): void {
    if (rolledBack.delete(job)) {
      // A later write than the one that failed may have gone through.
      if (!error) rollback(job);
      if (job.status === 'IN_QUEUE' && !job.removed) {
        const queue = queueOf(job.endpointId);
        if (isQuarantined(job)) queue.quarantine(job);
        else queue.putBack(job);
        options.onWaiting(job);
      }
    }
    if (job.slot === -1 && !job.removed) schedule(job);
  }

  function add(job: Job): void {
    byId.set(job.id, job);
    queueOf(job.endpointId).note(job);
    countMove(queueOf(job.endpointId).counters, job, null, job.status);
    schedule(job);
  }

  return {
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
    },
    isOfEarlierRun: ({ seq }) => seq <= lastLoadedSeq,
    workerOf,
    schedule,
    expireAgain: (job, ms) => expiries.set(job, clock.now() + ms),
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
