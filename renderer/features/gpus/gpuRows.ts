/** GPU types as rows of a table: their prices by GPU, by GB and by TFLOPS, filtered and sorted. */
import { isProcessor, type LowestPrice } from '#contract/api/gpuType.ts';
import type { GpuOffer } from '#contract/bridge/pod.ts';
import { formatChoice } from '../../ui/text/format.ts';
import { t } from '../../language/text.ts';
import { findSpec } from './specs/findSpec.ts';
import type { GpuSpec } from './specs/specTable.ts';

export type Stock = NonNullable<LowestPrice['stockStatus']>;

export interface GpuRow {
  id: string;
  name: string;
  /** Whether it is a processor, whose prices are those of one core. */
  isProcessor: boolean;
  /** Of one GPU; of a core, or of the whole machine for its own processor. 0 if it is not known. */
  memoryInGb: number;
  maxGpuCount: number;
  /** For as many GPUs as were asked for, in US dollars an hour; null where there are none. */
  perHour: number | null;
  perGpu: number | null;
  /** Whether there are some, but without a price, as own hardware whose price nobody has set. */
  isUnpriced: boolean;
  perGb: number | null;
  /** For each TFLOPS of FP16; null also for a GPU whose TFLOPS are not known. */
  perTflop: number | null;
  /** The same three of `listPrice`. */
  listPerHour: number | null;
  listPerGb: number | null;
  listPerTflop: number | null;
  /** What one GPU costs when there are some, in US dollars an hour; null if the service does not report it. */
  listPrice: number | null;
  /** What the vendor publishes; null for a GPU that the table does not have, and for processors. */
  spec: GpuSpec | null;
  /** Of FP16, of one GPU; GB of memory a second; watts. */
  tflops: number | null;
  bandwidth: number | null;
  watts: number | null;
  /** Null if the service does not report it. */
  stock: Stock | null;
  /** How many GPUs one Pod can have now. */
  counts: readonly number[];
  /** How many GPUs the service has, and how many of them are rented; 0 if it does not report that. */
  totalCount: number;
  rentedCount: number;
}

type Derived =
  | 'perHour'
  | 'isUnpriced'
  | 'perGb'
  | 'perTflop'
  | 'listPerHour'
  | 'listPerGb'
  | 'listPerTflop'
  | 'spec'
  | 'tflops'
  | 'bandwidth'
  | 'watts';

/** Completes a row. `perGpu` is null where there are not `count` of them, and 0 where they have no price. */
export function toRow(facts: Omit<GpuRow, Derived>, count: number): GpuRow {
  const { listPrice, memoryInGb } = facts;
  // What has no price would be the cheapest offer.
  const isUnpriced = facts.perGpu === 0;
  const perGpu = isUnpriced ? null : facts.perGpu;
  const spec = facts.isProcessor ? null : findSpec(facts);
  const tflops = spec?.fp16Tflops ?? null;
  const perGb = (price: number | null) => (price === null || memoryInGb === 0 ? null : price / memoryInGb);
  const perTflop = (price: number | null) => (price === null || tflops === null ? null : price / tflops);
  return {
    ...facts,
    perGpu,
    isUnpriced,
    perHour: perGpu === null ? null : perGpu * count,
    perGb: perGb(perGpu),
    perTflop: perTflop(perGpu),
    listPerHour: listPrice === null ? null : listPrice * count,
    listPerGb: perGb(listPrice),
    listPerTflop: perTflop(listPrice),
    spec,
    tflops,
    bandwidth: spec?.bandwidth ?? null,
    watts: spec?.watts ?? null,
  };
}

/** The price of a GPU type independent of its stock: services write 0 for a kind of cloud in which they have none. */
export const listPriceOf = (...prices: readonly (number | null | undefined)[]): number | null =>
  prices.find((price) => price != null && price > 0) ?? null;

/**
 * The row of a GPU type for `count` GPUs, from the catalogue's data of one GPU. A count above that of a Pod is not in
 * stock.
 */
export function rowOfOffer(offer: GpuOffer, count: number): GpuRow {
  const { id, displayName, memoryInGb, maxGpuCount, lowestPrice, securePrice, communityPrice } = offer;
  const isThere = count <= maxGpuCount;
  const facts = {
    id,
    name: displayName || id,
    isProcessor: isProcessor(offer),
    memoryInGb,
    maxGpuCount,
    perGpu: isThere ? (lowestPrice?.uninterruptablePrice ?? null) : null,
    listPrice: listPriceOf(securePrice, communityPrice),
    stock: isThere ? (lowestPrice?.stockStatus ?? null) : ('None' as const),
    counts: lowestPrice?.availableGpuCounts ?? [],
    totalCount: lowestPrice?.totalCount ?? 0,
    rentedCount: lowestPrice?.rentedCount ?? 0,
  };
  return toRow(facts, count);
}

/** How many GPUs one Pod can have, as "1 or 2 per Pod"; null if the service does not tell it. */
export const perPodOf = ({ counts }: Pick<GpuRow, 'counts'>): string | null =>
  counts.length === 0 ? null : t`${formatChoice(counts)} per Pod`;

/** How many are free, and how many of them one Pod can have; a service may tell only one of the two. */
export function freeOf({ totalCount, rentedCount, counts }: GpuRow): string {
  const free = totalCount === 0 ? null : t`${totalCount - rentedCount} of ${totalCount}`;
  return [free, perPodOf({ counts })].filter((fact) => fact !== null).join(' · ') || '–';
}

export interface GpuFilter {
  text: string;
  /** Of one GPU, in GB. */
  memory: number;
  stock: 'any' | 'there';
  /** Highest price, in US dollars an hour; null for any price. */
  most: number | null;
}

export const everything: GpuFilter = { text: '', memory: 0, stock: 'any', most: null };

export const sortings = [
  'name',
  'memoryInGb',
  'perHour',
  'perGpu',
  'perGb',
  'perTflop',
  'tflops',
  'bandwidth',
  'watts',
  'stock',
] as const;
export type Sorting = (typeof sortings)[number];
export interface SortOf {
  by: Sorting;
  up: boolean;
}

const stockOrder: readonly GpuRow['stock'][] = [null, 'None', 'Low', 'Medium', 'High'];

/** Whether the service or its counts say that none is free. */
const isOut = ({ stock, totalCount, rentedCount }: GpuRow): boolean =>
  stock === 'None' || (totalCount > 0 && rentedCount >= totalCount);

export const passes = (row: GpuRow, { text, memory, stock, most }: GpuFilter): boolean =>
  row.name.toLowerCase().includes(text.trim().toLowerCase()) &&
  row.memoryInGb >= memory &&
  (stock === 'any' || !isOut(row)) &&
  (most === null || (row.perHour !== null && row.perHour <= most));

/** Rows without the value come last in both directions. Pinned rows come first. */
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
