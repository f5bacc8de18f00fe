/** Prices over time as numbers of a chart. */
import type { SeenPrice } from '#contract/app/price.ts';
import { stockStatuses } from '#contract/api/gpuType.ts';

export type PricePoints = readonly (SeenPrice | null)[];

/** Null where none was free, and for own hardware whose price nobody has set: that is recorded as 0. */
export const priceOf = (point: SeenPrice | null): number | null =>
  isUnpriced(point) ? null : (point?.onDemand ?? null);

export const isUnpriced = (point: SeenPrice | null): boolean => point?.onDemand === 0;

/** The lowest and the highest price; null if there is none. */
export function rangeOf(points: PricePoints): { least: number; most: number } | null {
  const prices = points.flatMap((point) => priceOf(point) ?? []);
  return prices.length === 0 ? null : { least: Math.min(...prices), most: Math.max(...prices) };
}

/** The parts of a line without gaps. `index`: of the point. */
export function linesOf(points: PricePoints): { index: number; value: number }[][] {
  const lines: { index: number; value: number }[][] = [];
  let line: { index: number; value: number }[] = [];
  points.forEach((point, index) => {
    const value = priceOf(point);
    if (value === null) {
      line = [];
      return;
    }
    if (line.length === 0) lines.push(line);
    line.push({ index, value });
  });
  return lines;
}

const levels: readonly string[] = stockStatuses.toReversed();

/** The stock as a number from 0 (none) to 3 (high); null: not known. */
export const stockLevel = (point: SeenPrice | null): number | null =>
  point === null || point.stock === null ? null : levels.indexOf(point.stock);

/** The word for a level; empty between two levels. */
export const stockWord = (level: number): string => levels[level] ?? '';

export const MOST_STOCK = levels.length - 1;
