/** The price of a Pod: what its view says, what its cap counts, and what billing adds, from one rule. */
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { PodRecord } from './podInterfaces.ts';

/** What is paid for: GPUs of a type, or cores of the CPU. */
interface PaidHardware {
  gpuTypeId: string;
  count: number;
}

/**
 * The hardware of a Pod; of a stopped one, what it asks for. `cores`: CPU cores of this machine, for a Pod without a
 * limit.
 */
export function paidHardware(pod: PodRecord, cores: number): PaidHardware {
  const { computeType, gpuCount, gpuTypeIds, gpuUuids, vcpuCount } = pod;
  const wished = gpuTypeIds[0] ?? CPU_TYPE;
  const ofGpus = pod.gpuTypeId === '' ? wished : pod.gpuTypeId;
  const gpuTypeId = computeType === 'GPU' ? ofGpus : CPU_TYPE;
  if (gpuTypeId === CPU_TYPE) return { gpuTypeId, count: vcpuCount > 0 ? vcpuCount : cores };
  return { gpuTypeId, count: gpuUuids.length > 0 ? gpuUuids.length : gpuCount };
}

/** US dollars for an hour of a Pod that runs, at the present prices, without its volume. */
export function pricePerHour(
  pod: PodRecord,
  cores: number,
  perHour: (gpuTypeId: string, gpuCount: number) => number,
): number {
  const { gpuTypeId, count } = paidHardware(pod, cores);
  return perHour(gpuTypeId, count);
}
