/** The worker protocol: ask for jobs, return results and chunks, be told to stop, stay in touch. */
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import { isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored, type JsonParts, type JsonText } from '../../domain/jobs/payload/payloadRef.ts';
import type { WorkerResult } from '../../domain/jobs/payload/resultParser.ts';
import { holdMsOf, type Worker } from '../../domain/jobs/workerRegistry.ts';
import type { BodyIntake } from '../http/bodyParser.ts';
import type { BriefRoute, Call } from '../http/route.ts';
import { receiveChunks } from './chunkUpload.ts';
import { publicSdkOf } from '../http/compat.ts';
import { sendError, sendJson, sendNothing } from '../http/errorMapper.ts';
import { sendParts } from '../http/streamBody.ts';

export interface WorkerRoutesOptions {
  clock: Clock;
  jobs: Jobs;
  intake: BodyIntake;
  texts: LargeTexts;
  logger: Logger;
  /** The limits in force. */
  limits(): LimitSettings;
}

/** What is wrong with the result itself, and would be wrong again. */
const wrongForGood: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'TOO_LARGE']);
/** From this version on, the pings of the public worker name every job it has; before, they could name none. */
const NAMES_ALL_SINCE = [1, 10, 1];

function namesAllJobs(version: string | null | undefined): boolean {
  const parts = (version ?? '').split('.').map(Number);
  for (const [at, since] of NAMES_ALL_SINCE.entries()) {
    const part = parts[at] ?? 0;
    if (part !== since) return part > since;
  }
  return true;
}

