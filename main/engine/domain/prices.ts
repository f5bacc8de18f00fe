/** What GPU types there are on this machine, what is free of them, and what an hour costs. */
import type { GpuType, LowestPrice } from '#contract/gpuType.ts';

export interface Prices {
  /** GPUs by product name, then the machine's CPU. */
  gpuTypes(): GpuType[];
  /** Of `gpuCount` GPUs of a type together. Null for a type that is not here. */
  lowestPrice(gpuTypeId: string, gpuCount: number): LowestPrice | null;
  /** US dollars an hour of that many GPUs, or of the CPU; what the person set, or the electricity last measured. */
  perHour(gpuTypeId: string, gpuCount: number): number;
}
