/** The job operations that clients call. On the hot path: no framework, payloads pass through as text. */
import { healthSchema, wholeMs, type Health } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import { hasSettledEnd, type Job } from '../../domain/jobs/jobRecord.ts';
import { senderOf } from '../../domain/jobs/feed/sender.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored } from '../../domain/jobs/payload/payloadRef.ts';
import { keyNameOf } from '../http/auth.ts';
import type { BodyIntake } from '../http/bodies/parser.ts';
import { queryNumber, type BriefRoute, type Call, type JobPath } from '../http/route.ts';
import { sendError, sendJson } from '../http/errorMapper.ts';
import { readBody } from '../http/bodies/reader.ts';
import { named, type DescribedJobRoute, type OperationDescription } from '../openapi/operation.ts';
import { createJobViews, type JobViews, type JobViewsOptions } from './jobViews.ts';
import { createLongPoll, type LongPoll } from './longPoll.ts';
import { acceptedAnswer, acceptedShape, emptyBody, jobAnswer, requestShape, waitParameter } from './shapes.ts';
import { createStreamRoute, type StreamRouteOptions } from './streamRoute.ts';

export interface JobRoutesOptions extends JobViewsOptions, Pick<StreamRouteOptions, 'limits' | 'streamAnswer'> {
  clock: Clock;
  jobs: Jobs;
  intake: BodyIntake;
  texts: LargeTexts;
  logger: Logger;
  health(endpointId: string): Health;
}

type ClientRoute = BriefRoute & DescribedJobRoute;

interface Parts extends JobRoutesOptions {
  longPoll: LongPoll;
  views: JobViews;
}

const describeRun = (now: LimitSettings): OperationDescription => ({
  id: 'run',
  group: 'jobs',
  summary: `Submits a job and answers at once. A body of at most ${now.runBodyBytes} bytes.`,
  body: { shape: requestShape(now) },
  answers: { 200: acceptedAnswer },
  refusals: ['STORAGE_FULL'],
});

const describeRunsync = (now: LimitSettings): OperationDescription => ({
  id: 'runSync',
  group: 'jobs',
  summary: `Submits a job and waits for its end; where the wait runs out, the job as it is then. A body of at most ${now.runsyncBodyBytes} bytes.`,
  query: { wait: waitParameter(now) },
  body: { shape: requestShape(now) },
  answers: { 200: jobAnswer },
  refusals: ['STORAGE_FULL'],
});

const describeStatus = ({ ttlMs }: LimitSettings): OperationDescription => ({
  id: 'status',
  group: 'jobs',
  summary: 'Tells the state of a job, and its output once it has one.',
  query: {
    ttl: {
      schema: wholeMs(ttlMs),
      words:
        'Replaces the ttl of the job, milliseconds; still counted from submission. Needs a key of the scope `jobs` or more.',
    },
  },
  answers: { 200: jobAnswer },
  refusals: ['BAD_REQUEST'],
});

const describeStatusSync = (now: LimitSettings): OperationDescription => ({
  id: 'statusSync',
  group: 'jobs',
  summary: 'Waits for the end of a job. Counts to the rate of status.',
  query: { wait: waitParameter(now) },
  answers: { 200: jobAnswer },
  refusals: ['BAD_REQUEST'],
});

const cancelOperation: OperationDescription = {
  id: 'cancel',
  group: 'jobs',
  summary: 'Takes a waiting job off the queue, or stops one that runs.',
  body: emptyBody,
  answers: { 200: { words: 'The job, and that it is cancelled.', shape: acceptedShape } },
};

const healthOperation: OperationDescription = {
  id: 'health',
  group: 'jobs',
  summary: 'Counts the jobs and workers of the endpoint. Never limited.',
  answers: { 200: { words: 'The counters.', shape: named('Health', healthSchema) } },
};

/** Answers once the job has ended and its end is on disk, or after `holdMs`. */
const awaitEnd = ({ longPoll, views }: Parts, call: Call, job: Job, holdMs: number): void =>
  longPoll.answerWhen(
    call,
    job,
    holdMs,
    () => hasSettledEnd(job),
    () => views.send(call.response, job),
  );

