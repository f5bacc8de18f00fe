/** What is measured of a Pod: processor, memory and GPUs over the last 24 hours, and whether a port answers. */
import * as z from 'zod';
import { gpuPeriodSchema, measuredSchema } from './gpuHistory.ts';

/** Query of GET /local/v1/pods/{podId}/metrics; 1h without `period`. */
export const podMetricsQuerySchema = z.strictObject({ period: gpuPeriodSchema.optional() });

/**
 * The mean and the greatest of the measurements of a span; null where the Pod did not run, or where nothing tells it.
 */
export const podPointSchema = z.looseObject({
  at: z.string(),
  /** 100: all cores that it may use. */
  cpuPercent: measuredSchema,
  /** Without cached files, which the system frees on demand. */
  memoryBytes: measuredSchema,
  /** The load of its GPUs, on average, with that of other programs on them. */
  gpuPercent: measuredSchema,
  /** The used memory of its GPUs together, with that of other programs. */
  gpuMemoryBytes: measuredSchema,
  /** The part of its own processes, on average; null where it is not known. */
  ownGpuMemoryBytes: z.number().nullable(),
});
export type PodPoint = z.infer<typeof podPointSchema>;

/** The points divide the period without gaps, oldest first; the last one is not over yet. */
export const podMetricsSchema = z.looseObject({
  podId: z.string(),
  period: gpuPeriodSchema,
  /** The start of the first point, and now (RFC 3339). */
  from: z.string(),
  to: z.string(),
  /** The length of a point, milliseconds. */
  stepMs: z.int().min(1),
  /**
   * The memory that it may use, and that of its GPUs together, at its last measurement in the period; null without one,
   * and without GPUs.
   */
  memoryLimitBytes: z.number().nullable(),
  gpuMemoryLimitBytes: z.number().nullable(),
  points: z.array(podPointSchema),
});
export type PodMetrics = z.infer<typeof podMetricsSchema>;

const printable = /^\/[!-~]*$/;
/** Query of GET /local/v1/pods/{podId}/ports/{port}/check; `/` without `path`. */
export const podPortQuerySchema = z.strictObject({
  path: z.string().max(500).regex(printable, 'A path begins with / and has no spaces.').optional(),
});

/** Whether the server at an http port of a Pod is ready. */
export const podPortCheckSchema = z.looseObject({
  /** It answered with a status below 500. */
  ready: z.boolean(),
  /** The status of its answer; null without one. */
  status: z.int().nullable(),
  /** Why it is not ready, as a sentence; null if it is. */
  problem: z.string().nullable(),
});
export type PodPortCheck = z.infer<typeof podPortCheckSchema>;
