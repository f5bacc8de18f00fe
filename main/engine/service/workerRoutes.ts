/** The worker protocol: ask for jobs, return results and chunks, be told to stop, stay in touch. */
import { AppError } from '#contract/errors.ts';
import { isTerminal } from '#contract/job.ts';
import { limits } from '#contract/limits.ts';
import type { Job } from '../domain/job.ts';
import type { Jobs } from '../domain/jobs.ts';
import type { Clock, Logger } from '../domain/ports.ts';
import { parseWorkerResult, type WorkerResult } from '../domain/workerResult.ts';
import type { Worker } from '../domain/workers.ts';
import type { Call, Route } from './call.ts';
import { receiveChunks } from './chunkIntake.ts';
import { sendError, sendJson, sendNothing } from './errors.ts';
import { readBody } from './guards.ts';

export interface WorkerRoutesOptions {
  clock: Clock;
  jobs: Jobs;
  logger: Logger;
}

const MOST_JOBS_AT_ONCE = 1000;

export function createWorkerRoutes({ clock, jobs, logger }: WorkerRoutesOptions): Record<string, Route> {
  function workerOf(call: Call): Worker {
    if (!/^[\w.-]{1,128}$/.test(call.first)) {
      throw new AppError('BAD_REQUEST', 'The worker id in the path must be 1 to 128 letters, digits, "_", "-" or ".".');
    }
    const worker = jobs.workers.seen(call.first, call.endpoint.id);
    if (worker.endpointId !== call.endpoint.id) {
      throw new AppError('CONFLICT', `The worker ${call.first} belongs to another endpoint.`);
    }
    return worker;
  }

  /** What the worker is handed; a job whose text cannot be had fails, and is not handed out. */
  function texts(taken: Job[], worker: Worker): string[] {
    return taken.flatMap((job) => {
      try {
        return [jobs.workerText(job)];
      } catch (thrown) {
        const error = thrown instanceof AppError ? thrown.message : 'The input of the job could not be read.';
        const failure: WorkerResult = { progress: false, output: null, error, stopWorker: false };
        jobs.result(job, worker.id, failure, () => undefined);
        return [];
      }
    });
  }

  /** Answers with jobs; those whose answer does not get through go back to the queue. */
  function hand(call: Call, worker: Worker, taken: Job[], batch: boolean): void {
    const { response } = call;
    if (response.destroyed) {
      for (const job of taken) jobs.giveBack(job);
      return;
    }
    const ready = texts(taken, worker);
    if (ready.length === 0) {
      sendNothing(response);
      return;
    }
    response.on('close', () => {
      if (!response.writableFinished) for (const job of taken) if (job.workerId === worker.id) jobs.giveBack(job);
    });
    sendJson(response, 200, batch ? `[${ready.join(',')}]` : ready[0]!);
  }

  /**
   * A process of ours that says it has nothing never got what was last sent to it: the connection broke after the answer
   * had left. Others may ask over several connections at once, so of them this cannot be known.
   */
  function reclaim(worker: Worker): void {
    if (worker.own) for (const job of [...worker.jobs]) jobs.giveBack(job);
  }

  function take(call: Call, max: number, batch: boolean): void {
    const worker = workerOf(call);
    // A worker with nothing in its hands has let go of whatever it was told to stop.
    if (call.query?.get('job_in_progress') === '0') {
      jobs.workers.letGo(worker, null);
      reclaim(worker);
    }
    const leave = jobs.take(worker, max, (taken) => {
      call.response.off('close', leave);
      hand(call, worker, taken, batch);
    });
    call.response.on('close', leave);
  }

  function done(call: Call): void {
    const worker = workerOf(call);
    readBody(call.request, limits.runsyncBodyBytes, (bodyError, text) => {
      try {
        const job = jobs.find(call.endpoint.id, call.second);
        const unreadable = bodyError ?? unreadableResult(text);
        if (unreadable instanceof AppError) {
          // Nothing better will come: the job ends with the truth instead of waiting for its timeout.
          const error = `The worker's result could not be taken. ${unreadable.message}`;
          jobs.result(job, worker.id, { progress: false, output: null, error, stopWorker: false }, () =>
            sendError(call.response, unreadable, logger),
          );
          return;
        }
        finish(call, worker, job, unreadable);
      } catch (error) {
        sendError(call.response, error, logger);
      }
    });
  }

  function unreadableResult(text: string): WorkerResult | AppError {
    try {
      return parseWorkerResult(text);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }

  /** Stores the result; with `next=1` the next job is taken in the same commit and answered with it. */
  function finish(call: Call, worker: Worker, job: Job, result: WorkerResult): void {
    const wantsNext = call.query?.get('next') === '1' && !result.stopWorker;
    // The same result again: the answer to the first one, and the job in it, did not arrive.
    if (wantsNext && isTerminal(job.status)) reclaim(worker);
    let open = wantsNext ? 2 : 1;
    let failure: unknown = null;
    let next: Job[] = [];
    const settle = (): void => {
      if (--open > 0) return;
      if (failure) {
        for (const taken of next) jobs.giveBack(taken);
        sendError(call.response, failure, logger);
      } else if (wantsNext) hand(call, worker, next, false);
      else sendJson(call.response, 200, '{}');
    };
    jobs.result(job, worker.id, result, (error) => {
      failure = error;
      settle();
    });
    if (!wantsNext) return;
    jobs.takeNow(worker, 1, (taken) => {
      next = taken;
      settle();
    });
  }

  function stop(call: Call): void {
    const worker = workerOf(call);
    const finishHold = (): void => {
      leave();
      timeUp();
    };
    const timeUp = clock.after(limits.takeHoldMs, () => {
      leave();
      sendNothing(call.response);
    });
    const leave = jobs.workers.awaitStop(worker, (jobIds) => {
      timeUp();
      if (jobIds.length === 0) sendNothing(call.response);
      else sendJson(call.response, 200, JSON.stringify({ jobsToStop: jobIds }));
    });
    call.response.on('close', finishHold);
  }

  function ping(call: Call): void {
    const worker = workerOf(call);
    const busyWith = new Set((call.query?.get('job_id') ?? '').split(','));
    for (const jobId of worker.stopping.keys()) if (!busyWith.has(jobId)) jobs.workers.letGo(worker, jobId);
    if (call.query?.get('status') === 'unhealthy') {
      logger.warn({ workerId: worker.id, reason: call.query.get('reason') }, 'a worker says that it is unhealthy');
    }
    sendJson(call.response, 200, '{}');
  }

  const batchSize = (call: Call): number => {
    const size = Number(call.query?.get('batch_size') ?? 1);
    if (!Number.isInteger(size) || size < 1 || size > MOST_JOBS_AT_ONCE) {
      throw new AppError('BAD_REQUEST', `batch_size must be a whole number from 1 to ${MOST_JOBS_AT_ONCE}.`);
    }
    return size;
  };

  return {
    'job-take': { methods: ['GET'], need: 'worker', run: (call) => take(call, 1, false) },
    'job-take-batch': { methods: ['GET'], need: 'worker', run: (call) => take(call, batchSize(call), true) },
    'job-done': { methods: ['POST'], need: 'worker', run: done },
    'job-stream': {
      methods: ['POST'],
      need: 'worker',
      run: (call) => receiveChunks(call, jobs, workerOf(call), logger),
    },
    'job-stop': { methods: ['GET'], need: 'worker', run: stop },
    ping: { methods: ['GET'], need: 'worker', run: ping },
  };
}
