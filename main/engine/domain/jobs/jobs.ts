/**
 * The job operations: submit, find, cancel, hand over, take results and chunks, read. Everything above speaks to jobs
 * through this.
 */
import { AppError } from '#contract/core/errors.ts';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { workerJobText, type Job } from './jobRecord.ts';
import { createJobCompletion, type JobCompletion, type JobCompletionOptions, type LossBlame } from './completion.ts';
import { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts';
import { createPurge, type Purge } from './queue/purge.ts';
import { createQueueAdmin, type QueueAdmin } from './queue/queueAdmin.ts';
import { cancelsOnDisconnect } from './jobIds.ts';
import { createJobFeed, type JobFeed } from './feed/jobFeed.ts';
import type { JobQueue } from './queue/jobQueue.ts';
import { nextStatus, type JobEvent } from './stateMachine.ts';
import { createJobRegistry, type JobRegistry } from './jobRegistry.ts';
import { createPings, type Ping } from './workers/pings.ts';
import type { Cancel, Logger } from '../core/ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import { createPayloadCache, type PayloadCache } from './payload/payloadCache.ts';
import type { JsonParts, JsonText } from './payload/payloadRef.ts';
import { createChunkReader, type ChunkReader } from './payload/chunkReader.ts';
import { createSubmit, type Submit, type SubmitOptions } from './submission.ts';
import { createWorkerReports, type WorkerReports, type WorkerReportsOptions } from './workers/reports.ts';
import { createWorkerRegistry, type Worker, type WorkerRegistry } from './workers/registry.ts';

/** Jobs read in one step of a start. */
const LOADED_AT_ONCE = 2048;

export interface JobsOptions
  extends JobCompletionOptions, SubmitOptions, WorkerReportsOptions, Pick<DispatcherOptions, 'mayTake' | 'priceOf'> {
  logger: Logger;
  /** A job of the endpoint was added, changed its state, or was removed. Called for every job: must be cheap. */
  onMoved?(endpointId: string): void;
}

export interface Jobs extends Pick<Dispatcher, 'take' | 'takeNow' | 'offer'>, QueueAdmin, WorkerReports, ChunkReader {
  /**
   * Reads the stored jobs. Each step takes a few milliseconds. Run it to its end before any other call: no deadline
   * comes due until then.
   */
  load(): Generator<void>;
  readonly workers: WorkerRegistry;
  queueOf(endpointId: string): JobQueue;
  readonly submit: Submit;
  get(jobId: string): Job | undefined;
  /** The job, or NOT_FOUND. */
  find(endpointId: string, jobId: string): Job;
  /** BAD_REQUEST when the job has ended otherwise; cancelling twice is fine. */
  cancel(job: Job, settled: CommitCallback): void;
  /** Queues a job that failed or timed out once more, with its original input. BAD_REQUEST in any other state. */
  retry(job: Job, settled: CommitCallback): void;
  readonly purge: Purge;
  /** The newest jobs of an endpoint, newest first; about a thousand at most. */
  recent(endpointId: string): Iterable<Job>;
  /** Replaces the job's ttl, which still counts from submission. */
  setTtl(job: Job, ttlMs: number, settled: CommitCallback): void;
  /** The answer with this job did not reach its worker: back to the front of the queue. */
  giveBack(job: Job): void;
  /** What a worker is handed. */
  workerText(job: Job): string | JsonParts;
  /** Raw JSON of the result, or of the progress so far. */
  output(job: Job): JsonText | null;
  /** The request as it was sent; null where it is gone, or was sealed with a key that is gone. */
  body(job: Job): JsonText | null;
  /** Every job and its changes, for readers that keep a list. */
  readonly feed: Pick<JobFeed, 'read' | 'await'>;
  /** Calls `onChange` after each committed change of the job. */
  watch(job: Job, onChange: () => void): Cancel;
  /** A worker that is not ours is in touch, and tells which jobs it has. */
  pinged(worker: Worker, ping: Ping): void;
  /** A worker is gone; its jobs are queued again, or fail. */
  workerGone(worker: Worker, reason: string, blame: LossBlame): void;
  /** The worker gets no more jobs; its parked asks are answered with nothing. */
  retire(worker: Worker): void;
  /** Ends and removes all jobs of an endpoint that is deleted. */
  removeEndpoint(endpointId: string): void;
  stop(): void;
}

/** Decides about a job that was unfinished when the engine last stopped. */
function settleAfterStart(job: Job, registry: JobRegistry, completion: JobCompletion): void {
  if (isTerminal(job.status)) return;
  if (cancelsOnDisconnect(job.id)) {
    completion.stopOnWorker(job);
    const error = 'The engine restarted, and with it the connection of the caller was lost.';
    completion.end(job, 'cancel', { output: null, error }, registry.logged(job, 'cancelling'));
  } else if (job.status === 'IN_PROGRESS' && !registry.workerOf(job)) {
    // Our own workers went with the engine that ran them, and it did not stop as it should.
    job.crashes++;
    completion.lose(job, 'the engine restarted', 'nobody');
  }
}

function* loadJobs(registry: JobRegistry, completion: JobCompletion): Generator<void> {
  const unfinished: Job[] = [];
  let loaded = 0;
  for (const job of registry.load()) {
    if (job.status === 'IN_PROGRESS' || cancelsOnDisconnect(job.id)) unfinished.push(job);
    if (++loaded % LOADED_AT_ONCE === 0) yield;
  }
  for (const job of unfinished) settleAfterStart(job, registry, completion);
  registry.start();
}

const noSuchJob = (jobId: string): AppError =>
  new AppError(
    'NOT_FOUND',
    `This endpoint has no job ${JSON.stringify(jobId)}: the id is wrong, its ttl has passed, or its result is no longer kept.`,
  );

/** Throws BAD_REQUEST with this rule where a job in this state has no such event. */
function checkEvent(job: Job, event: JobEvent, rule: string): void {
  if (nextStatus(job.status, event) === null) throw new AppError('BAD_REQUEST', `The job is ${job.status}; ${rule}`);
}

function textForWorker(
  job: Job,
  store: Pick<JobsOptions['store'], 'body'>,
  bodies: Pick<PayloadCache, 'release'>,
): string | JsonParts {
  const text = workerJobText(job.id, job.body ?? store.body(job.seq));
  // Once the body is on disk, it is rarely read again: only for a webhook, or for another worker after this one is
  // lost.
  if (job.pendingWrites === 0 && job.webhook === null) bodies.release(job);
  return text;
}

function bodyOf(job: Job, store: Pick<JobsOptions['store'], 'body'>): JsonText | null {
  try {
    return job.body ?? store.body(job.seq);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

export function createJobs(options: JobsOptions): Jobs {
  const { clock, store } = options;
  const workers = createWorkerRegistry({
    clock,
    onSilent(worker) {
      workerGone(worker, `it sent no ping for ${limits.workerSilenceMs / 1000} s`, 'worker');
    },
    onStopOverdue(worker, jobId) {
      if (!worker.own) return;
      const reason = `did not stop job ${jobId} in ${limits.workerGraceMs / 1000} s`;
      options.onRecycle(worker.id, reason, limits.lastGraceMs);
    },
  });
  const bodies = createPayloadCache('body');
  const outputs = createPayloadCache('output');
  const feed: JobFeed = createJobFeed(clock, () => registry.all());
  const registry: JobRegistry = createJobRegistry({
    ...options,
    workers,
    onTouched(job) {
      feed.touch(job);
      options.onMoved?.(job.endpointId);
    },
    onWaiting: ({ endpointId }) => dispatcher.offer(endpointId),
    onExpired: (job) => completion.expire(job),
    onTimeout: (job) => completion.timeOut(job),
    onDropped(job) {
      bodies.release(job);
      outputs.release(job);
    },
  });
  const dispatcher = createDispatcher(options, registry, workers);
  const completion = createJobCompletion(options, registry, workers, dispatcher, outputs);

  function workerGone(worker: Worker, reason: string, blame: LossBlame): void {
    workers.forget(worker.id);
    dispatcher.release(worker);
    for (const job of [...worker.jobs]) completion.lose(job, reason, blame);
    worker.jobs.clear();
  }

  function giveBack(job: Job): void {
    if (job.status !== 'IN_PROGRESS' || job.removed) return;
    dispatcher.requeue(job, 'giveBack', registry.logged(job, 'back to the queue'));
  }

  return {
    load: () => loadJobs(registry, completion),
    workers,
    queueOf: (endpointId) => registry.queueOf(endpointId),
    ...createQueueAdmin(registry, store, dispatcher),
    take: dispatcher.take,
    takeNow: dispatcher.takeNow,
    offer: dispatcher.offer,
    submit: createSubmit({ ...options, onNotStored: feed.forget }, registry, dispatcher, bodies),
    ...createWorkerReports(options, registry, workers, completion),
    ...createChunkReader(store, registry.logged),
    get: (jobId) => registry.get(jobId),
    find(endpointId, jobId) {
      const job = registry.get(jobId);
      if (!job || job.endpointId !== endpointId) throw noSuchJob(jobId);
      return job;
    },
    cancel(job, settled) {
      if (job.status === 'CANCELLED') {
        settled(null);
        return;
      }
      checkEvent(job, 'cancel', 'only a queued or running job can be cancelled.');
      completion.stopOnWorker(job);
      completion.end(job, 'cancel', { output: null, error: null }, settled);
    },
    retry(job, settled) {
      checkEvent(job, 'retry', 'only a FAILED or TIMED_OUT job can be retried.');
      job.lost = 0;
      job.endedFromOutside = 0;
      job.crashes = 0;
      job.rank = null;
      dispatcher.requeue(job, 'retry', settled);
    },
    purge: createPurge(registry, store, completion),
    recent: (endpointId) => registry.queueOf(endpointId).recent(),
    setTtl(job, ttlMs, settled) {
      job.ttlMs = ttlMs;
      registry.schedule(job);
      store.update(job, registry.trackWrite(job, settled));
    },
    giveBack,
    workerText: (job) => textForWorker(job, store, bodies),
    output: (job) => job.output ?? (job.hasOutput ? store.output(job.seq) : null),
    body: (job) => bodyOf(job, store),
    feed,
    watch: registry.watch,
    pinged: createPings({
      clock,
      workers,
      get: (jobId) => registry.get(jobId),
      onNeverGot: giveBack,
      onDropped: (job) => completion.lose(job, 'the worker had dropped it without a result', 'worker'),
    }),
    workerGone,
    retire(worker) {
      worker.retired = true;
      dispatcher.release(worker);
      workers.releaseStop(worker);
    },
    removeEndpoint(endpointId) {
      for (const job of [...registry.all()]) if (job.endpointId === endpointId) completion.remove(job);
      for (const taker of [...registry.queueOf(endpointId).parkedWorkers()]) taker.deliver([]);
      registry.forgetQueue(endpointId);
      workers.forgetEndpoint(endpointId);
    },
    stop() {
      feed.stop();
      registry.stop();
      workers.stop();
    },
  };
}
