/** GPU types as rows of a table: their prices by GPU and by GB, filtered and sorted. */
import { isProcessor, type LowestPrice } from '#contract/api/gpuType.ts';
import type { GpuOffer } from '#contract/bridge/pod.ts';

export type Stock = NonNullable<LowestPrice['stockStatus']>;

export interface GpuRow {
  id: string;
  name: string;
  /** Told by the core. */
  isProcessor: boolean;
  /** Of one GPU; of a core, or of the whole machine for its own processor. */
  memoryInGb: number;
  maxGpuCount: number;
  /** For as many GPUs as were asked for, in US dollars an hour; null where there are none. */
  perHour: number | null;
  perGpu: number | null;
  perGb: number | null;
  /** Null where it is not told. */
  stock: Stock | null;
  counts: readonly number[];
  totalCount: number;
  rentedCount: number;
}

/** What a catalogue tells of one GPU, for as many of them: more than a Pod can have are not there. */
export function rowOfOffer(offer: GpuOffer, count: number): GpuRow {
  const { id, displayName, memoryInGb, maxGpuCount, lowestPrice } = offer;
  const isThere = count <= maxGpuCount;
  const perGpu = isThere ? (lowestPrice?.uninterruptablePrice ?? null) : null;
  return {
    id,
    name: displayName || id,
    isProcessor: isProcessor(offer),
    memoryInGb,
    maxGpuCount,
    perGpu,
    perHour: perGpu === null ? null : perGpu * count,
    perGb: perGpu === null || memoryInGb === 0 ? null : perGpu / memoryInGb,
    stock: isThere ? (lowestPrice?.stockStatus ?? null) : 'None',
    counts: lowestPrice?.availableGpuCounts ?? [],
    totalCount: lowestPrice?.totalCount ?? 0,
    rentedCount: lowestPrice?.rentedCount ?? 0,
  };
}

export interface GpuFilter {
  text: string;
  /** Of one GPU, in GB. */
  memory: number;
  stock: 'any' | 'there';
  /** In US dollars an hour; null: whatever it costs. */
  most: number | null;
}

export const everything: GpuFilter = { text: '', memory: 0, stock: 'any', most: null };

export type Sorting = 'name' | 'memoryInGb' | 'perHour' | 'perGpu' | 'perGb' | 'stock';
export interface SortOf {
  by: Sorting;
  up: boolean;
}

const stockOrder: readonly GpuRow['stock'][] = [null, 'None', 'Low', 'Medium', 'High'];

export const passes = (row: GpuRow, { text, memory, stock, most }: GpuFilter): boolean =>
  row.name.toLowerCase().includes(text.trim().toLowerCase()) &&
  row.memoryInGb >= memory &&
  (stock === 'any' || row.stock !== 'None') &&
  (most === null || (row.perHour !== null && row.perHour <= most));

/** What has no price stands last, whichever way it is sorted; pinned ones stand first. */
export function sorted(rows: readonly GpuRow[], { by, up }: SortOf, pinned: readonly string[]): GpuRow[] {
  const sign = up ? 1 : -1;
  const compare = (a: GpuRow, b: GpuRow): number => {
    if (by === 'name') return sign * a.name.localeCompare(b.name);
    if (by === 'stock') return sign * (stockOrder.indexOf(a.stock) - stockOrder.indexOf(b.stock));
    const [one, other] = [a[by], b[by]];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  };
  const isPinned = ({ id }: GpuRow): number => Number(pinned.includes(id));
  return rows.toSorted((a, b) => isPinned(b) - isPinned(a) || compare(a, b) || a.name.localeCompare(b.name));
}
