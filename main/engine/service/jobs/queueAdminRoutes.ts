/** The order of a queue over HTTP, and the jobs in quarantine. */
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import {
  moveJobSchema,
  queuedJobSchema,
  setAsideSchema,
  type QueuedJob,
  type SetAside,
} from '#contract/local/machine.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';
import { wholeNumber } from '../openapi/queryParameters.ts';

export interface JobPlaceRoutesOptions {
  jobs: Jobs;
  endpoints: Endpoints;
}

const { queueListed } = limits;
const idParams = z.object({ id: z.string() });
const listQuery = z.object({
  limit: z.coerce.number().int().min(queueListed.min).max(queueListed.max).default(queueListed.default),
});

const queuedShape = named('QueuedJob', queuedJobSchema);

const queued = ({ id, submittedAt, lowPriority, retries }: Job): QueuedJob => ({
  id,
  submittedAt: new Date(submittedAt).toISOString(),
  lowPriority,
  retries,
});

const setAside = ({ id, endpointId, submittedAt, crashes }: Job): SetAside => ({
  id,
  endpointId,
  submittedAt: new Date(submittedAt).toISOString(),
  crashes,
});

/** Answers once the change is stored. */
const stored = (change: (settled: (error: unknown) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    change((error) => {
      if (error) reject(error instanceof Error ? error : new Error('the change could not be stored', { cause: error }));
      else resolve();
    });
  });

export function registerJobPlaceRoutes(api: Api, { jobs, endpoints }: JobPlaceRoutesOptions): void {
  function find(id: string): Job {
    const job = jobs.get(id);
    if (!job) throw new AppError('NOT_FOUND', `There is no job ${JSON.stringify(id)}.`);
    return job;
  }

  api.get(
    '/local/v1/endpoints/:id/queue',
    operation({
      id: 'queue',
      group: 'queue',
      need: 'read',
      summary: 'Lists the jobs that wait, in the order in which workers get them.',
      params: idParams,
      querystring: listQuery,
      query: { limit: wholeNumber(`How many; ${queueListed.default} without.`, queueListed) },
      answers: { 200: { words: 'The jobs, the next one first.', shape: { listOf: queuedShape } } },
      refusals: ['BAD_REQUEST'],
    }),
    async ({ params, query }) => jobs.first(endpoints.get(params.id).id, query.limit).map(queued),
  );
  api.post(
    '/local/v1/jobs/:id/move',
    operation({
      id: 'moveJob',
      group: 'queue',
      need: 'all',
      summary: 'Puts a waiting job before another one of its endpoint, or last; it keeps that place over a restart.',
      params: idParams,
      body: named('MoveJob', moveJobSchema),
      answers: { 200: { words: 'The job.', shape: queuedShape } },
      refusals: ['CONFLICT'],
    }),
    async ({ params, body }) => {
      const job = find(params.id);
      const before = body.before === null ? null : find(body.before);
      await stored((settled) => jobs.move(job, before, settled));
      return queued(job);
    },
  );
  api.get(
    '/local/v1/set-aside',
    operation({
      id: 'setAside',
      group: 'queue',
      need: 'read',
      summary: 'Lists the jobs that were running at two crashes of the engine, and are handed to nobody for that.',
      answers: { 200: { words: 'The jobs.', shape: { listOf: named('SetAside', setAsideSchema) } } },
    }),
    async () => jobs.quarantined().map(setAside),
  );
  api.post(
    '/local/v1/jobs/:id/release',
    operation({
      id: 'releaseJob',
      group: 'queue',
      need: 'all',
      summary: 'Has a job that is set aside tried again.',
      params: idParams,
      answers: { 200: { words: 'The job, which waits now.', shape: queuedShape } },
      refusals: ['BAD_REQUEST'],
    }),
    async ({ params }) => {
      const job = find(params.id);
      await stored((settled) => jobs.release(job, settled));
      return queued(job);
    },
  );
}
