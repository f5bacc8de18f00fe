/**
 * The ledger: every job that was sent from here, every job that an engine of Hangar reports, and every answer. Times are
 * milliseconds since the epoch, except names that end in `Time`: those are durations.
 */
import * as z from 'zod';
import { jobStatuses, jobStatusSchema } from '../api/job.ts';
import { limits } from '../core/limits.ts';
import { webhookStateSchema } from '../api/webhook.ts';

/**
 * The job's own states, and four that only the sender knows. SENDING: no answer yet. REFUSED: the service did not
 * accept the job; `error` says why. UNANSWERED: the job was sent and no answer came, so nobody knows whether it was
 * accepted. GONE: the service no longer knows the job; all earlier answers stay in the ledger.
 */
export const ledgerStatuses = ['SENDING', ...jobStatuses, 'REFUSED', 'UNANSWERED', 'GONE'] as const;
export const ledgerStatusSchema = z.enum(ledgerStatuses);
export type LedgerStatus = z.infer<typeof ledgerStatusSchema>;

export const runModes = ['run', 'runsync'] as const;
export type RunMode = (typeof runModes)[number];

/**
 * Where a job came from: the page, the command line, or the API of its account, which a script, a program or another
 * Hangar used.
 */
export const jobSources = ['window', 'command', 'api'] as const;
export type JobSource = (typeof jobSources)[number];

/**
 * `possible`: an answer with chunks may be lost. `filled`: chunks were lost, and come from the final output. `cut`: only the
 * first chunks of a job of a script were read, because no window showed it. `unread`: the service deleted the ended job
 * before its chunks and its output were read.
 */
/** How the end of a job is compared with the chunks that were received, because some of them may be lost. */
export interface ChunkGapCheck {
  /** Every chunk of the last attempt as raw JSON; null if the account does not answer them again. */
  allChunks: readonly string[] | null;
}

export const chunkGaps = ['possible', 'filled', 'cut', 'unread'] as const;

