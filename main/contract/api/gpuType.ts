/**
 * GPU types with their prices and stock, as the GraphQL API lists them. An engine of Hangar lists its own GPUs and its
 * CPU.
 */
import * as z from 'zod';

/** The id of this machine's CPU among the GPU types. */
export const CPU_TYPE = 'CPU';

/** Whether a GPU type is a CPU: the CPU of this machine, or a processor of a service, which has a range of cores. */
export const isProcessor = ({ id, vcpu }: { id: string; vcpu?: object | null | undefined }): boolean =>
  id === CPU_TYPE || vcpu != null;

/** `Low`: very few are free. */
export const stockStatuses = ['High', 'Medium', 'Low', 'None'] as const;

/** US dollars an hour. */
const price = z.number();

export const lowestPriceSchema = z.looseObject({
  gpuTypeId: z.string(),
  gpuName: z.string(),
  /** US dollars an hour for all requested GPUs together; null if there are none. */
  uninterruptablePrice: price.nullable(),
  minimumBidPrice: price.nullable(),
  minMemory: z.int().nullable(),
  minVcpu: z.int().nullable(),
  stockStatus: z.enum(stockStatuses).nullable(),
  /** How many GPUs a Pod can have now. */
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
