/** Metrics of endpoints over time, as an engine of Hangar answers them. */
import * as z from 'zod';

export const metricPeriods = ['1h', '24h', '7d', '30d'] as const;
export type MetricPeriod = (typeof metricPeriods)[number];
export const metricPeriodSchema = z.enum(metricPeriods);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The parts of each period. The length of a part divides an hour, or is a number of whole hours. */
export const metricParts: Readonly<Record<MetricPeriod, { stepMs: number; points: number }>> = {
  '1h': { stepMs: MINUTE_MS, points: 60 },
  '24h': { stepMs: 15 * MINUTE_MS, points: 96 },
  '7d': { stepMs: 2 * HOUR_MS, points: 84 },
  '30d': { stepMs: 8 * HOUR_MS, points: 90 },
};

/** The start of the first part of a period that ends at `now`. Milliseconds since the epoch. */
export function metricsFrom(period: MetricPeriod, now: number): number {
  const { stepMs, points } = metricParts[period];
  return (Math.floor(now / stepMs) - points + 1) * stepMs;
}

/** Query of GET /local/v1/endpoints/{id}/metrics and of GET /local/v1/endpoints/metrics; 24h without `period`. */
export const metricQuerySchema = z.strictObject({ period: metricPeriodSchema.optional() });

/** Percentiles in milliseconds, within 3 %; null without a job. */
const percentiles = z.looseObject({ p50: z.number().min(0), p95: z.number().min(0) }).nullable();
const count = z.int().min(0);

/** What happened in a span of time. */
export const metricSumsSchema = z.looseObject({
  /** Jobs that were submitted. */
  accepted: count,
  /** Jobs that ended in this span, by their end. */
  completed: count,
  failed: count,
  cancelled: count,
  timedOut: count,
  /** The wait in the queue of ended jobs that a worker had taken. */
  delay: percentiles,
  /** The run time of ended jobs that ran and were not cancelled. */
  execution: percentiles,
  /** The workers of the engine itself: how many on average, and the most at the same time. */
  workers: z.looseObject({ mean: z.number().min(0), most: count }),
  /** US dollars, by the prices of the settings; 0 without a price. */
  cost: z.number().min(0),
});
export type MetricSumsAnswer = z.infer<typeof metricSumsSchema>;

/**
 * GET /local/v1/endpoints/{id}/metrics. The points divide the period without gaps, oldest first; the last one is not
 * over yet.
 */
export const endpointMetricsSchema = z.looseObject({
  endpointId: z.string(),
  period: metricPeriodSchema,
  /** The start of the first point, and now (RFC 3339). */
  from: z.string(),
  to: z.string(),
  /** The length of a point, milliseconds. */
  stepMs: z.int().min(1),
  total: metricSumsSchema,
  points: z.array(metricSumsSchema.extend({ at: z.string() })),
});
export type EndpointMetrics = z.infer<typeof endpointMetricsSchema>;

/** One endpoint of GET /local/v1/endpoints/metrics: its sums of the period. */
export const endpointTotalSchema = z.looseObject({ endpointId: z.string(), total: metricSumsSchema });
export type EndpointTotal = z.infer<typeof endpointTotalSchema>;