/** One job, without its payloads. */
export const ledgerEntrySchema = z.object({
  /** The app's own id, known before the service answers. */
  entryId: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  endpointId: z.string(),
  endpointName: z.string(),
  jobId: z.string().nullable(),
  mode: z.enum(runModes),
  source: z.enum(jobSources),
  /** The program that used the API, as it names itself. */
  client: z.string().nullable(),
  /** The name of the API key that it used. */
  keyName: z.string().nullable(),
  /** What the job is about, in one line: the prompt of its input or the like. */
  preview: z.string().nullable(),
  tags: z.array(z.string()),
  status: ledgerStatusSchema,
  sentAt: z.number(),
  /** When it was queued again for the attempt that runs now, or ran last; null for the first attempt. */
  queuedAt: z.number().nullable(),
  /** When the worker of the job began to start; null if the worker was there already, or if the time is not known. */
  workerStartedAt: z.number().nullable(),
  startedAt: z.number().nullable(),
  /** The price of its worker when it took the job, US dollars per hour: 0 if none was set. Null if it is not known. */
  pricePerHour: z.number().nullable(),
  finishedAt: z.number().nullable(),
  /** Milliseconds in the queue, as the service reports them. */
  delayTime: z.int().nullable(),
  /** Milliseconds of execution, as the service reports them. */
  executionTime: z.int().nullable(),
  workerId: z.string().nullable(),
  /** How many times the job was queued again: its worker was lost, or it was retried. Each time its chunks begin anew. */
  retries: z.int(),
  chunkCount: z.int(),
  /** Null if each chunk came from the stream. */
  chunkGap: z.enum(chunkGaps).nullable(),
  inputBytes: z.int(),
  outputBytes: z.int(),
  /** Why the job failed, was refused or is gone. */
  error: z.string().nullable(),
  /** Why the job still waits, if the service reports it. */
  waiting: z.string().nullable(),
  /**
   * Why its account cannot be asked about it now: the other facts are the last known ones. Null while it is followed, and
   * for a job that only the feed of an engine reports.
   */
  trouble: z.string().nullable(),
  /** The entry of the job that a person ran again with this one; null for any other job. It may be removed meanwhile. */
  retryOf: z.string().nullable(),
  /** Why its webhook was not delivered, as its service reports it: the reason of the last attempt. Null for any other job. */
  webhookProblem: z.string().nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** The fields of an entry that the service reports while the job runs, and at its end. */
export const jobFactNames = [
  'status',
  'queuedAt',
  'workerStartedAt',
  'startedAt',
  'pricePerHour',
  'finishedAt',
  'delayTime',
  'executionTime',
  'workerId',
  'error',
  'waiting',
  'trouble',
  'chunkGap',
] as const satisfies readonly (keyof LedgerEntry)[];

/** New facts about a job. A field that is missing stays as it is. */
export type JobFacts = Partial<Pick<LedgerEntry, (typeof jobFactNames)[number]>>;

/** Why there was a next attempt: the worker was lost, Hangar was stopped or killed, or a program or a person retried. */
export const attemptEnds = ['lost', 'stopped', 'killed', 'retried', 'retried-here'] as const;
export type AttemptEnd = (typeof attemptEnds)[number];

/** An attempt of a job before the one that its entry shows. */
export const jobAttemptSchema = z.object({
  /** Counts from 1. */
  number: z.int(),
  endedBy: z.enum(attemptEnds),
  status: ledgerStatusSchema,
  queuedAt: z.number(),
  startedAt: z.number().nullable(),
  /** When it ended, or when it was queued again. */
  finishedAt: z.number(),
  delayTime: z.int().nullable(),
  executionTime: z.int().nullable(),
  workerId: z.string().nullable(),
  error: z.string().nullable(),
});
export type JobAttempt = z.infer<typeof jobAttemptSchema>;

/**
 * One stream chunk: `text` is the raw JSON of its `output`, `metrics` that of the field of this name beside it, where
 * there is one. `index` counts from 0 without gaps.
 */
export const ledgerChunkSchema = z.object({
  index: z.int(),
  at: z.number(),
  text: z.string(),
  metrics: z.string().optional(),
});
export type LedgerChunk = z.infer<typeof ledgerChunkSchema>;

/** An entry with its payloads. Chunks have a procedure of their own. */
export const ledgerDetailSchema = z.object({
  entry: ledgerEntrySchema,
  /** The request body as it was sent, with masked storage secrets. */
  body: z.string(),
  /** Raw JSON of the result; null when there is none (yet). */
  output: z.string().nullable(),
});
export type LedgerDetail = z.infer<typeof ledgerDetailSchema>;

export const ledgerFilterSchema = z.object({
  statuses: z.array(ledgerStatusSchema).optional(),
  accountId: z.string().optional(),
  endpointId: z.string().optional(),
  source: z.enum(jobSources).optional(),
  keyName: z.string().max(200).optional(),
  /** One of the tags that a person gave the job. */
  tag: z.string().max(limits.ledger.tagLength).optional(),
  /** Only requests of OpenAI clients, such as those of the chat (true), or only the other jobs (false). */
  openai: z.boolean().optional(),
  /** Only jobs sent at or after this moment. */
  sentAfter: z.number().optional(),
  /** Only jobs sent before this moment. */
  sentBefore: z.number().optional(),
  /**
   * Words in any order, each a part of the job's id, endpoint name, tags, error, request body or output; case does not
   * matter. Only the beginning of long bodies and outputs is searched.
   */
  text: z.string().max(200).optional(),
});
export type LedgerFilter = z.infer<typeof ledgerFilterSchema>;

export const ledgerPageSchema = z.object({
  /** Newest first. */
  entries: z.array(ledgerEntrySchema),
  /** How many entries match the filter. While a text search is not complete: how many so far. */
  matching: z.int(),
  /**
   * False while a text search has not reached the oldest job. The same request then continues where this one stopped.
   */
  complete: z.boolean(),
  /** How many entries there are in total. */
  total: z.int(),
});
export type LedgerPage = z.infer<typeof ledgerPageSchema>;

/** How many jobs there are now. */
export const jobCountsSchema = z.object({
  running: z.int(),
  /** Also those that are being sent. */
  queued: z.int(),
  /** Sent at or after the moment that was asked for. */
  since: z.int(),
  /** Those of `since` that failed. */
  failed: z.int(),
});
export type JobCounts = z.infer<typeof jobCountsSchema>;

const endpointPlace = { accountId: z.string(), endpointId: z.string(), endpointName: z.string() };

/** Failed jobs of one endpoint with the same error. */
export const failedJobsSchema = z.object({
  ...endpointPlace,
  /** The sentence of their error; empty if there is none. */
  headline: z.string(),
  jobs: z.int(),
  /** When the last of them failed, and its entry. */
  lastAt: z.number(),
  entryId: z.string(),
});
export type FailedJobs = z.infer<typeof failedJobsSchema>;

/** The jobs in the queue of one endpoint that does not start them. */
export const waitingJobsSchema = z.object({
  ...endpointPlace,
  jobs: z.int(),
  /** Why the first of them waits. */
  reason: z.string(),
});
export type WaitingJobs = z.infer<typeof waitingJobsSchema>;

/** Jobs whose webhooks were not delivered. */
export const undeliveredSchema = z.object({
  jobs: z.int(),
  /** When the last of them ended, its entry, and why its webhook was not delivered. */
  lastAt: z.number(),
  entryId: z.string(),
  reason: z.string(),
});
export type Undelivered = z.infer<typeof undeliveredSchema>;

/** The jobs of all accounts that need a person, counted. */
export const jobsToAttendSchema = z.object({
  /** Newest failure first. */
  failed: z.array(failedJobsSchema),
  /** Failed jobs of further groups than those in `failed`. */
  otherFailed: z.int(),
  /** When the last of these failed; 0 if there is none. */
  otherLastAt: z.number(),
  waiting: z.array(waitingJobsSchema),
  /** Null if all webhooks were delivered. */
  undelivered: undeliveredSchema.nullable(),
});
export type JobsToAttend = z.infer<typeof jobsToAttendSchema>;

/** Results that the service of an account deletes soon, unless it is an engine with its own retention. */
export const expiringJobsSchema = z.object({
  accountId: z.string(),
  jobs: z.int(),
  /** When the first of them is deleted. */
  firstAt: z.number(),
});
export type ExpiringJobs = z.infer<typeof expiringJobsSchema>;

/** Consecutive requests to the service about one job with the same result. `path` contains no secret. */
export const requestLineSchema = z.object({
  /** When the first and the last of them were sent. */
  firstAt: z.number(),
  lastAt: z.number(),
  method: z.string(),
  path: z.string(),
  /** The HTTP status of the answer; null if no answer came. */
  status: z.int().nullable(),
  times: z.int(),
  /** Their total duration. */
  tookMs: z.number(),
  /** Why no answer came, for a person. */
  error: z.string().nullable(),
});
export type RequestLine = z.infer<typeof requestLineSchema>;

/**
 * What the handler of a running job reported last. `text`: its raw JSON; null if there is none, or if it is too long to be
 * shown while it changes. `leftOutBytes`: its size then; null otherwise.
 */
export const jobProgressSchema = z.object({ text: z.string().nullable(), leftOutBytes: z.int().nullable() });
export type JobProgress = z.infer<typeof jobProgressSchema>;

/** One webhook of a job, as the service reports it. */
export const ledgerWebhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  /** The final state of the job that the webhook reports. */
  jobStatus: jobStatusSchema,
  state: webhookStateSchema,
  nextAttemptAt: z.number().nullable(),
  /** Oldest first. */
  attempts: z.array(
    z.object({ at: z.number(), tookMs: z.number(), status: z.int().nullable(), error: z.string().nullable() }),
  ),
});
export type LedgerWebhook = z.infer<typeof ledgerWebhookSchema>;

