/** GPU types with their prices and stock, as the GraphQL API tells of them; a machine of ours lists its own GPUs and its CPU. */
import * as z from 'zod';

/** The id of this machine's CPU among the GPU types. */
export const CPU_TYPE = 'CPU';

/** This machine's CPU, or one of a service, which tells how many cores a Pod can have of it. */
export const isProcessor = ({ id, vcpu }: { id: string; vcpu?: object | null | undefined }): boolean =>
  id === CPU_TYPE || vcpu != null;

/** Low: very few are free. */
export const stockStatuses = ['High', 'Medium', 'Low', 'None'] as const;

/** US dollars an hour. */
const price = z.number();

export const lowestPriceSchema = z.looseObject({
  gpuTypeId: z.string(),
  gpuName: z.string(),
  /** For all GPUs that were asked for, together; null where there are none. */
  uninterruptablePrice: price.nullable(),
  minimumBidPrice: price.nullable(),
  minMemory: z.int().nullable(),
  minVcpu: z.int().nullable(),
  stockStatus: z.enum(stockStatuses).nullable(),
  /** How many GPUs a Pod can have just now. */
  availableGpuCounts: z.array(z.int()),
  maxUnreservedGpuCount: z.int(),
  totalCount: z.int(),
  rentedCount: z.int(),
});
export type LowestPrice = z.infer<typeof lowestPriceSchema>;

export const gpuTypeSchema = z.looseObject({
  /** Its product name. */
  id: z.string(),
  displayName: z.string(),
  manufacturer: z.string(),
  /** Of 2^30 bytes; RAM for the CPU. */
  memoryInGb: z.int(),
  cudaCores: z.int().nullable(),
  secureCloud: z.boolean(),
  communityCloud: z.boolean(),
  securePrice: price,
  communityPrice: price,
  maxGpuCount: z.int(),
});
export type GpuType = z.infer<typeof gpuTypeSchema>;
