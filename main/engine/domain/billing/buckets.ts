/** The buckets of time of billing: hours, days, weeks from Monday, months and years of UTC. */
import type { BucketSize } from '#contract/api/billing.ts';
import { HOUR_MS, HOURS_OF_DAY } from './usage.ts';

const DAY_MS = HOURS_OF_DAY * HOUR_MS;
const DAYS_OF_WEEK = 7;
/** The epoch was a Thursday: three days after a Monday. */
const EPOCH_WEEKDAY = 3;

/** The start of the bucket that contains `day`. `day`: days since the epoch. Returns milliseconds since the epoch. */
function beginOfDay(size: Exclude<BucketSize, 'hour'>, day: number): number {
  const date = new Date(day * DAY_MS);
  switch (size) {
    case 'day':
      return day * DAY_MS;
    case 'week':
      return (Math.floor((day + EPOCH_WEEKDAY) / DAYS_OF_WEEK) * DAYS_OF_WEEK - EPOCH_WEEKDAY) * DAY_MS;
    case 'month':
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0);
  }
}

/**
 * The unit of the sums that the store returns. `beginOf` maps the time of a sum, in that unit, to the start of its
 * bucket, in hours. Both count from the epoch.
 */
export function bucketsOf(size: BucketSize): { unit: 'hour' | 'day'; beginOf(at: number): number } {
  if (size === 'hour') return { unit: 'hour', beginOf: (hour) => hour };
  const begins = new Map<number, number>();
  return {
    unit: 'day',
    beginOf(day) {
      let begin = begins.get(day);
      if (begin === undefined) begins.set(day, (begin = beginOfDay(size, day) / HOUR_MS));
      return begin;
    },
  };
}

/** Longer than any bucket of each size, and shorter than two of them. Milliseconds. */
const BEYOND_MS: Record<BucketSize, number> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: DAYS_OF_WEEK * DAY_MS,
  month: 32 * DAY_MS,
  year: 367 * DAY_MS,
};

/** The bucket that contains `at`. All times in milliseconds since the epoch; `end` is exclusive. */
export function bucketAt(size: BucketSize, at: number): { begin: number; end: number } {
  const beginAt = (time: number): number =>
    size === 'hour' ? Math.floor(time / HOUR_MS) * HOUR_MS : beginOfDay(size, Math.floor(time / DAY_MS));
  const begin = beginAt(at);
  return { begin, end: beginAt(begin + BEYOND_MS[size]) };
}
