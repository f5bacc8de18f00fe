/** The order of a queue over HTTP, and the jobs that are set aside. */
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { moveJobSchema, type QueuedJob, type SetAside } from '#contract/local/machine.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

export interface JobPlaceRoutesOptions {
  jobs: Jobs;
  endpoints: Endpoints;
}

const { queueListed } = limits;
const idParams = z.object({ id: z.string() });
const listQuery = z.object({
  limit: z.coerce.number().int().min(queueListed.min).max(queueListed.max).default(queueListed.default),
});

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
    { ...needs('read'), schema: { params: idParams, querystring: listQuery } },
    async ({ params, query }) => jobs.first(endpoints.get(params.id).id, query.limit).map(queued),
  );
  api.post(
    '/local/v1/jobs/:id/move',
    { ...needs('all'), schema: { params: idParams, body: moveJobSchema } },
    async ({ params, body }) => {
      const job = find(params.id);
      const before = body.before === null ? null : find(body.before);
      await stored((settled) => jobs.move(job, before, settled));
      return queued(job);
    },
  );
  api.get('/local/v1/set-aside', needs('read'), async () => jobs.quarantined().map(setAside));
  api.post('/local/v1/jobs/:id/release', { ...needs('all'), schema: { params: idParams } }, async ({ params }) => {
    const job = find(params.id);
    await stored((settled) => jobs.release(job, settled));
    return queued(job);
  });
}
