/** Periods that a person chooses, in UTC like the buckets of bills. */
import { t } from '../../language/text.ts';
import { formatUtcDate, formatUtcHour } from '../../ui/text/format.ts';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const periods = {
  month: t`This month`,
  lastMonth: t`Last month`,
  week: t`7 days`,
  thirty: t`30 days`,
  day: t`24 hours`,
} as const;
export type Period = keyof typeof periods;

export interface Span {
  /** Milliseconds since the epoch, at bucket boundaries; `to` is exclusive. */
  from: number;
  to: number;
  bucketSize: 'hour' | 'day';
}

/** The current bucket is included, so the period ends after `now`. */
export function spanOf(period: Period, now: number): Span {
  const date = new Date(now);
  const month = (offset: number): number => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset);
  const tomorrow = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  switch (period) {
    case 'month':
      return { from: month(0), to: tomorrow, bucketSize: 'day' };
    case 'lastMonth':
      return { from: month(-1), to: month(0), bucketSize: 'day' };
    case 'week':
      return { from: tomorrow - 7 * DAY_MS, to: tomorrow, bucketSize: 'day' };
    case 'thirty':
      return { from: tomorrow - 30 * DAY_MS, to: tomorrow, bucketSize: 'day' };
    case 'day': {
      const to = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
      return { from: to - DAY_MS, to, bucketSize: 'hour' };
    }
  }
}

/** The day or the hour that begins then, for a person. `at`: milliseconds since the epoch. */
export const bucketName = (at: number, bucketSize: Span['bucketSize']): string =>
  (bucketSize === 'hour' ? formatUtcHour : formatUtcDate)(at);

/** The start of each bucket. */
export function bucketsOf({ from, to, bucketSize }: Span): number[] {
  const step = bucketSize === 'hour' ? HOUR_MS : DAY_MS;
  return Array.from({ length: Math.round((to - from) / step) }, (_, index) => from + index * step);
}
