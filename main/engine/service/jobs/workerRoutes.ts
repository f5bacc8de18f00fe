/** The worker protocol: ask for jobs, return results and chunks, be told to stop, stay in touch. */
import * as z from 'zod';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import { chunkSchema, isTerminal } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import {
  batchSizeSchema,
  jobsToStopSchema,
  takenJobSchema,
  takenNoteSchema,
  workerResultSchema,
} from '#contract/api/worker.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import type { WorkerResult } from '../../domain/jobs/payload/resultParser.ts';
import { holdMsOf, type Worker } from '../../domain/jobs/workers/registry.ts';
import type { BodyIntake } from '../http/bodies/parser.ts';
import type { BriefRoute, Call } from '../http/route.ts';
import { receiveChunks } from './chunkUpload.ts';
import { createJobDelivery, type DeliverJobs } from './jobDelivery.ts';
import { publicSdkOf } from '../http/compat.ts';
import { sendError, sendJson, sendNothing } from '../http/errorMapper.ts';
import { named, type DescribedJobRoute, type OperationDescription } from '../openapi/operation.ts';

export interface WorkerRoutesOptions {
  clock: Clock;
  jobs: Jobs;
  intake: BodyIntake;
  texts: LargeTexts;
  logger: Logger;
  /** The limits in force. */
  limits(): LimitSettings;
}

/** Errors of the result itself; a repeated result has them again. */
const wrongForGood: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'TOO_LARGE']);
/** Since this version, the pings of the public worker name all its jobs; before, they could name none. */
const NAMES_ALL_SINCE = [1, 10, 1];

function namesAllJobs(version: string | null | undefined): boolean {
  const parts = (version ?? '').split('.').map(Number);
  for (const [at, since] of NAMES_ALL_SINCE.entries()) {
    const part = parts[at] ?? 0;
    if (part !== since) return part > since;
  }
  return true;
}

const gpu = { schema: z.string(), words: 'What the worker runs on; of no meaning here.' };
const inProgress = { schema: z.enum(['0', '1']), words: '0: the worker has nothing in its hands.' };
const takenJob = named('TakenJob', takenJobSchema);
const takenNote = named('TakenNote', takenNoteSchema);
const stored = { words: 'Taken, and on disk.', shape: takenNote };
const nothing = { words: 'There is nothing now.', shape: null };
const group = 'worker protocol';

const takeOperation: OperationDescription = {
  id: 'takeJob',
  group,
  summary: 'Asks for a job; held until there is one.',
  query: { gpu, job_in_progress: inProgress },
  answers: { 200: { words: 'A job.', shape: takenJob }, 204: nothing },
  refusals: ['BAD_REQUEST', 'CONFLICT'],
};

const takeBatchOperation: OperationDescription = {
  id: 'takeJobs',
  group,
  summary: 'Asks for several jobs; held until there is one.',
  query: {
    gpu,
    job_in_progress: inProgress,
    batch_size: { schema: batchSizeSchema, words: 'How many at most; 1 without.' },
  },
  answers: { 200: { words: 'The jobs.', shape: { listOf: takenJob } }, 204: nothing },
  refusals: ['BAD_REQUEST', 'CONFLICT'],
};

const doneOperation: OperationDescription = {
  id: 'finishJob',
  group,
  summary: 'Hands in a result, a failure, or progress. With `next=1` the next job is the answer, where there is one.',
  query: {
    gpu,
    isStream: { schema: z.enum(['true', 'false']), words: 'Whether the handler streams; of no meaning here.' },
    next: { schema: z.literal('1'), words: 'Asks for the next job in the same request.' },
  },
  body: { shape: named('WorkerResult', workerResultSchema) },
  answers: {
    200: { words: 'Taken, and on disk.', shape: { oneOf: [takenNote, takenJob] } },
    204: { words: 'Taken, and there is no next job.', shape: null },
  },
  refusals: ['CONFLICT', 'STORAGE_FULL'],
};

const chunkOperation: OperationDescription = {
  id: 'sendChunk',
  group,
  summary: 'Hands in one chunk; with `ndjson=1` one a line, for as long as the request is open.',
  query: {
    gpu,
    isStream: { schema: z.enum(['true', 'false']), words: 'Of no meaning here.' },
    ndjson: { schema: z.literal('1'), words: 'One chunk a line.' },
  },
  body: { shape: named('ChunkPosted', chunkSchema) },
  answers: { 200: stored },
  refusals: ['CONFLICT', 'STORAGE_FULL'],
};

const stopOperation: OperationDescription = {
  id: 'jobsToStop',
  group,
  summary: 'Asks which jobs to stop; held until there is one.',
  query: { gpu },
  answers: { 200: { words: 'The jobs.', shape: named('JobsToStop', jobsToStopSchema) }, 204: nothing },
  refusals: ['BAD_REQUEST', 'CONFLICT'],
};

const pingOperation: OperationDescription = {
  id: 'ping',
  group,
  summary: 'A sign of life, with the ids of the jobs in hand.',
  query: { gpu, job_id: { schema: z.string(), words: 'The ids, with commas between them.' } },
  answers: { 200: stored },
  refusals: ['BAD_REQUEST', 'CONFLICT'],
};

type WorkerRoute = BriefRoute & DescribedJobRoute;

interface Parts extends WorkerRoutesOptions {
  deliver: DeliverJobs;
}

