/** The job operations: submit, find, cancel, hand over, take results and chunks, read. Everything above speaks to jobs through this. */
import { AppError } from '#contract/core/errors.ts';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { defaultLimits, type LimitSettings } from '#contract/local/settings.ts';
import { withCause } from './views/failureClassifier.ts';
import { workerJobText, type ChunkLog, type Job } from './jobRecord.ts';
import { createJobCompletion, type JobCompletionOptions } from './completion.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { createJob } from './jobEntity.ts';
import { createPurge, type Purge } from './queue/purge.ts';
import { createQueueAdmin, type QueueAdmin } from './queue/queueAdmin.ts';
import { createJobIds, cancelsOnDisconnect } from './jobIds.ts';
import type { JobTerms } from './payload/requestParser.ts';
import type { JobQueue } from './queue/jobQueue.ts';
import { nextStatus } from './stateMachine.ts';
import {
  chunksFrom,
  createChunkLog,
  noteChunks,
  noteStored,
  readChunks,
  splitChunk,
  type ChunkPosition,
} from './payload/chunkLog.ts';
import { createJobRegistry } from './jobRegistry.ts';
import { createPings, type Ping } from './heartbeats.ts';
import type { Cancel, Ids, Logger } from '../core/ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import { createPayloadCache } from './payload/payloadCache.ts';
import { isStored, type JsonParts, type JsonText } from './payload/payloadRef.ts';
import type { WorkerResult } from './payload/resultParser.ts';
import { createWorkerRegistry, type Worker, type WorkerRegistry } from './workerRegistry.ts';

/** Characters that a worker of ours may stream ahead of the disk before it waits for it. */
const AHEAD_LENGTH = 2_000_000;
/** Chunks handed to one reader at a time. */
const READ_BYTES = 4_000_000;
/** A job that is submitted to so long a queue is taken soon: its input stays in memory until then. */
const SOON_TAKEN = 10_000;
/** Jobs read in one step of a start. */
const LOADED_AT_ONCE = 2048;

export interface JobsOptions extends JobCompletionOptions {
  ids: Ids;
  logger: Logger;
  /** The limits in force; those of limits.ts unless told otherwise. */
  limits?(): LimitSettings;
  /** The endpoint's own execution time limit, milliseconds. */
  executionTimeoutMs(endpointId: string): number;
  /** Something happened that may need more or fewer workers. Called often: must be cheap. */
  onDemand(endpointId: string): void;
  /** This process of ours must go within `graceMs`: it did not stop a job, or asked to be replaced. */
  onRecycle(workerId: string, reason: string, graceMs: number): void;
}

export interface Submission {
  endpointId: string;
  request: JobTerms;
  /** The request as it was sent; the worker gets this very text. */
  body: JsonText;
  sync: boolean;
  /** Only the connection it came by knows of it: a job whose caller went with the engine is cancelled at the next start. */
  cancelOnDisconnect?: boolean;
  retentionMs: number;
}

export interface Jobs extends Pick<Dispatcher, 'take' | 'takeNow'>, QueueAdmin {
  /**
   * Reads what is stored, a few milliseconds' worth of jobs at each step. To be run to its end before anything else is asked:
   * until then no deadline comes due.
   */
  load(): Generator<void>;
  readonly workers: WorkerRegistry;
  queueOf(endpointId: string): JobQueue;
  submit(submission: Submission, settled: (error: unknown, job: Job) => void): void;
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
  /** A worker's word on a job. CONFLICT when the worker no longer has it. */
  result(job: Job, workerId: string, result: WorkerResult, settled: CommitCallback): void;
  /** Appends chunks, each the raw JSON of a chunk object. CONFLICT when the worker no longer has the job. */
  append(job: Job, workerId: string, chunkTexts: string[], settled: CommitCallback): void;
  /** The committed chunks that no reader has had, raw JSON, oldest first; a few megabytes at a time. */
  read(job: Job): string[];
  /** The committed chunks from a reader's own position on, raw JSON, oldest first, about `maxBytes` of them; advances the position. */
  readFrom(job: Job, position: ChunkPosition, maxBytes: number): string[];
  /** Raw JSON of the result, or of the progress so far. */
  output(job: Job): JsonText | null;
  /** Calls `onChange` after each committed change of the job. */
  watch(job: Job, onChange: () => void): Cancel;
  /** A worker that is not ours is in touch, and tells which jobs it has. */
  pinged(worker: Worker, ping: Ping): void;
  /** A worker is gone. `countsAgainst`: whether its jobs may fail for it. */
  workerGone(worker: Worker, reason: string, countsAgainst: boolean): void;
  /** The worker gets no more jobs; its parked asks are answered with nothing. */
  retire(worker: Worker): void;
  /** Ends and removes all jobs of an endpoint that is deleted. */
  removeEndpoint(endpointId: string): void;
  stop(): void;
}

