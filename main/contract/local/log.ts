/** What workers write, and what they did when, as /local/v1 tells of it. */
import * as z from 'zod';
import { limits } from '../core/limits.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** One line. */
export const logLineSchema = z.looseObject({
  /** Grows by one with every line of this engine, and goes on after a restart. */
  n: z.int(),
  at: z.string(),
  endpointId: z.string(),
  workerId: z.string(),
  /** The job it belongs to, where that is known. */
  jobId: z.string().nullable(),
  /** `engine`: what the engine has to say of the worker, such as its start and its end. */
  stream: z.enum(['stdout', 'stderr', 'engine']),
  /** Null where the line does not tell. */
  level: z.enum(logLevels).nullable(),
  text: z.string(),
});
export type LogLine = z.infer<typeof logLineSchema>;

const logFilterFields = {
  endpointId: z.string().optional(),
  workerId: z.string().optional(),
  jobId: z.string().optional(),
  /** Words that a line must contain; case does not count. */
  text: z.string().max(limits.log.searchLength).optional(),
  /** This level or a graver one. */
  level: z.enum(logLevels).optional(),
};
export const logFilterSchema = z.strictObject(logFilterFields);
export type LogFilter = z.infer<typeof logFilterSchema>;

/** What is asked of any account: of a Pod as well, where that is told. `workerId` of its lines is `container` or `system`. */
export const toldLogFilterSchema = logFilterSchema.extend({ podId: z.string().optional() });
export type ToldLogFilter = z.infer<typeof toldLogFilterSchema>;

const { min, max } = limits.log.listed;

/** A whole number as a query has it. */
const count = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'must be a whole number, 0 or more' })
  .transform(Number);

/** Query of GET /local/v1/logs. */
export const logQuerySchema = z.strictObject({
  ...logFilterFields,
  before: count.optional(),
  limit: z
    .string()
    .regex(/^\d{1,15}$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .optional(),
});
export type LogQuery = z.infer<typeof logQuerySchema>;

/** Query of GET /local/v1/logs/events: each event is a line, its id the line's `n`. Replays what came after `after`. */
export const logEventsQuerySchema = z.strictObject({ ...logFilterFields, after: count.optional() });

/**
 * GET /local/v1/logs: `lines` oldest first. `before` (exclusive) pages back; without it the newest. `more`: whether there may be
 * older ones that match. `next`: what to give as `before` for them, null when there are none. A page may have fewer lines than
 * were asked for, or none, and still have a `next`: one request looks at so much and no more.
 */
export const logPageSchema = z.looseObject({
  lines: z.array(logLineSchema),
  more: z.boolean(),
  next: z.int().nullable(),
});
export type LogPage = z.infer<typeof logPageSchema>;

/** What a worker was, from `from` to `to`. */
export const laneSpanSchema = z.looseObject({
  state: z.enum(['preparing', 'starting', 'idle', 'running', 'stopping']),
  from: z.string(),
  /** Null while it lasts. */
  to: z.string().nullable(),
  /** Of a running one: the jobs, in the order they began; of very many, the newest. */
  jobIds: z.array(z.string()),
});
export type LaneSpan = z.infer<typeof laneSpanSchema>;

/** The life of one worker, GET /local/v1/workers/lanes?endpointId=&sinceMs=. */
export const laneSchema = z.looseObject({
  workerId: z.string(),
  endpointId: z.string(),
  spans: z.array(laneSpanSchema),
  /** How it ended, for a person; null while it is there. */
  end: z.looseObject({ at: z.string(), reason: z.string(), unhealthy: z.boolean() }).nullable(),
});
export type Lane = z.infer<typeof laneSchema>;

/** Query of GET /local/v1/workers/lanes: how far back, in milliseconds. */
export const laneQuerySchema = z.strictObject({ endpointId: z.string(), sinceMs: count.optional() });
