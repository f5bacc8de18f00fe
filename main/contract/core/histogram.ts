/**
 * Histograms of durations with logarithmic buckets. The sum of two histograms is the histogram of both, so that
 * percentiles of any period come from the histograms of its parts.
 */

/** The end of each bucket is this many times the end of the bucket before. */
const GROWTH = 1.05;
const LOG_GROWTH = Math.log(GROWTH);
/** The last bucket begins at about 29 days; longer durations count in it. */
export const BUCKETS = 448;
/** The greatest relative error of a percentile, for durations up to 29 days. */
export const PERCENTILE_ERROR = 0.03;

/**
 * Counts by bucket. Bucket 0: below one millisecond. Bucket n: above GROWTH ** (n - 2) ms, up to GROWTH ** (n - 1) ms.
 */
export type Histogram = Uint32Array;

export const newHistogram = (): Histogram => new Uint32Array(BUCKETS);

const bucketOf = (ms: number): number => (ms < 1 ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(ms) / LOG_GROWTH) + 1));

/** The duration in the middle of a bucket, milliseconds with one decimal. Its error is the same on both sides. */
function middleOf(bucket: number): number {
  if (bucket === 0) return 0;
  return Math.round((20 * GROWTH ** (bucket - 1)) / (1 + GROWTH)) / 10;
}

/** `ms`: milliseconds, 0 or more. */
export function countDuration(histogram: Histogram, ms: number): void {
  const bucket = bucketOf(ms);
  histogram[bucket] = (histogram[bucket] ?? 0) + 1;
}

export function addHistogram(to: Histogram, other: Histogram): void {
  for (const [bucket, count] of other.entries()) if (count > 0) to[bucket] = (to[bucket] ?? 0) + count;
}

/**
 * The smallest duration that is not shorter than this share of all durations, milliseconds, within PERCENTILE_ERROR.
 * `share`: above 0, up to 1. Null without durations.
 */
export function percentile(histogram: Histogram, share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(share * total));
  let counted = 0;
  const bucket = histogram.findIndex((count) => (counted += count) >= rank);
  return middleOf(bucket);
}

/** The 50th and the 95th percentile, milliseconds within PERCENTILE_ERROR; null without durations. */
export function percentilesOf(histogram: Histogram): { p50: number; p95: number } | null {
  const p50 = percentile(histogram, 0.5);
  const p95 = percentile(histogram, 0.95);
  return p50 === null || p95 === null ? null : { p50, p95 };
}
