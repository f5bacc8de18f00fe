/** The ledger: what was sent from here, and everything that came back. Times are milliseconds since the epoch unless they end in `Time`. */
import * as z from 'zod';
import { jobStatuses, jobStatusSchema } from '../api/job.ts';
import { limits } from '../core/limits.ts';
import { webhookStateSchema } from '../api/webhook.ts';

/**
 * The job's own states, and four that only a sender knows: SENDING (no answer yet), REFUSED (the service did not
 * accept it; `error` says why), UNANSWERED (it was sent and no answer came: nobody knows whether it was accepted) and GONE (the service no longer knows the job; what came back before stays here).
 */
export const ledgerStatuses = ['SENDING', ...jobStatuses, 'REFUSED', 'UNANSWERED', 'GONE'] as const;
export const ledgerStatusSchema = z.enum(ledgerStatuses);
export type LedgerStatus = z.infer<typeof ledgerStatusSchema>;

export const runModes = ['run', 'runsync'] as const;
export type RunMode = (typeof runModes)[number];

/** `possible`: an answer with chunks may have been lost on its way; `filled`: some had been, and came from the final output. */
export const chunkGaps = ['possible', 'filled'] as const;

/** One job sent from here, without its payloads. */
export const ledgerEntrySchema = z.object({
  /** Our own id, known before the service answered. */
  entryId: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  endpointId: z.string(),
  endpointName: z.string(),
  jobId: z.string().nullable(),
  mode: z.enum(runModes),
  status: ledgerStatusSchema,
  sentAt: z.number(),
  /** When the worker that runs it began to start; null when one was there already or it is not known. */
  workerStartedAt: z.number().nullable(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  /** Milliseconds in the queue, as the service tells. */
  delayTime: z.int().nullable(),
  /** Milliseconds of execution, as the service tells. */
  executionTime: z.int().nullable(),
  workerId: z.string().nullable(),
  /** How often it was queued again because its worker was lost; each time its chunks begin anew. */
  retries: z.int(),
  chunkCount: z.int(),
  /** Null where each chunk came as it was told. */
  chunkGap: z.enum(chunkGaps).nullable(),
  inputBytes: z.int(),
  outputBytes: z.int(),
  /** Why it failed, was refused or is gone. */
  error: z.string().nullable(),
  /** Why it still waits, where the service tells. */
  waiting: z.string().nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** One stream chunk: `text` is the raw JSON of its `output`. `index` counts from 0 without gaps. */
export const ledgerChunkSchema = z.object({ index: z.int(), at: z.number(), text: z.string() });
export type LedgerChunk = z.infer<typeof ledgerChunkSchema>;

/** An entry with its payloads; chunks are read apart. */
export const ledgerDetailSchema = z.object({
  entry: ledgerEntrySchema,
  /** The request body as it was sent, with storage secrets masked. */
  body: z.string(),
  /** Raw JSON of the result; null when there is none (yet). */
  output: z.string().nullable(),
});
export type LedgerDetail = z.infer<typeof ledgerDetailSchema>;

export const ledgerFilterSchema = z.object({
  statuses: z.array(ledgerStatusSchema).optional(),
  accountId: z.string().optional(),
  endpointId: z.string().optional(),
  /** Only jobs sent at or after this moment. */
  sentAfter: z.number().optional(),
  /** Only jobs sent before this moment. */
  sentBefore: z.number().optional(),
  /** Part of a job id, endpoint name, error, request body or output; case does not matter. Of long ones the beginning is searched. */
  text: z.string().max(200).optional(),
});
export type LedgerFilter = z.infer<typeof ledgerFilterSchema>;

export const ledgerPageSchema = z.object({
  /** Newest first. */
  entries: z.array(ledgerEntrySchema),
  /** How many match the filter; of a search for text that is not complete, so far. */
  matching: z.int(),
  /** False while a search for text has not come to the oldest job: the same question goes on where this one stopped. */
  complete: z.boolean(),
  /** How many there are at all. */
  total: z.int(),
});
export type LedgerPage = z.infer<typeof ledgerPageSchema>;

/** Requests to the service about one job that went alike, one after the other. No secret is in `path`. */
export const requestLineSchema = z.object({
  /** When the first of them, and the last, was sent. */
  firstAt: z.number(),
  lastAt: z.number(),
  method: z.string(),
  path: z.string(),
  /** What was answered; null when no answer came. */
  status: z.int().nullable(),
  times: z.int(),
  /** How long they took, all together. */
  tookMs: z.number(),
  /** Why no answer came, for a person. */
  error: z.string().nullable(),
});
export type RequestLine = z.infer<typeof requestLineSchema>;

/** One webhook of a job, as its service told of it. */
export const ledgerWebhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  /** How the job had ended when this was to be told. */
  jobStatus: jobStatusSchema,
  state: webhookStateSchema,
  nextAttemptAt: z.number().nullable(),
  /** Oldest first. */
  attempts: z.array(
    z.object({ at: z.number(), tookMs: z.number(), status: z.int().nullable(), error: z.string().nullable() }),
  ),
});
export type LedgerWebhook = z.infer<typeof ledgerWebhookSchema>;

/** `told`: whether the account tells of its webhook calls at all, and whether this job named one. */
export const ledgerWebhooksSchema = z.object({
  told: z.enum(['yes', 'none-named', 'not-by-account']),
  webhooks: z.array(ledgerWebhookSchema),
});
export type LedgerWebhooks = z.infer<typeof ledgerWebhooksSchema>;

/** What the ledger may keep: jobs that ended so many days ago are removed, and the oldest ended ones where all are too large. Null sets no bound. */
export const keepingSchema = z.object({
  retentionDays: z.int().min(limits.ledger.retentionDays.min).max(limits.ledger.retentionDays.max).nullable(),
  capBytes: z.int().min(limits.ledger.capBytes.min).max(limits.ledger.capBytes.max).nullable(),
});
export type Keeping = z.infer<typeof keepingSchema>;

/** Why jobs were removed by themselves. */
export const pruneReasons = ['age', 'size'] as const;
export type PruneReason = (typeof pruneReasons)[number];

/** What the ledger holds, and what it may hold. */
export const ledgerStorageSchema = z.object({
  /** Where it lies on this computer. */
  path: z.string(),
  jobs: z.int(),
  usedBytes: z.number(),
  /** When the oldest job in it was sent; null where there is none. */
  oldestSentAt: z.number().nullable(),
  keeping: keepingSchema,
  /** The last time that jobs were removed by themselves; null when that never happened. */
  lastPrune: z.object({ at: z.number(), jobs: z.int(), reason: z.enum(pruneReasons) }).nullable(),
});
export type LedgerStorage = z.infer<typeof ledgerStorageSchema>;

/** Most jobs that are named one by one in a question. */
const entryIdsSchema = z.array(z.string()).min(1).max(1000);

/** Either all that fit a filter or the named ones. */
export const ledgerExportSchema = z.object({
  format: z.enum(['jsonl', 'csv']),
  filter: ledgerFilterSchema,
  entryIds: entryIdsSchema.optional(),
});
export type LedgerExport = z.infer<typeof ledgerExportSchema>;

/** How it went with one of many jobs: its entry as it is then, or why nothing was done. */
export const jobOutcomeSchema = z.object({
  entryId: z.string(),
  entry: ledgerEntrySchema.nullable(),
  problem: z.string().nullable(),
});
export type JobOutcome = z.infer<typeof jobOutcomeSchema>;

/** What a watcher of one job is sent: a snapshot first, then each change once, in order. */
export const jobEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('snapshot'),
    entry: ledgerEntrySchema,
    chunks: z.array(ledgerChunkSchema),
    output: z.string().nullable(),
  }),
  z.object({ type: z.literal('chunks'), chunks: z.array(ledgerChunkSchema) }),
  z.object({ type: z.literal('entry'), entry: ledgerEntrySchema, output: z.string().nullable() }),
]);
export type JobEvent = z.infer<typeof jobEventSchema>;