export function createWorkerRoutes(options: WorkerRoutesOptions): Record<string, BriefRoute> {
  const { clock, jobs, intake, logger } = options;
  function workerOf(call: Call): Worker {
    if (!/^[\w.-]{1,128}$/.test(call.first)) {
      throw new AppError('BAD_REQUEST', 'The worker id in the path must be 1 to 128 letters, digits, "_", "-" or ".".');
    }
    const worker = jobs.workers.touch(call.first, call.endpoint.id);
    if (worker.endpointId !== call.endpoint.id) {
      throw new AppError('CONFLICT', `The worker ${call.first} belongs to another endpoint.`);
    }
    return worker;
  }

  /** A job whose text cannot be had is not handed out: it fails. */
  function fail(job: Job, worker: Worker, thrown: unknown): void {
    if (job.workerId !== worker.id) return;
    const error = thrown instanceof AppError ? thrown.message : 'The input of the job could not be read.';
    jobs.result(job, worker.id, { progress: false, output: null, error, stopWorker: false }, () => undefined);
  }

  /** What the worker is handed of each job. */
  function textsOf(taken: Job[], worker: Worker): (string | JsonParts)[] {
    const texts: (string | JsonParts)[] = [];
    for (const job of taken) {
      try {
        texts.push(jobs.workerText(job));
      } catch (thrown) {
        fail(job, worker, thrown);
      }
    }
    return texts;
  }

  /** The same with texts from files, which are looked at before anything is promised to the worker. */
  async function handStored(call: Call, worker: Worker, taken: Job[], batch: boolean): Promise<void> {
    const parts: JsonText[] = [];
    for (const job of taken) {
      try {
        const text = jobs.workerText(job);
        const own = typeof text === 'string' ? [text] : text;
        for (const part of own) if (isStored(part)) await options.texts.probe(part);
        parts.push(parts.length > 0 ? ',' : batch ? '[' : '', ...own);
      } catch (thrown) {
        fail(job, worker, thrown);
      }
    }
    if (parts.length === 0) sendNothing(call.response);
    else await sendParts(call.response, 200, batch ? [...parts, ']'] : parts, options.texts, logger);
  }

  /** Answers with jobs; those whose answer does not get through go back to the queue. */
  function hand(call: Call, worker: Worker, taken: Job[], batch: boolean): void {
    const { response } = call;
    if (response.destroyed || response.writableEnded) {
      for (const job of taken) jobs.giveBack(job);
      return;
    }
    const ready = textsOf(taken, worker);
    if (ready.length === 0) {
      sendNothing(response);
      return;
    }
    response.on('close', () => {
      if (!response.writableFinished) for (const job of taken) if (job.workerId === worker.id) jobs.giveBack(job);
    });
    if (ready.every((text) => typeof text === 'string')) {
      sendJson(response, 200, batch ? `[${ready.join(',')}]` : ready[0]!);
    } else void handStored(call, worker, taken, batch);
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
    if (!worker.asked) jobs.workers.recordSdk(worker, publicSdkOf(call.request.headers['user-agent']));
    // A worker with nothing in its hands has let go of whatever it was told to stop.
    if (call.query?.get('job_in_progress') === '0') {
      jobs.workers.ackStop(worker, null);
      reclaim(worker);
    }
    const leave = jobs.take(worker, max, (taken) => {
      call.response.off('close', leave);
      hand(call, worker, taken, batch);
    });
    call.response.on('close', leave);
  }

  /** Whatever the worker sends of a job says that it has it, for as long as that takes to arrive. */
  function notePosting({ response, second }: Call, worker: Worker): void {
    if (worker.own) return;
    worker.posting.add(second);
    response.on('close', () => worker.posting.delete(second));
  }

  function done(call: Call): void {
    const worker = workerOf(call);
    notePosting(call, worker);
    intake.result(call.request, (bodyError, result) => {
      try {
        const job = jobs.find(call.endpoint.id, call.second);
        if (result) {
          finish(call, worker, job, result);
          return;
        }
        if (!(bodyError instanceof AppError) || !wrongForGood.has(bodyError.code)) throw bodyError;
        // Nothing better will come: the job ends with the truth instead of waiting for its timeout.
        const error = `The worker's result could not be taken. ${bodyError.message}`;
        jobs.result(job, worker.id, { progress: false, output: null, error, stopWorker: false }, () =>
          sendError(call.response, bodyError, logger),
        );
      } catch (error) {
        sendError(call.response, error, logger);
      }
    });
  }

  /** Stores the result; with `next=1` the next job is taken in the same commit and answered with it. */
  function finish(call: Call, worker: Worker, job: Job, result: WorkerResult): void {
    const wantsNext = call.query?.get('next') === '1' && !result.stopWorker;
    // The same result again: the answer to the first one, and the job in it, did not arrive.
    if (wantsNext && isTerminal(job.status) && call.query?.get('job_in_progress') !== '1') reclaim(worker);
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
    const timeUp = clock.after(holdMsOf(worker), () => {
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
    const busyWith = new Set((call.query?.get('job_id') ?? '').split(',').filter((id) => id !== ''));
    jobs.pinged(worker, { jobIds: busyWith, namesAll: namesAllJobs(call.query?.get('runpod_version')) });
    for (const jobId of worker.stopping.keys()) if (!busyWith.has(jobId)) jobs.workers.ackStop(worker, jobId);
    if (call.query?.get('status') === 'unhealthy') {
      logger.warn({ workerId: worker.id, reason: call.query.get('reason') }, 'a worker says that it is unhealthy');
    }
    sendJson(call.response, 200, '{}');
  }

  const batchSize = (call: Call): number => {
    const size = Number(call.query?.get('batch_size') ?? 1);
    if (!Number.isInteger(size) || size < limits.jobsPerTake.min || size > limits.jobsPerTake.max) {
      throw new AppError('BAD_REQUEST', `batch_size must be a whole number from 1 to ${limits.jobsPerTake.max}.`);
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
      run: (call) => {
        const worker = workerOf(call);
        notePosting(call, worker);
        receiveChunks(call, worker, options);
      },
    },
    'job-stop': { methods: ['GET'], need: 'worker', run: stop },
    ping: { methods: ['GET'], need: 'worker', run: ping },
  };
}