export function createJobs(options: JobsOptions): Jobs {
  const limitsNow = options.limits ?? defaultLimits;
  const { clock, store, onDemand } = options;
  const newId = createJobIds(clock, options.ids);
  const workers = createWorkerRegistry({
    clock,
    onSilent(worker) {
      workerGone(worker, `the worker was not heard of for ${limits.workerSilenceMs / 1000} s`, true);
    },
    onStopOverdue(worker, jobId) {
      if (!worker.own) return;
      const reason = `did not stop job ${jobId} in ${limits.workerGraceMs / 1000} s`;
      options.onRecycle(worker.id, reason, limits.lastGraceMs);
    },
  });
  const bodies = createPayloadCache('body');
  const outputs = createPayloadCache('output');
  const registry = createJobRegistry({
    ...options,
    workers,
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

  function workerGone(worker: Worker, reason: string, countsAgainst: boolean): void {
    workers.forget(worker.id);
    dispatcher.release(worker);
    for (const job of [...worker.jobs]) completion.lose(job, reason, countsAgainst);
    worker.jobs.clear();
  }

  function giveBack(job: Job): void {
    if (job.status !== 'IN_PROGRESS' || job.removed) return;
    dispatcher.requeue(job, 'giveBack', registry.logged(job, 'back to the queue'));
  }

  /** Whether the worker was told to stop the job and has not let go: what it says is of an attempt before a /retry. */
  const isStopping = (job: Job, worker: Worker | undefined): boolean =>
    job.status === 'IN_PROGRESS' && worker !== undefined && worker.stopping.has(job.id);

  function chunksLost(job: Job, log: ChunkLog, cause: unknown): void {
    if (job.chunks !== log || job.status !== 'IN_PROGRESS' || job.removed) return;
    completion.stopOnWorker(job);
    const error = `Its chunks could not be stored: ${cause instanceof Error ? cause.message : String(cause)}.`;
    completion.end(job, 'fail', { output: null, error }, registry.logged(job, 'failure'));
  }

  /** What a start has to say to a job that it found. */
  function settleAfterStart(job: Job): void {
    if (isTerminal(job.status)) return;
    if (cancelsOnDisconnect(job.id)) {
      completion.stopOnWorker(job);
      const error = 'The engine restarted, and with it the connection of the caller was lost.';
      completion.end(job, 'cancel', { output: null, error }, registry.logged(job, 'cancelling'));
    } else if (job.status === 'IN_PROGRESS' && !registry.workerOf(job)) {
      // Our own workers went with the engine that ran them, and it did not stop as it should.
      job.crashes++;
      completion.lose(job, 'the engine restarted', false);
    }
  }

  return {
    *load() {
      const unfinished: Job[] = [];
      let loaded = 0;
      for (const job of registry.load()) {
        if (job.status === 'IN_PROGRESS' || cancelsOnDisconnect(job.id)) unfinished.push(job);
        if (++loaded % LOADED_AT_ONCE === 0) yield;
      }
      for (const job of unfinished) settleAfterStart(job);
      registry.start();
    },
    workers,
    queueOf: (endpointId) => registry.queueOf(endpointId),
    ...createQueueAdmin(registry, store, dispatcher),
    take: dispatcher.take,
    takeNow: dispatcher.takeNow,
    submit({ endpointId, request, body, sync, cancelOnDisconnect: attended = false, retentionMs }, settled) {
      const now = clock.now();
      const { policy } = request;
      const terms = {
        seq: store.nextSeq(),
        id: newId(sync, attended),
        endpointId,
        submittedAt: now,
        retentionMs,
        executionTimeoutMs: policy?.executionTimeout ?? options.executionTimeoutMs(endpointId),
        lowPriority: policy?.lowPriority ?? false,
        webhook: request.webhook ?? null,
        ttlMs: policy?.ttl ?? limitsNow().ttlMs.default,
      };
      const job = createJob(terms, body);
      registry.add(job);
      const queue = registry.queueOf(endpointId);
      const immediate = queue.counters.inQueue - queue.counters.quarantined === 1 ? dispatcher.dispatchNow(job) : null;
      if (!immediate) queue.push(job);
      const stored = registry.trackWrite(job, (error) => {
        settled(error, job);
        immediate?.stored(error);
        // Whoever takes it from the queue asks for it next, unless many others go first.
        if (job.status === 'IN_QUEUE' && !job.removed && queue.counters.inQueue <= SOON_TAKEN) bodies.stored(job);
        else job.body = null;
      });
      // The caller of /runsync learns of the job by its result: until then the job may share a commit with that.
      const urgency = sync && (immediate?.early ?? !attended) ? 'soon' : 'now';
      store.insert(job, body, request.s3Config !== undefined, stored, urgency);
      immediate?.written();
      onDemand(endpointId);
    },
    get: (jobId) => registry.get(jobId),
    find(endpointId, jobId) {
      const job = registry.get(jobId);
      if (!job || job.endpointId !== endpointId) {
        throw new AppError(
          'NOT_FOUND',
          `This endpoint has no job ${JSON.stringify(jobId)}: the id is wrong, its ttl has passed, or its result is no longer kept.`,
        );
      }
      return job;
    },
    cancel(job, settled) {
      if (job.status === 'CANCELLED') {
        settled(null);
        return;
      }
      if (nextStatus(job.status, 'cancel') === null) {
        throw new AppError('BAD_REQUEST', `The job is ${job.status}; only a queued or running job can be cancelled.`);
      }
      completion.stopOnWorker(job);
      completion.end(job, 'cancel', { output: null, error: null }, settled);
    },
    retry(job, settled) {
      if (nextStatus(job.status, 'retry') === null) {
        throw new AppError('BAD_REQUEST', `The job is ${job.status}; only a FAILED or TIMED_OUT job can be retried.`);
      }
      job.lost = 0;
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
    workerText(job) {
      const text = workerJobText(job.id, job.body ?? store.body(job.seq));
      // Once it is on disk, hardly anybody asks again: whoever is told of its end, and a worker after the one that is lost.
      if (job.pendingWrites === 0 && job.webhook === null) bodies.release(job);
      return text;
    },
    result(job, workerId, result, settled) {
      const worker = workers.get(workerId);
      const ofOldAttempt = isStopping(job, worker);
      if (worker) workers.ackStop(worker, job.id);
      if (result.stopWorker && worker?.own) options.onRecycle(workerId, 'asked to be replaced', limits.workerGraceMs);
      if (job.workerId !== workerId || ofOldAttempt) {
        if (isStored(result.output)) store.discard(result.output);
        throw new AppError('CONFLICT', 'This worker no longer has the job; its result is not taken.');
      }
      // Late progress, or the same result again because the first answer was lost.
      if (isTerminal(job.status)) {
        if (isStored(result.output)) store.discard(result.output);
        // The first one may still be on its way to the disk.
        registry.afterWrites(job, settled);
        return;
      }
      if (result.progress) {
        job.output = result.output;
        if (isStored(result.output)) store.hold(job.seq, result.output);
        registry.wake(job);
        settled(null);
        return;
      }
      if (worker) worker.finished++;
      const error = result.error === null ? null : withCause(result.error);
      completion.end(job, error === null ? 'complete' : 'fail', { output: result.output, error }, settled);
    },
    append(job, workerId, chunkTexts, settled) {
      if (job.workerId !== workerId || job.status !== 'IN_PROGRESS' || isStopping(job, workers.get(workerId))) {
        throw new AppError('CONFLICT', 'This worker no longer has the job; its chunks are not taken.');
      }
      const { chunkBytes } = limitsNow();
      const texts = chunkTexts.flatMap((text) => (text.length * 3 > chunkBytes ? splitChunk(text, chunkBytes) : text));
      // With the engine a process of ours ends, and its job starts anew: its chunks need not be on disk before its result is.
      const own = job.ownWorker;
      let isAhead = false;
      const stored: CommitCallback = (error) => {
        noteStored(log, row, texts);
        if (own) {
          // After whatever else failed with them: the job is to end as its row says it is.
          if (error) clock.after(0, () => chunksLost(job, log, error));
          if (isAhead) settled(error);
          return;
        }
        if (!error && job.chunks === log) log.ready += texts.length;
        settled(error);
      };
      const row = store.appendChunks(
        job.seq,
        texts,
        own ? stored : registry.trackWrite(job, stored),
        own ? 'soon' : 'now',
      );
      const log = (job.chunks ??= createChunkLog(row, 0));
      noteChunks(log, row, texts);
      if (!own) return;
      log.ready += texts.length;
      // A worker that is faster than the disk must not fill the memory.
      if (!(isAhead = log.unwrittenLength > AHEAD_LENGTH)) settled(null);
      registry.wake(job);
    },
    read(job) {
      if (!job.chunks) return [];
      const texts = readChunks(job.chunks, job.chunksRead, READ_BYTES, (...rows) => store.chunks(job.seq, ...rows));
      // Chunks that could not be stored are gone: no reader is kept waiting for them.
      job.chunksRead = texts.length > 0 ? job.chunksRead + texts.length : job.chunks.ready;
      if (texts.length > 0) store.update(job, registry.logged(job, 'reading position'), 'soon');
      return texts;
    },
    readFrom(job, position, maxBytes) {
      if (!job.chunks) return [];
      const texts = chunksFrom(job.chunks, position, maxBytes, (...rows) => store.chunks(job.seq, ...rows));
      // As above: what could not be stored is not waited for.
      if (texts.length === 0) position.index = job.chunks.ready;
      return texts;
    },
    output: (job) => job.output ?? (job.hasOutput ? store.output(job.seq) : null),
    watch: registry.watch,
    pinged: createPings({
      clock,
      workers,
      get: (jobId) => registry.get(jobId),
      onNeverGot: giveBack,
      onDropped: (job) => completion.lose(job, 'the worker had dropped it without a result', true),
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
      registry.stop();
      workers.stop();
    },
  };
}
