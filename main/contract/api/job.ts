/** Jobs as the service description defines them: the request envelope, the states, the answers. */
import * as z from 'zod';
import { limits } from '../core/limits.ts';

export const jobStatuses = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;
export const jobStatusSchema = z.enum(jobStatuses);
export type JobStatus = z.infer<typeof jobStatusSchema>;

const terminal: ReadonlySet<string> = new Set<JobStatus>(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT']);
/** Whether the state of the job is final. Only a retry changes it then. */
export const isTerminal = (status: string): boolean => terminal.has(status);

interface Range {
  readonly min: number;
  readonly max: number;
}

/** The ranges of a policy, in milliseconds. The settings of an engine may change them. */
export interface PolicyRanges {
  readonly executionTimeoutMs: Range;
  readonly ttlMs: Range;
}

export const wholeMs = ({ min, max }: Range) => z.int().min(min).max(max);

/** The ranges of the fields of a policy, by the names of the fields. */
export const policyFieldRanges = ({ executionTimeoutMs, ttlMs }: PolicyRanges) => ({
  executionTimeout: executionTimeoutMs,
  ttl: ttlMs,
});

/** Execution policy, milliseconds. Values outside their range are refused, never clamped. */
export function policySchemaFor(ranges: PolicyRanges) {
  const { executionTimeout, ttl } = policyFieldRanges(ranges);
  return z.looseObject({
    executionTimeout: wholeMs(executionTimeout).optional(),
    lowPriority: z.boolean().optional(),
    ttl: wholeMs(ttl).optional(),
  });
}
export type Policy = z.infer<ReturnType<typeof policySchemaFor>>;

export const s3ConfigSchema = z.looseObject({
  accessId: z.string().optional(),
  accessSecret: z.string().optional(),
  bucketName: z.string().optional(),
  endpointUrl: z.string().optional(),
});

/** A JSON object that is passed on unchanged; the schema checks only that it is an object. */
const jsonObjectSchema = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be a JSON object',
  })
  .meta({ type: 'object' });

/** Body of /run and /runsync. Other fields are kept and passed to the handler. */
export const jobRequestSchemaWith = (policySchema: ReturnType<typeof policySchemaFor>) =>
  z.looseObject({
    input: jsonObjectSchema,
    webhook: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(limits.webhook.addressLength)
      .optional(),
    policy: policySchema.optional(),
    s3Config: s3ConfigSchema.optional(),
  });
export const jobRequestSchema = jobRequestSchemaWith(policySchemaFor(limits));
export type JobRequest = z.infer<typeof jobRequestSchema>;

/** Answer of /run, /cancel. */
export const jobAcceptedSchema = z.looseObject({ id: z.string(), status: jobStatusSchema });
export type JobAccepted = z.infer<typeof jobAcceptedSchema>;

/** Answer of /status, /status-sync and /runsync. Times in milliseconds. Fields are present when known. */
export const jobViewSchema = z.looseObject({
  id: z.string(),
  status: jobStatusSchema,
  /** Time in the queue before the last attempt. */
  delayTime: z.int().optional(),
  executionTime: z.int().optional(),
  workerId: z.string().optional(),
  /**
   * How many times the job was queued again, because its worker was lost or because a client retried it. Missing:
   * never.
   */
  retries: z.int().optional(),
  output: z.unknown().optional(),
  error: z.string().optional(),
});
export type JobView = z.infer<typeof jobViewSchema>;

/** Answer of /purge-queue. */
export const purgedSchema = z.looseObject({ removed: z.int(), status: z.literal('completed') });

/** Answer of /requests: the newest jobs, newest first, as /status shows them, without their output. */
export const requestsSchema = z.looseObject({ requests: z.array(jobViewSchema.omit({ output: true })) });

export const requestsLimitSchema = z.int().min(limits.requestsListed.min).max(limits.requestsListed.max);

export const chunkSchema = z.looseObject({ output: z.unknown(), metrics: z.unknown().optional() });

/** Answer of /stream for clients that need the envelope. */
export const streamEnvelopeSchema = z.looseObject({
  status: jobStatusSchema,
  stream: z.array(chunkSchema),
  /** How many times the job was queued again; each time its stream began anew. Missing if that never happened. */
  retries: z.int().optional(),
});

export const healthSchema = z.looseObject({
  jobs: z.looseObject({
    completed: z.int(),
    failed: z.int(),
    inProgress: z.int(),
    inQueue: z.int(),
    retried: z.int(),
  }),
  workers: z.looseObject({
    idle: z.int(),
    initializing: z.int().default(0),
    ready: z.int().default(0),
    running: z.int(),
    throttled: z.int().default(0),
    unhealthy: z.int().default(0),
  }),
});
export type Health = z.infer<typeof healthSchema>;
