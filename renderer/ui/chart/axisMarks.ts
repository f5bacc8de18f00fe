/** The distances between the marks of an axis of values: each mark has a text of its own, which is true. */
import type { AxisFormat } from './axisText.ts';

const MANTISSAS = [1, 2, 2.5, 5];
const EXPONENTS = Array.from({ length: 19 }, (_, index) => index - 6);
/** From small to large. */
const distances = EXPONENTS.flatMap((exponent) => MANTISSAS.map((mantissa) => Number(`${mantissa}e${exponent}`)));

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Distances for durations, in milliseconds, from small to large. Their marks are whole numbers of one unit: "1 min" and
 * "2 min" instead of "1 min 40 s", for which an axis has no room.
 */
export const durationDistances: readonly number[] = [
  ...[1, 2, 5].flatMap((digit) => [digit, digit * 10, digit * 100]).toSorted((a, b) => a - b),
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * DAY),
];

/** Whether the text rounds the value to a whole number of its unit: "3" for 2.5 jobs. */
const isRounded = (value: number, top: number, format: AxisFormat): boolean =>
  !Number.isInteger(value) && format(value, top) === format(Math.max(1, Math.round(value)), top);

/** Most marks of an axis above 0. */
const MOST_MARKS = 3;
/** Values that differ by less are the same: sums of parts are rounded. */
const SAME = 1e-9;

/**
 * The top of an axis from 0, and the distance of its marks, so that no value stands above the last mark. `most`: the
 * greatest value, above 0.
 */
export function axisAbove(
  most: number,
  format: AxisFormat,
  candidates: readonly number[] = distances,
): { top: number; distance: number } {
  for (const distance of candidates) {
    const count = Math.max(1, Math.ceil(most / distance - SAME));
    const top = count * distance;
    if (count <= MOST_MARKS && markDistances(top, format, [distance]).length > 0) return { top, distance };
  }
  return { top: most, distance: most };
}

/**
 * The possible distances on an axis from 0 to `top`, from small to large. At a smaller one, two marks would have the
 * same text, such as "1 MB" for 0.5 and 1 MB, or the text of a mark would be rounded. `candidates` are other
 * distances to choose from, from small to large.
 */
export function markDistances(top: number, format: AxisFormat, candidates: readonly number[] = distances): number[] {
  const isClear = (distance: number): boolean => {
    if (isRounded(distance, top, format)) return false;
    // An axis has room for a few marks only: the first ones are the closest to each other.
    const marks = Array.from({ length: 1 + Math.min(8, Math.floor(top / distance)) }, (_, index) =>
      format(index * distance, top),
    );
    return new Set(marks).size === marks.length;
  };
  return candidates.filter(isClear);
}