function createSubmitRoutes(parts: Parts): Record<'run' | 'runsync', ClientRoute> {
  const { clock, jobs, intake, texts, logger } = parts;

  function submit(call: Call, sync: boolean): void {
    const { runBodyBytes, runsyncBodyBytes, waitMs: range, retentionMs: retention } = parts.limits();
    const waitMs = sync ? queryNumber(call.query, 'wait', range) : undefined;
    const limitBytes = sync ? runsyncBodyBytes : runBodyBytes;
    const retentionMs = !sync ? retention.run : waitMs === undefined ? retention.runsync : retention.runsyncWithWait;
    intake.request(call.request, limitBytes, (bodyError, checked) => {
      try {
        if (!checked) throw bodyError;
        const { terms: request, body } = checked;
        const receivedAt = clock.elapsed();
        const sender = senderOf(keyNameOf(call.caller), call.request.headers['user-agent']);
        jobs.submit({ endpointId: call.endpoint.id, request, body, sync, sender, retentionMs }, (error, job) => {
          if (error) sendError(call.response, error, logger);
          else if (!sync) sendJson(call.response, 200, `{"id":"${job.id}","status":"IN_QUEUE"}`);
          else awaitEnd(parts, call, job, Math.max(0, receivedAt + (waitMs ?? range.default) - clock.elapsed()));
        });
      } catch (error) {
        if (checked && isStored(checked.body)) texts.discard(checked.body);
        sendError(call.response, error, logger);
      }
    });
  }

  return {
    run: { methods: ['POST'], need: 'jobs', rate: 'run', operation: describeRun, run: (call) => submit(call, false) },
    runsync: {
      methods: ['POST'],
      need: 'jobs',
      rate: 'runsync',
      operation: describeRunsync,
      run: (call) => submit(call, true),
    },
  };
}

function createStatusRoutes(parts: Parts): Record<'status' | 'status-sync', ClientRoute> {
  const { jobs, logger, longPoll, views } = parts;

  function status(call: Call): void {
    const job = jobs.find(call.endpoint.id, call.first);
    const ttlMs = queryNumber(call.query, 'ttl', parts.limits().ttlMs);
    if (ttlMs === undefined) {
      longPoll.answerSettled(call, job, () => views.send(call.response, job));
      return;
    }
    jobs.setTtl(job, ttlMs, (error) => {
      if (error) sendError(call.response, error, logger);
      else views.send(call.response, job);
    });
  }

  const hasTtl = ({ query }: JobPath): boolean => (query?.get('ttl') ?? null) !== null;
  return {
    status: {
      methods: ['GET', 'POST'],
      need: 'read',
      // A ttl decides when the job is deleted.
      needOf: (path) => (hasTtl(path) ? 'jobs' : 'read'),
      rate: 'status',
      tail: '/{jobId}',
      operation: describeStatus,
      run: status,
    },
    'status-sync': {
      methods: ['GET', 'POST'],
      need: 'read',
      rate: 'status',
      tail: '/{jobId}',
      operation: describeStatusSync,
      run(call) {
        const job = jobs.find(call.endpoint.id, call.first);
        const range = parts.limits().waitMs;
        awaitEnd(parts, call, job, queryNumber(call.query, 'wait', range) ?? range.default);
      },
    },
  };
}

export function createJobRoutes(options: JobRoutesOptions): Record<string, ClientRoute> {
  const { jobs, logger, health } = options;
  const parts: Parts = { ...options, longPoll: createLongPoll(options), views: createJobViews(options) };

  function cancel(call: Call): void {
    // Clients send `{}` or nothing. The body is read and has no meaning.
    readBody(call.request, limits.managementBodyBytes, (bodyError) => {
      try {
        if (bodyError) throw bodyError;
        const job = jobs.find(call.endpoint.id, call.first);
        jobs.cancel(job, (error) => {
          if (error) sendError(call.response, error, logger);
          else sendJson(call.response, 200, `{"id":"${job.id}","status":"${job.status}"}`);
        });
      } catch (error) {
        sendError(call.response, error, logger);
      }
    });
  }

  return {
    ...createSubmitRoutes(parts),
    ...createStatusRoutes(parts),
    stream: createStreamRoute(parts),
    cancel: {
      methods: ['POST'],
      need: 'jobs',
      rate: 'cancel',
      tail: '/{jobId}',
      operation: cancelOperation,
      run: cancel,
    },
    health: {
      methods: ['GET'],
      need: 'read',
      operation: healthOperation,
      run: (call) => sendJson(call.response, 200, JSON.stringify(health(call.endpoint.id))),
    },
  };
}
