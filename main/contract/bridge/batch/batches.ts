/** The page's procedures about batches: lists of inputs that run against one endpoint, a few at a time. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { exportPieceSchema } from '../../app/jobs/exportPiece.ts';
import { ledgerEntrySchema, ledgerStatusSchema } from '../../app/ledger.ts';
import { limits } from '../../core/limits.ts';

/** Why a batch sends no more: the person, refused jobs, or the end of Hangar. */
export const batchStops = ['person', 'refused', 'closed'] as const;

const { batch } = limits;
const batchIdSchema = z.uuid();

export const newBatchSchema = z.object({
  /** The sender creates it. A repeated id is the same batch: nothing of it is sent twice. */
  batchId: batchIdSchema,
  accountId: z.string(),
  endpointId: z.string(),
  endpointName: z.string().min(1),
  /** Most jobs that are sent and have not ended. */
  atOnce: z.int().min(batch.atOnce.min).max(batch.atOnce.max),
  /** Request bodies as JSON text, each with the line of the list that it comes from. */
  inputs: z
    .array(z.object({ line: z.int().min(1), body: z.string() }))
    .min(1)
    .max(batch.inputs),
});
export type NewBatch = z.infer<typeof newBatchSchema>;

export const batchSchema = z.object({
  batchId: z.string(),
  accountId: z.string(),
  endpointId: z.string(),
  endpointName: z.string(),
  /** The tag of its jobs in the ledger. */
  tag: z.string(),
  atOnce: z.int(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Inputs in all. */
  total: z.int(),
  /** Inputs that are not sent yet. */
  unsent: z.int(),
  /** Jobs that were sent and have not ended. */
  running: z.int(),
  /** Those of them that wait for a worker, or for the answer of the service. */
  queued: z.int(),
  /** Why the first of them waits, if the service reports it. */
  waiting: z.string().nullable(),
  completed: z.int(),
  /** Jobs that ended in another way. */
  failed: z.int(),
  /** Those of them that can be run again. A job without an answer cannot: it may run already. */
  repeatable: z.int(),
  /** Null while it sends, and once it has sent all. */
  stoppedBy: z.enum(batchStops).nullable(),
  /** Why it was stopped, for a person, where a job says more. */
  problem: z.string().nullable(),
});
export type Batch = z.infer<typeof batchSchema>;

export const batchRowSchema = z.object({
  /** Which input of the list it is, from 1. In a CSV file, or after an empty line, its line is another number. */
  number: z.int(),
  entryId: z.string(),
  /** UNSENT: it waits here. REMOVED: its job was removed from the ledger. */
  status: z.union([ledgerStatusSchema, z.enum(['UNSENT', 'REMOVED'])]),
  /** When its job waited and ran, for `timesOf`. Null for a row that is UNSENT or REMOVED. */
  job: ledgerEntrySchema
    .pick({
      status: true,
      sentAt: true,
      queuedAt: true,
      workerStartedAt: true,
      startedAt: true,
      finishedAt: true,
      delayTime: true,
      executionTime: true,
      accountId: true,
      trouble: true,
    })
    .nullable(),
  /** The beginning of the input. */
  input: z.string().nullable(),
  /** The beginning of the output, or else of its chunks, as raw JSON. */
  output: z.string().nullable(),
  error: z.string().nullable(),
});
export type BatchRow = z.infer<typeof batchRowSchema>;

/** What the rows of a batch can be sorted by. By `ran`, jobs that have not ended stand last. */
export const batchSorts = ['number', 'state', 'input', 'output', 'ran'] as const;

/** Which rows of a batch, and in which order: null is that of the list. */
export const batchViewSchema = z.object({
  onlyFailed: z.boolean(),
  sort: z.object({ by: z.enum(batchSorts), isUp: z.boolean() }).nullable(),
});
export type BatchView = z.infer<typeof batchViewSchema>;

const batchRef = z.object({ batchId: batchIdSchema });

/** Procedures with a `batchId` throw NOT_FOUND if there is no such batch. */
export const batchContract = {
  /** Stores all inputs, and begins to send them. BAD_REQUEST for a body that cannot be sent: then nothing is. */
  start: oc.input(newBatchSchema).output(batchSchema),
  /** Sends no more of it, and cancels its jobs that have not ended. */
  stop: oc.input(batchRef).output(batchSchema),
  /** Sends the inputs of a stopped batch that are not sent yet. */
  resume: oc.input(batchRef).output(batchSchema),
  /**
   * Runs the repeatable inputs again, each as a new job in its row, and nothing else. CONFLICT while the batch sends,
   * or while its jobs run.
   */
  runAgain: oc.input(batchRef).output(batchSchema),
  get: oc.input(batchRef).output(batchSchema),
  /** The batches of an endpoint, newest first. */
  list: oc.input(z.object({ accountId: z.string(), endpointId: z.string() })).output(z.array(batchSchema)),
  /** Rows, and the counts of the batch at the same moment. */
  rows: oc
    .input(batchRef.extend({ offset: z.int().min(0), limit: z.int().min(1).max(500), view: batchViewSchema }))
    .output(z.object({ batch: batchSchema, rows: z.array(batchRowSchema) })),
  /** The jobs of a batch as pieces of a file, in the order of the list. */
  export: oc.input(batchRef.extend({ format: z.enum(['jsonl', 'csv']) })).output(eventIterator(exportPieceSchema)),
};
