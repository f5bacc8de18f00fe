/** Spans of time that a person asks for, in UTC, as bills are told. */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const periods = {
  month: 'This month',
  lastMonth: 'Last month',
  week: '7 days',
  thirty: '30 days',
  day: '24 hours',
} as const;
export type Period = keyof typeof periods;

export interface Span {
  /** Milliseconds since the epoch, at whole buckets; the end is not in it. */
  from: number;
  to: number;
  bucketSize: 'hour' | 'day';
}

/** Buckets that have begun count: the last one ends after now. */
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

/** Where each bucket begins. */
export function bucketsOf({ from, to, bucketSize }: Span): number[] {
  const step = bucketSize === 'hour' ? HOUR_MS : DAY_MS;
  return Array.from({ length: Math.round((to - from) / step) }, (_, index) => from + index * step);
}
