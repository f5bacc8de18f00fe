/** The spans of time that billing is told by: hours, days, weeks from Monday, months and years of UTC. */
import type { BucketSize } from '#contract/api/billing.ts';
import { HOUR_MS, HOURS_OF_DAY } from './usage.ts';

const DAY_MS = HOURS_OF_DAY * HOUR_MS;
const DAYS_OF_WEEK = 7;
/** The epoch was a Thursday: three days after a Monday. */
const EPOCH_WEEKDAY = 3;

/** When the bucket begins that a day is in, in milliseconds since the epoch. */
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

/** What sums are asked for, and the hour since the epoch with which the bucket begins that such a sum belongs to. */
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

/** More than a bucket of each size lasts, and less than two. */
const BEYOND_MS: Record<BucketSize, number> = {
  hour: HOUR_MS,
  day: DAY_MS,
  week: DAYS_OF_WEEK * DAY_MS,
  month: 32 * DAY_MS,
  year: 367 * DAY_MS,
};

/** The bucket that a time is in. All of it in milliseconds since the epoch; `end` is not in it. */
export function bucketAt(size: BucketSize, at: number): { begin: number; end: number } {
  const beginAt = (time: number): number =>
    size === 'hour' ? Math.floor(time / HOUR_MS) * HOUR_MS : beginOfDay(size, Math.floor(time / DAY_MS));
  const begin = beginAt(at);
  return { begin, end: beginAt(begin + BEYOND_MS[size]) };
}
