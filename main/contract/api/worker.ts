/** The worker protocol as it is documented: what a worker is handed, and what it posts. Bodies are read by their text, not by these. */
import * as z from 'zod';
import { limits } from '../core/limits.ts';

/** How many jobs a worker may ask for at once. */
export const batchSizeSchema = z.int().min(limits.jobsPerTake.min).max(limits.jobsPerTake.max);

/** Answer of job-take: the request as it was sent, with the id of the job. */
export const takenJobSchema = z.looseObject({ id: z.string(), input: z.record(z.string(), z.unknown()) });

/** Body of job-done. With `status` IN_PROGRESS the output is progress; with an error the job has failed. */
export const workerResultSchema = z.looseObject({
  output: z.unknown().optional(),
  error: z.unknown().optional(),
  status: z.string().optional(),
  /** The worker asks to be replaced by a clean one. */
  stopPod: z.boolean().optional(),
});

/** Answer of job-stop. */
export const jobsToStopSchema = z.looseObject({ jobsToStop: z.array(z.string()) });

/** Answer of everything that a worker posts: there is nothing to tell. */
export const takenNoteSchema = z.looseObject({});
