/** The ledger: what was sent from here, and everything that came back. Times are milliseconds since the epoch unless they end in `Time`. */
import * as z from 'zod';
import { jobStatuses } from './job.ts';

/**
 * The job's own states, and three that only a sender knows: SENDING (no answer yet), REFUSED (the service did not
 * accept it; `error` says why) and GONE (the service no longer knows the job; what came back before stays here).
 */
export const ledgerStatuses = ['SENDING', ...jobStatuses, 'REFUSED', 'GONE'] as const;
export const ledgerStatusSchema = z.enum(ledgerStatuses);
export type LedgerStatus = z.infer<typeof ledgerStatusSchema>;

export const runModes = ['run', 'runsync'] as const;
export type RunMode = (typeof runModes)[number];

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
  /** Part of a job id, endpoint name, error or request body; case does not matter. */
  text: z.string().max(200).optional(),
});
export type LedgerFilter = z.infer<typeof ledgerFilterSchema>;

export const ledgerPageSchema = z.object({
  /** Newest first. */
  entries: z.array(ledgerEntrySchema),
  /** How many match the filter. */
  matching: z.int(),
  /** How many there are at all. */
  total: z.int(),
});
export type LedgerPage = z.infer<typeof ledgerPageSchema>;

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
