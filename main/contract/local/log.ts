/** The output of workers and the timeline of their states in /local/v1. */
import * as z from 'zod';
import { limits } from '../core/limits.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** One line. */
export const logLineSchema = z.looseObject({
  /** The number of the line in this engine; it grows by one and continues after a restart. */
  n: z.int(),
  at: z.string(),
  endpointId: z.string(),
  workerId: z.string(),
  /** The job of the line; null if it is not known. */
  jobId: z.string().nullable(),
  /** `engine`: messages of the engine about the worker, such as its start and its end. */
  stream: z.enum(['stdout', 'stderr', 'engine']),
  /** Null if the line has no level. */
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
  /** This level or a more severe one. */
  level: z.enum(logLevels).optional(),
};
export const logFilterSchema = z.strictObject(logFilterFields);
export type LogFilter = z.infer<typeof logFilterSchema>;

/**
 * The filter for any account. Some accounts also have logs of Pods: `workerId` of their lines is `container` or
 * `system`.
 */
export const podLogFilterSchema = logFilterSchema.extend({ podId: z.string().optional() });
export type PodLogFilter = z.infer<typeof podLogFilterSchema>;

const { min, max } = limits.log.listed;

/** A whole number in a query. */
const count = z
  .string()
  .regex(/^\d{1,16}$/, { error: 'must be a whole number, 0 or more' })
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

/**
 * Query of GET /local/v1/logs/events: each event is a line, and its id is the line's `n`. It starts with the lines
 * after `after`.
 */
export const logEventsQuerySchema = z.strictObject({ ...logFilterFields, after: count.optional() });

/** Query of GET /local/v1/pods/{podId}/logs. The number of a line is its time, in microseconds since 1970. */
export const podLogQuerySchema = logQuerySchema.pick({ text: true, level: true, before: true, limit: true });
export type PodLogQuery = z.infer<typeof podLogQuerySchema>;

/** Query of GET /local/v1/pods/{podId}/logs/events, as of the log of workers. */
export const podLogEventsQuerySchema = logEventsQuerySchema.pick({ text: true, level: true, after: true });

/**
 * GET /local/v1/logs: `lines`, oldest first. `before` (exclusive) pages back; without it, the page has the newest
 * lines. `more`: whether there may be older matches. `next`: the `before` of the next page, null if there are no more
 * lines. A page may have fewer lines than requested, or none, and still a `next`, because one request examines a
 * limited number of lines.
 */
export const logPageSchema = z.looseObject({
  lines: z.array(logLineSchema),
  more: z.boolean(),
  next: z.int().nullable(),
});
export type LogPage = z.infer<typeof logPageSchema>;

/** Docker keeps the output of a Pod in at most so many files of this size. A new file takes the place of the oldest. */
export const podLogFiles = { megabytes: 10, most: 3 } as const;

/**
 * What a kept log lacks. `pod`: Docker may have removed old lines of the Pod. `workers`: the engine of Hangar removed
 * old lines of workers. `service`: a remote service may have older lines and gives only the newest ones.
 */
export const logGapSchema = z.enum(['pod', 'workers', 'service']);
export type LogGap = z.infer<typeof logGapSchema>;

/** The state of a worker from `from` to `to`. */
export const laneSpanSchema = z.looseObject({
  state: z.enum(['preparing', 'starting', 'idle', 'running', 'stopping']),
  from: z.string(),
  /** Null while it continues. */
  to: z.string().nullable(),
  /** The jobs of a running worker, in the order of their start; only the newest if there are very many. */
  jobIds: z.array(z.string()),
});
export type LaneSpan = z.infer<typeof laneSpanSchema>;

/** The life of one worker, GET /local/v1/workers/lanes?endpointId=&sinceMs=. */
export const laneSchema = z.looseObject({
  workerId: z.string(),
  endpointId: z.string(),
  spans: z.array(laneSpanSchema),
  /** How it ended, for a person; null while the worker exists. */
  end: z.looseObject({ at: z.string(), reason: z.string(), unhealthy: z.boolean() }).nullable(),
});
export type Lane = z.infer<typeof laneSchema>;

/** Query of GET /local/v1/workers/lanes. `sinceMs`: the length of the period until now, in milliseconds. */
export const laneQuerySchema = z.strictObject({ endpointId: z.string(), sinceMs: count.optional() });
