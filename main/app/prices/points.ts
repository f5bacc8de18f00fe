/** Makes the points of a chart from the times in which a price was seen. */
import type { SeenPrice } from '#contract/app/price.ts';
import type { PriceSpan } from '../ledger/rows/prices.ts';

/** The start of the first of `count` points, of which the last one contains `now`. */
export const firstPoint = (now: number, stepMs: number, count: number): number =>
  (Math.floor(now / stepMs) + 1 - count) * stepMs;

/** The last price of each step; null where nothing was seen. `spans`: of one GPU type, oldest first. */
export function pointsOf(
  spans: readonly PriceSpan[],
  from: number,
  stepMs: number,
  count: number,
): (SeenPrice | null)[] {
  const points = Array.from<SeenPrice | null>({ length: count }).fill(null);
  for (const { since, seenAt, onDemand, spot, stock } of spans) {
    const first = Math.max(0, Math.floor((since - from) / stepMs));
    const last = Math.min(count - 1, Math.floor((seenAt - from) / stepMs));
    if (last >= first) points.fill({ onDemand, spot, stock }, first, last + 1);
  }
  return points;
}