/** `told`: whether the account reports its webhook calls, and whether this job named a webhook. */
export const ledgerWebhooksSchema = z.object({
  told: z.enum(['yes', 'none-named', 'not-by-account']),
  webhooks: z.array(ledgerWebhookSchema),
});
export type LedgerWebhooks = z.infer<typeof ledgerWebhooksSchema>;

/** At most 1000 jobs in one request. */
const entryIdsSchema = z.array(z.string()).min(1).max(1000);

/** Either all jobs that match the filter, or the jobs in `entryIds`. */
export const ledgerExportSchema = z.object({
  format: z.enum(['jsonl', 'csv']),
  filter: ledgerFilterSchema,
  entryIds: entryIdsSchema.optional(),
});
export type LedgerExport = z.infer<typeof ledgerExportSchema>;

/** The result for one of many jobs: its entry after the change, or why nothing was done. */
export const jobOutcomeSchema = z.object({
  entryId: z.string(),
  entry: ledgerEntrySchema.nullable(),
  problem: z.string().nullable(),
});
export type JobOutcome = z.infer<typeof jobOutcomeSchema>;

/** How many jobs of all accounts run and wait now. */
export const openJobsSchema = jobCountsSchema.pick({ running: true, queued: true });
export type OpenJobs = z.infer<typeof openJobsSchema>;

/**
 * Entries that were added or changed. With `others` above 0 so many more did: lists have to be read again. `open` stands in
 * the first event, and in each for which it has changed.
 */
export const jobChangesSchema = z.object({
  entries: z.array(ledgerEntrySchema),
  others: z.int(),
  open: openJobsSchema.optional(),
});
export type JobChanges = z.infer<typeof jobChangesSchema>;

/** `leftOut`: bytes and first characters of an output that is too long for the event; `output` is null then. */
const leftOut = z.object({ bytes: z.int(), start: z.string() }).optional();
const eventOutput = { output: z.string().nullable(), leftOut };

/** Events for a watcher of one job: a snapshot first, then each change once, in order. */
export const jobEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    entry: ledgerEntrySchema,
    chunks: z.array(ledgerChunkSchema),
    ...eventOutput,
  }),
  z.object({ type: z.literal('chunks'), chunks: z.array(ledgerChunkSchema) }),
  z.object({ type: z.literal('entry'), entry: ledgerEntrySchema, ...eventOutput }),
]);
export type JobEvent = z.infer<typeof jobEventSchema>;
