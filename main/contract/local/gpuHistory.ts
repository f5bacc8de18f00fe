/** The last 24 hours of the GPUs of an engine: load, memory, power, temperature, and who used them. */
import * as z from 'zod';

export const gpuPeriods = ['15m', '1h', '6h', '24h'] as const;
export type GpuPeriod = (typeof gpuPeriods)[number];
export const gpuPeriodSchema = z.enum(gpuPeriods);

/** Query of GET /local/v1/gpus/history; 1h without `period`, all GPUs without `gpu`. */
export const gpuHistoryQuerySchema = z.strictObject({
  period: gpuPeriodSchema.optional(),
  /** The index or the uuid of one GPU. */
  gpu: z.string().min(1).max(100).optional(),
});

/** The mean and the greatest of the measurements of a span; null where there is none. */
export const measuredSchema = z.looseObject({ mean: z.number(), most: z.number() }).nullable();

/** `endpoint`: workers of an endpoint of this engine; `pod`: a Pod of this engine; `program`: any other program. */
const gpuUserKinds = ['endpoint', 'pod', 'program'] as const;

export const gpuUserSchema = z.looseObject({
  kind: z.enum(gpuUserKinds),
  /** The id of the endpoint or of the Pod; the name of the program. */
  id: z.string(),
  name: z.string(),
  /** The most memory that it had on the GPU; null if the driver does not report it. */
  memoryBytes: z.number().nullable(),
  /** True: a Pod that only kept the GPU, because its container did not run. */
  isKept: z.boolean().optional(),
});
export type GpuUser = z.infer<typeof gpuUserSchema>;

export const gpuPointSchema = z.looseObject({
  at: z.string(),
  utilPercent: measuredSchema,
  memoryBytes: measuredSchema,
  powerW: measuredSchema,
  temperatureC: measuredSchema,
  /** Memory of the workers and Pods of this engine, on average; null where it is not known. */
  ownMemoryBytes: z.number().nullable(),
  /** Own workers and Pods first, then by memory. A point has the largest eight. */
  users: z.array(gpuUserSchema),
});
export type GpuPoint = z.infer<typeof gpuPointSchema>;

/**
 * One GPU of GET /local/v1/gpus/history. The points divide the period without gaps, oldest first; the last one is not
 * over yet.
 */
export const gpuHistorySchema = z.looseObject({
  uuid: z.string(),
  index: z.int(),
  typeId: z.string(),
  /** The memory that it has. */
  memoryBytes: z.number(),
  period: gpuPeriodSchema,
  /** The start of the first point, and now (RFC 3339). */
  from: z.string(),
  to: z.string(),
  /** The length of a point, milliseconds. */
  stepMs: z.int().min(1),
  points: z.array(gpuPointSchema),
  /**
   * All users of the period. `ms`: the time in which it was seen on the GPU, by whole points. A Pod that used the GPU,
   * and kept it at another time, is there twice.
   */
  users: z.array(gpuUserSchema.extend({ ms: z.number() })),
});
export type GpuHistory = z.infer<typeof gpuHistorySchema>;