/** The worker of a request. Throws BAD_REQUEST for a bad id, CONFLICT for a worker of another endpoint. */
function workerOf({ jobs }: Parts, call: Call): Worker {
  if (!/^[\w.-]{1,128}$/.test(call.first)) {
    throw new AppError('BAD_REQUEST', 'The worker id in the path must be 1 to 128 letters, digits, "_", "-" or ".".');
  }
  const worker = jobs.workers.touch(call.first, call.endpoint.id);
  if (worker.endpointId !== call.endpoint.id) {
    throw new AppError('CONFLICT', `The worker ${call.first} belongs to another endpoint.`);
  }
  return worker;
}

/**
 * Takes back the jobs of a worker of this engine that says it has none: its connection broke after the answer was sent.
 * Other workers may ask over several connections at once, so their jobs stay.
 */
function reclaim({ jobs }: Parts, worker: Worker): void {
  if (worker.own) for (const job of [...worker.jobs]) jobs.giveBack(job);
}

/** A worker has the job while it sends something of it, for as long as the sending takes. */
function notePosting({ response, second }: Call, worker: Worker): void {
  if (worker.own) return;
  worker.posting.add(second);
  response.on('close', () => worker.posting.delete(second));
}

const batchSize = (call: Call): number => {
  const size = Number(call.query?.get('batch_size') ?? 1);
  if (!Number.isInteger(size) || size < limits.jobsPerTake.min || size > limits.jobsPerTake.max) {
    throw new AppError('BAD_REQUEST', `batch_size must be a whole number from 1 to ${limits.jobsPerTake.max}.`);
  }
  return size;
};

function createTakeRoutes(parts: Parts): Record<'job-take' | 'job-take-batch', WorkerRoute> {
  const { jobs, deliver } = parts;

  function take(call: Call, max: number, batch: boolean): void {
    const worker = workerOf(parts, call);
    if (!worker.asked) jobs.workers.recordSdk(worker, publicSdkOf(call.request.headers['user-agent']));
    // A worker without jobs has stopped those that it was to stop.
    if (call.query?.get('job_in_progress') === '0') {
      jobs.workers.ackStop(worker, null);
      reclaim(parts, worker);
    }
    const leave = jobs.take(worker, max, (taken) => {
      call.response.off('close', leave);
      deliver(call, worker, taken, batch);
    });
    call.response.on('close', leave);
  }

  return {
    'job-take': {
      methods: ['GET'],
      need: 'worker',
      tail: '/{workerId}',
      operation: takeOperation,
      run: (call) => take(call, 1, false),
    },
    'job-take-batch': {
      methods: ['GET'],
      need: 'worker',
      tail: '/{workerId}',
      operation: takeBatchOperation,
      run: (call) => take(call, batchSize(call), true),
    },
  };
}

function createResultRoute(parts: Parts): WorkerRoute {
  const { jobs, intake, logger, deliver } = parts;

  function done(call: Call): void {
    const worker = workerOf(parts, call);
    notePosting(call, worker);
    intake.result(call.request, (bodyError, result) => {
      try {
        const job = jobs.find(call.endpoint.id, call.second);
        if (result) {
          finish(call, worker, job, result);
          return;
        }
        if (!(bodyError instanceof AppError) || !wrongForGood.has(bodyError.code)) throw bodyError;
        // The worker has no better result: the job ends with the reason instead of waiting for its timeout.
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
    // The worker repeats the result: the first answer, with a job in it, did not arrive.
    if (wantsNext && isTerminal(job.status) && call.query?.get('job_in_progress') !== '1') reclaim(parts, worker);
    let open = wantsNext ? 2 : 1;
    let failure: unknown = null;
    let next: Job[] = [];
    const settle = (): void => {
      if (--open > 0) return;
      if (failure) {
        for (const taken of next) jobs.giveBack(taken);
        sendError(call.response, failure, logger);
      } else if (wantsNext) deliver(call, worker, next, false);
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

  return { methods: ['POST'], need: 'worker', tail: '/{workerId}/{jobId}', operation: doneOperation, run: done };
}

export function createWorkerRoutes(options: WorkerRoutesOptions): Record<string, WorkerRoute> {
  const { clock, jobs, logger } = options;
  const parts: Parts = { ...options, deliver: createJobDelivery(options) };

  function stop(call: Call): void {
    const worker = workerOf(parts, call);
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
    const worker = workerOf(parts, call);
    const busyWith = new Set((call.query?.get('job_id') ?? '').split(',').filter((id) => id !== ''));
    jobs.pinged(worker, { jobIds: busyWith, namesAll: namesAllJobs(call.query?.get('runpod_version')) });
    if (call.query?.get('status') === 'unhealthy') {
      logger.warn({ workerId: worker.id, reason: call.query.get('reason') }, 'a worker says that it is unhealthy');
    }
    sendJson(call.response, 200, '{}');
  }

  return {
    ...createTakeRoutes(parts),
    'job-done': createResultRoute(parts),
    'job-stream': {
      methods: ['POST'],
      need: 'worker',
      tail: '/{workerId}/{jobId}',
      operation: chunkOperation,
      run(call) {
        const worker = workerOf(parts, call);
        notePosting(call, worker);
        receiveChunks(call, worker, options);
      },
    },
    'job-stop': { methods: ['GET'], need: 'worker', tail: '/{workerId}', operation: stopOperation, run: stop },
    ping: { methods: ['GET'], need: 'worker', tail: '/{workerId}', operation: pingOperation, run: ping },
  };
}
