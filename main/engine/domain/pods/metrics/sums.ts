/** The measurements of a Pod in one span of time, as sums: those of several spans add up. */
import type { SpanStore } from '../../gpus/history/ports.ts';
import { addQuantity, addValue, noValues, type QuantitySums } from '../../gpus/history/sums.ts';

const quantities = ['cpuPercent', 'memoryBytes', 'gpuPercent', 'gpuMemoryBytes', 'ownGpuMemoryBytes'] as const;
export type Quantity = (typeof quantities)[number];

export interface PodSums {
  readonly quantities: Record<Quantity, QuantitySums>;
  /** The memory that it may use, and that of its GPUs together, when they were last measured; null before. */
  memoryLimitBytes: number | null;
  gpuMemoryLimitBytes: number | null;
}
export type PodHistoryStore = SpanStore<PodSums>;

/** One measurement of a Pod. A quantity that is missing or null was not measured. */
export type PodMeasurement = Readonly<
  Partial<Record<Quantity | 'memoryLimitBytes' | 'gpuMemoryLimitBytes', number | null>>
>;

export const newSums = (): PodSums => ({
  quantities: {
    cpuPercent: noValues(),
    memoryBytes: noValues(),
    gpuPercent: noValues(),
    gpuMemoryBytes: noValues(),
    ownGpuMemoryBytes: noValues(),
  },
  memoryLimitBytes: null,
  gpuMemoryLimitBytes: null,
});

export function measure(sums: PodSums, measurement: PodMeasurement): void {
  for (const name of quantities) {
    const value = measurement[name] ?? null;
    if (value !== null) addValue(sums.quantities[name], value);
  }
  const { memoryLimitBytes = null, gpuMemoryLimitBytes = null } = measurement;
  sums.memoryLimitBytes = memoryLimitBytes ?? sums.memoryLimitBytes;
  sums.gpuMemoryLimitBytes = gpuMemoryLimitBytes ?? sums.gpuMemoryLimitBytes;
}

/** Adds the sums of another span, which is the later one. */
export function addSums(to: PodSums, later: PodSums): void {
  for (const name of quantities) addQuantity(to.quantities[name], later.quantities[name]);
  to.memoryLimitBytes = later.memoryLimitBytes ?? to.memoryLimitBytes;
  to.gpuMemoryLimitBytes = later.gpuMemoryLimitBytes ?? to.gpuMemoryLimitBytes;
}
