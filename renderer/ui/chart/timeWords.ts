/** Times of a chart for a person: marks of its axis, and the span of a point. */
import { formatClock, formatShortDay, formatUtcClock, formatUtcShortDay } from '../text/format.ts';

const DAY_MS = 24 * 3_600_000;

/** A mark of the time axis. `at`: milliseconds since the epoch; `spanMs`: the length of the axis. */
export const markOf = (at: number, spanMs: number): string => (spanMs > 2 * DAY_MS ? formatShortDay : formatClock)(at);

/** As `markOf`, for an axis whose times are in UTC. */
export const utcMarkOf = (at: number, spanMs: number): string =>
  (spanMs > 2 * DAY_MS ? formatUtcShortDay : formatUtcClock)(at);

const withDay = (words: string, at: number, spanMs: number): string =>
  spanMs > DAY_MS / 2 ? `${formatShortDay(at)}, ${words}` : words;

/** The start of a point: "14:05", in a longer period "23 Nov, 14:00". `spanMs`: the length of the period. */
export const startWords = (at: number, spanMs: number): string => withDay(formatClock(at), at, spanMs);

/** The time of a point: "14:05–14:20", in a longer period "23 Nov, 14:00–16:00". */
export const spanWords = (at: number, stepMs: number, spanMs: number): string =>
  withDay(`${formatClock(at)}–${formatClock(at + stepMs)}`, at, spanMs);
