/** Operations on jobs after their submission: retry a job, purge the queue, list the newest jobs. */
import { AppError } from '#contract/core/errors.ts';
import {
  jobStatusSchema,
  jobStatuses,
  purgedSchema,
  requestsLimitSchema,
  requestsSchema,
  type JobStatus,
} from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { jobViewText } from '../../domain/jobs/views/statusView.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import { queryNumber, type BriefRoute, type Call } from '../http/route.ts';
import { sendError, sendJson } from '../http/errorMapper.ts';
import { readBody } from '../http/bodies/reader.ts';
import { named, type DescribedJobRoute, type OperationDescription } from '../openapi/operation.ts';
import { acceptedAnswer, emptyBody } from './shapes.ts';

export interface QueueRoutesOptions {
  clock: Clock;
  jobs: Jobs;
  logger: Logger;
}

const retryOperation: OperationDescription = {
  id: 'retry',
  group: 'jobs',
  summary: 'Queues a FAILED or TIMED_OUT job again, with its original input; what came of it before is removed.',
  body: emptyBody,
  answers: { 200: acceptedAnswer },
};

const purgeOperation: OperationDescription = {
  id: 'purgeQueue',
  group: 'jobs',
  summary: 'Cancels the jobs that wait; those in progress go on.',
  body: emptyBody,
  answers: { 200: { words: 'How many were removed.', shape: named('Purged', purgedSchema) } },
};

const requestsOperation: OperationDescription = {
  id: 'requests',
  group: 'jobs',
  summary: 'Lists the newest jobs, newest first, without their output.',
  query: {
    limit: { schema: requestsLimitSchema, words: `How many; ${limits.requestsListed.default} without.` },
    status: { schema: jobStatusSchema, words: 'Only jobs in this state, among the newest thousand.' },
  },
  answers: { 200: { words: 'The jobs.', shape: named('Requests', requestsSchema) } },
  refusals: ['BAD_REQUEST'],
};

type QueueRoute = BriefRoute & DescribedJobRoute;

export function createQueueRoutes({ clock, jobs, logger }: QueueRoutesOptions): Record<string, QueueRoute> {
  /** Clients send `{}` or nothing. The body is read and has no meaning. */
  function withoutBody(call: Call, run: () => void): void {
    readBody(call.request, limits.managementBodyBytes, (bodyError) => {
      try {
        if (bodyError) throw bodyError;
        run();
      } catch (error) {
        sendError(call.response, error, logger);
      }
    });
  }

  const retry = (call: Call): void =>
    withoutBody(call, () => {
      const job = jobs.find(call.endpoint.id, call.first);
      jobs.retry(job, (error) => {
        if (error) sendError(call.response, error, logger);
        // A worker may have taken the job already: the answer says what the caller asked for.
        else sendJson(call.response, 200, `{"id":"${job.id}","status":"IN_QUEUE"}`);
      });
    });

  const purge = (call: Call): void =>
    withoutBody(call, () => {
      jobs.purge(call.endpoint.id, (error, removed) => {
        if (error) sendError(call.response, error, logger);
        else sendJson(call.response, 200, `{"removed":${removed},"status":"completed"}`);
      });
    });

  function statusFilter(call: Call): JobStatus | null {
    const param = call.query?.get('status') ?? null;
    const status = jobStatusSchema.nullable().safeParse(param);
    if (status.success) return status.data;
    throw new AppError('BAD_REQUEST', `status must be one of ${jobStatuses.join(', ')}; got ${JSON.stringify(param)}.`);
  }

  /** Lists jobs as they are on disk: a job with a pending write is listed once it is written. */
  function requests(call: Call): void {
    const most = queryNumber(call.query, 'limit', limits.requestsListed) ?? limits.requestsListed.default;
    const status = statusFilter(call);
    const matches = (job: Job): boolean => !job.removed && (status === null || job.status === status);
    const listed: Job[] = [];
    for (const job of jobs.recent(call.endpoint.id)) {
      if (listed.length === most) break;
      if (matches(job)) listed.push(job);
    }
    const texts = new Map<Job, string>();
    const waiting = new Map<Job, () => void>();
    const addView = (job: Job): void => {
      if (matches(job)) texts.set(job, jobViewText(job, null));
    };
    const answer = (): void => {
      timeUp();
      for (const [job, unwatch] of waiting) {
        unwatch();
        addView(job);
      }
      const views = listed.map((job) => texts.get(job)).filter((text) => text !== undefined);
      sendJson(call.response, 200, `{"requests":[${views.join(',')}]}`);
    };
    const timeUp = clock.after(limits.streamHoldMs, answer);
    for (const job of listed) {
      if (job.pendingWrites === 0) addView(job);
      else {
        const unwatch = jobs.watch(job, () => {
          unwatch();
          waiting.delete(job);
          addView(job);
          if (waiting.size === 0) answer();
        });
        waiting.set(job, unwatch);
      }
    }
    if (waiting.size === 0) answer();
  }

  return {
    retry: { methods: ['POST'], need: 'jobs', tail: '/{jobId}', operation: retryOperation, run: retry },
    'purge-queue': { methods: ['POST'], need: 'jobs', rate: 'purge-queue', operation: purgeOperation, run: purge },
    requests: { methods: ['GET'], need: 'read', rate: 'requests', operation: requestsOperation, run: requests },
  };
}
