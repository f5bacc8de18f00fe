/**
 * The feed of jobs, GET /local/v1/jobs: every job that an engine has, whoever sent it, and each change of one. Times
 * are milliseconds since the epoch, except names that end in `Time`: those are durations.
 */
import * as z from 'zod';
import { jobStatusSchema } from '../api/job.ts';
import { limits } from '../core/limits.ts';

/** The name in the user agent of Hangar's own requests. */
export const OWN_CLIENT = 'Hangar';

/** Who sent a job. `own`: the host of the engine. `keyName` is null for the key of the run. */
export const jobSenderSchema = z.looseObject({
  own: z.boolean(),
  keyName: z.string().nullable(),
  /** The program that sent it, as it names itself. */
  client: z.string().nullable(),
});
export type JobSender = z.infer<typeof jobSenderSchema>;

export const jobNoteSchema = z.looseObject({
  id: z.string(),
  endpointId: z.string(),
  endpointName: z.string(),
  /** Whether it was sent with /runsync. */
  sync: z.boolean(),
  sender: jobSenderSchema,
  status: jobStatusSchema,
  /** Whether the engine no longer has it, so that this is the last note about it. */
  removed: z.boolean(),
  submittedAt: z.number(),
  /** When it last entered the queue. */
  queuedAt: z.number(),
  workerStartedAt: z.number().nullable(),
  startedAt: z.number().nullable(),
  /** The price of its worker when it took the job, US dollars per hour; null where the engine does not know it any more. */
  pricePerHour: z.number().nullable().default(null),
  finishedAt: z.number().nullable(),
  delayTime: z.int().nullable(),
  executionTime: z.int().nullable(),
  workerId: z.string().nullable(),
  /** How often it was queued again: its worker was lost, or a client retried it. */
  retries: z.int(),
  error: z.string().nullable(),
  /** Why it waits. */
  waiting: z.string().nullable(),
  /** The request as it was sent; null where it is large or gone. `bodyBytes` is null only where it is gone. */
  body: z.string().nullable(),
  bodyBytes: z.int().nullable(),
  /** Raw JSON of the result of a job that has ended; null without one, and where it is large or gone. */
  output: z.string().nullable(),
  outputBytes: z.int().nullable(),
  /** Raw JSON of the first chunks of a job that has ended, as /stream answers them, up to a megabyte. */
  chunks: z.array(z.string()),
  /** How many chunks a job that has ended has; 0 if the engine does not report it, as before this field. */
  chunkTotal: z.int().default(0),
});
export type JobNote = z.infer<typeof jobNoteSchema>;

export const jobFeedQuerySchema = z.object({
  /** The reader, who names itself: each one gets each change once. */
  reader: z.string().regex(/^[\w-]{8,64}$/u),
  /** The number of the last answer that the reader has stored; 0 at first. */
  after: z.coerce.number().int().min(0).default(0),
  /** Milliseconds that the answer is held while there is no change. */
  wait: z.coerce.number().int().min(0).max(limits.jobFeedHoldMs).default(0),
});

/** A read of the chunks of one job that takes none from the readers of /stream. */
export const jobChunksQuerySchema = z.object({
  /** `next` of the last answer; from the first chunk on without it. */
  after: z
    .string()
    .regex(/^\d{1,9}\.\d{1,15}\.\d{1,15}$/u)
    .optional(),
  /** Milliseconds that the answer is held while there is no further chunk. */
  wait: z.coerce.number().int().min(0).max(limits.jobFeedHoldMs).default(0),
});

export const jobChunksSchema = z.looseObject({
  /** An end state only once no chunk is left. */
  status: jobStatusSchema,
  /** The attempt of the chunks. Each attempt begins anew, also for a reader that had chunks of an earlier one. */
  retries: z.int(),
  /** The number of the first of these chunks; they count from 0. */
  index: z.int(),
  /** Raw JSON of the chunks, as /stream answers them. */
  chunks: z.array(z.string()),
  /** To be sent as `after` with the next request. */
  next: z.string(),
});
export type JobChunks = z.infer<typeof jobChunksSchema>;

export const jobFeedSchema = z.looseObject({
  /** To be sent as `after` with the next request. */
  number: z.int(),
  jobs: z.array(jobNoteSchema),
  /** Whether more is ready. */
  more: z.boolean(),
  /** Jobs that came and went unread since the last answer: the reader was too slow for them. */
  missed: z.int(),
});
export type JobFeed = z.infer<typeof jobFeedSchema>;
