/** What clients ask of an endpoint's jobs after they were submitted: retry one, purge those that wait, list the newest. */
import { AppError } from '#contract/core/errors.ts';
import { jobStatusSchema, jobStatuses, type JobStatus } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { jobViewText } from '../../domain/jobs/views/statusView.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import { queryNumber, type BriefRoute, type Call } from '../http/route.ts';
import { sendError, sendJson } from '../http/errorMapper.ts';
import { readBody } from '../http/guards.ts';

export interface QueueRoutesOptions {
  clock: Clock;
  jobs: Jobs;
  logger: Logger;
}

export function createQueueRoutes({ clock, jobs, logger }: QueueRoutesOptions): Record<string, BriefRoute> {
  /** Clients send `{}` or nothing; it is read and means nothing. */
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
        // A worker may have it already: what was asked for is told.
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
    const unsettled = new Map<Job, () => void>();
    const addView = (job: Job): void => {
      if (matches(job)) texts.set(job, jobViewText(job, null));
    };
    const answer = (): void => {
      timeUp();
      for (const [job, unwatch] of unsettled) {
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
          unsettled.delete(job);
          addView(job);
          if (unsettled.size === 0) answer();
        });
        unsettled.set(job, unwatch);
      }
    }
    if (unsettled.size === 0) answer();
  }

  return {
    retry: { methods: ['POST'], need: 'jobs', run: retry },
    'purge-queue': { methods: ['POST'], need: 'jobs', rate: 'purge-queue', run: purge },
    requests: { methods: ['GET'], need: 'read', rate: 'requests', run: requests },
  };
}
