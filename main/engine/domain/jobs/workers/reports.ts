/** What workers send about a job that they have: its result, its progress, and its chunks. */
import { AppError } from '#contract/core/errors.ts';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import { withCause } from '../views/failureClassifier.ts';
import type { ChunkLog, Job } from '../jobRecord.ts';
import type { JobCompletion } from '../completion.ts';
import { createChunkLog, noteChunks, noteStored, splitChunk } from '../payload/chunkLog.ts';
import type { JobRegistry } from '../jobRegistry.ts';
import type { Clock } from '../../core/ports.ts';
import type { CommitCallback } from '../../core/commits.ts';
import { isStored } from '../payload/payloadRef.ts';
import type { JobStore } from '../ports.ts';
import type { WorkerResult } from '../payload/resultParser.ts';
import type { Worker, WorkerRegistry } from './registry.ts';

/** Characters that a worker of ours may stream ahead of the disk before it waits for it. */
const AHEAD_LENGTH = 2_000_000;

export interface WorkerReportsOptions {
  clock: Clock;
  store: JobStore;
  /** The limits in force. */
  limits(): LimitSettings;
  /** Replaces a process of the engine within `graceMs`: it did not stop a job, or asked to be replaced. */
  onRecycle(workerId: string, reason: string, graceMs: number): void;
}

export interface WorkerReports {
  /** Takes a worker's result or progress of a job. CONFLICT when the worker no longer has the job. */
  result(job: Job, workerId: string, result: WorkerResult, settled: CommitCallback): void;
  /** Appends chunks, each the raw JSON of a chunk object. CONFLICT when the worker no longer has the job. */
  append(job: Job, workerId: string, chunkTexts: string[], settled: CommitCallback): void;
}

/**
 * Whether the worker was told to stop the job and has not confirmed it: its report is about an attempt before a /retry.
 */
const isStopping = (job: Job, worker: Worker | undefined): boolean =>
  job.status === 'IN_PROGRESS' && worker !== undefined && worker.stopping.has(job.id);

export function createWorkerReports(
  options: WorkerReportsOptions,
  registry: JobRegistry,
  workers: WorkerRegistry,
  completion: JobCompletion,
): WorkerReports {
  const { clock, store } = options;

  function chunksLost(job: Job, log: ChunkLog, cause: unknown): void {
    if (job.chunks !== log || job.status !== 'IN_PROGRESS' || job.removed) return;
    completion.stopOnWorker(job);
    const error = `Its chunks could not be stored: ${cause instanceof Error ? cause.message : String(cause)}.`;
    completion.end(job, 'fail', { output: null, error }, registry.logged(job, 'failure'));
  }

  return {
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
      const { chunkBytes } = options.limits();
      const texts = chunkTexts.flatMap((text) => (text.length * 3 > chunkBytes ? splitChunk(text, chunkBytes) : text));
      // A process of this engine ends together with it, and its job starts anew. So its chunks need not be on disk
      // before its result is.
      const own = job.ownWorker;
      let isAhead = false;
      const stored: CommitCallback = (error) => {
        noteStored(log, row, texts);
        if (own) {
          // This runs after the other callbacks of the failed commit, so that the job ends from its stored state.
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
  };
}
