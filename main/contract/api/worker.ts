/**
 * The documented worker protocol: the job that a worker receives, and the bodies that it posts. The engine reads those
 * bodies as text and does not parse them with these schemas.
 */
import * as z from 'zod';
import { limits } from '../core/limits.ts';

/** How many jobs a worker may request at once. */
export const batchSizeSchema = z.int().min(limits.jobsPerTake.min).max(limits.jobsPerTake.max);

/** Answer of job-take: the request as the client sent it, with the id of the job. */
export const takenJobSchema = z.looseObject({ id: z.string(), input: z.record(z.string(), z.unknown()) });

/** Body of job-done. With `status` IN_PROGRESS the output is progress; with an error the job has failed. */
export const workerResultSchema = z.looseObject({
  output: z.unknown().optional(),
  error: z.unknown().optional(),
  status: z.string().optional(),
  /** The worker requests its replacement by a clean worker. */
  stopPod: z.boolean().optional(),
});

/** Answer of job-stop. */
export const jobsToStopSchema = z.looseObject({ jobsToStop: z.array(z.string()) });

/** The empty answer of every POST of a worker. */
export const takenNoteSchema = z.looseObject({});
