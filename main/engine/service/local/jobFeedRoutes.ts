/** The feed of jobs under /local/v1: every job with its changes, and the input and the chunks of one job. */
import { Readable } from 'node:stream';
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import {
  jobChunksQuerySchema,
  jobChunksSchema,
  jobFeedQuerySchema,
  jobFeedSchema,
  jobNoteSchema,
  type JobChunks,
  type JobFeed,
} from '#contract/local/jobFeed.ts';
import { isTerminal } from '#contract/api/job.ts';
import type { Clock } from '../../domain/core/ports.ts';
import { jobNoteOf, type NoteSources } from '../../domain/jobs/feed/jobNote.ts';
import { hasSettledEnd, type Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { ChunkPosition } from '../../domain/jobs/payload/chunkLog.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import type { Api } from '../access/api.ts';
import { anyAnswer, named, operation } from '../openapi/operation.ts';
import { wholeNumber } from '../openapi/queryParameters.ts';

export interface JobFeedRoutesOptions extends Pick<NoteSources, 'waitsFor' | 'endpointName'> {
  jobs: Jobs;
  texts: Pick<LargeTexts, 'probe' | 'read'>;
  clock: Clock;
}

const idParams = z.object({ id: z.string() });
const { jobFeedHoldMs: holdMs } = limits;

/** About as many bytes of chunks in one answer. */
const CHUNKS_BYTES = 4_000_000;

/** How far a reader of chunks has come in the attempt that runs now: `after` of an earlier attempt begins anew. */
function positionAfter(job: Job, after: string | undefined): ChunkPosition {
  const [retries, index, row] = (after ?? '').split('.').map(Number);
  if (retries === job.retries && index !== undefined && row !== undefined) return { index, row };
  return { index: 0, row: job.chunks?.firstRow ?? 0 };
}

function registerChunks(api: Api, { jobs, clock }: Pick<JobFeedRoutesOptions, 'jobs' | 'clock'>): void {
  const find = (id: string): Job => {
    const job = jobs.get(id);
    if (!job || job.removed) throw new AppError('NOT_FOUND', `There is no job ${JSON.stringify(id)}.`);
    return job;
  };
  const isReady = (job: Job, after: string | undefined, retries: number): boolean =>
    job.removed ||
    job.retries !== retries ||
    hasSettledEnd(job) ||
    (job.chunks?.ready ?? 0) > positionAfter(job, after).index;

  api.get(
    '/local/v1/jobs/:id/chunks',
    operation({
      id: 'jobChunks',
      group: 'queue',
      need: 'read',
      summary: 'Answers the chunks of a job from a place of the reader on, and takes none from the readers of /stream.',
      params: idParams,
      querystring: jobChunksQuerySchema,
      query: {
        after: 'The `next` of the last answer; from the first chunk on without.',
        wait: wholeNumber('How long the answer is held while there is no further chunk, milliseconds.', {
          min: 0,
          max: holdMs,
        }),
      },
      answers: { 200: { words: 'The next chunks.', shape: named('JobChunks', jobChunksSchema) } },
      refusals: ['BAD_REQUEST'],
    }),
    async ({ params: { id }, query: { after, wait } }, reply): Promise<JobChunks> => {
      const waiting = find(id);
      // A reader of an earlier attempt is told at once that another one began.
      const retries = after === undefined ? waiting.retries : Number(after.split('.')[0]);
      if (wait > 0 && !isReady(waiting, after, retries)) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            unwatch();
            timeUp();
            resolve();
          };
          const timeUp = clock.after(wait, done);
          const unwatch = jobs.watch(waiting, () => {
            if (isReady(waiting, after, retries)) done();
          });
          reply.raw.on('close', done);
        });
      }
      const job = find(id);
      const position = positionAfter(job, after);
      const { index } = position;
      const chunks = jobs.readFrom(job, position, CHUNKS_BYTES);
      const isLast = position.index >= (job.chunks?.ready ?? 0) && job.pendingWrites === 0;
      return {
        status: isTerminal(job.status) && !isLast ? 'IN_PROGRESS' : job.status,
        retries: job.retries,
        index,
        chunks,
        next: `${job.retries}.${position.index}.${position.row}`,
      };
    },
  );
}

export function registerJobFeedRoutes(api: Api, options: JobFeedRoutesOptions): void {
  const { jobs, texts, waitsFor, endpointName } = options;
  registerChunks(api, options);
  const { body, output, firstChunks } = jobs;
  const noteOf = (job: Job) => jobNoteOf(job, { body, output, firstChunks, waitsFor, endpointName });

  api.get(
    '/local/v1/jobs',
    operation({
      id: 'jobFeed',
      group: 'queue',
      need: 'all',
      summary:
        'Tells each job and each change of one, to a reader that keeps a list of them; a new reader is told every job first.',
      querystring: jobFeedQuerySchema,
      query: {
        reader: 'The name that the reader chose for itself.',
        after: wholeNumber('The `number` of the last answer that it has stored; 0 without.', {
          min: 0,
          max: Number.MAX_SAFE_INTEGER,
        }),
        wait: wholeNumber('How long the answer is held while there is no change, milliseconds.', {
          min: 0,
          max: holdMs,
        }),
      },
      answers: {
        200: {
          words: 'The jobs as they are now, and the number to send next.',
          shape: named('JobFeed', jobFeedSchema, { parts: [named('JobNote', jobNoteSchema)] }),
        },
      },
      refusals: ['BAD_REQUEST', 'TOO_MANY_REQUESTS'],
    }),
    async ({ query: { reader, after, wait } }, reply): Promise<JobFeed> => {
      const batch = jobs.feed.read(reader, after, noteOf);
      if (batch.jobs.length > 0 || batch.more || wait === 0) return { ...batch, jobs: [...batch.jobs] };
      await new Promise<void>((resolve) => {
        const cancel = jobs.feed.await(reader, wait, resolve);
        reply.raw.on('close', () => {
          cancel();
          resolve();
        });
      });
      // What is read for a reader that has gone would be told to nobody.
      if (reply.raw.destroyed) return { ...batch, jobs: [] };
      const next = jobs.feed.read(reader, batch.number, noteOf);
      return { ...next, jobs: [...next.jobs] };
    },
  );
  api.get(
    '/local/v1/jobs/:id/request',
    operation({
      id: 'jobRequest',
      group: 'queue',
      need: 'all',
      summary: 'Answers the request of a job as it was sent.',
      params: idParams,
      answers: { 200: { words: 'The request.', shape: anyAnswer } },
    }),
    async ({ params }, reply) => {
      const job = jobs.get(params.id);
      const text = job ? body(job) : null;
      if (text === null) throw new AppError('NOT_FOUND', `There is no request of a job ${JSON.stringify(params.id)}.`);
      void reply.type('application/json');
      if (typeof text === 'string') return reply.send(text);
      await texts.probe(text);
      return reply.send(Readable.from(texts.read(text), { objectMode: false }));
    },
  );
}
