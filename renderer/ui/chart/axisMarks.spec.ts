import { expect, test } from 'vitest';
import { formatCount, formatDuration, formatMemory, formatPercent } from '../text/format.ts';
import { axisAbove, durationDistances, markDistances } from './axisMarks.ts';
import { GB } from './measured.ts';

const whole = (value: number): string => formatCount(Math.round(value));
const inGb = (value: number): string => formatMemory(value * GB);

test('no two marks of an axis have the same text', () => {
  expect(markDistances(0.002, inGb)[0]).toBe(0.001);
  expect(markDistances(100, formatPercent)[0]).toBe(1);
});

test('a mark is no fraction that its text rounds', () => {
  const counts = markDistances(6, whole).slice(0, 4);
  expect(counts).toEqual([1, 2, 5, 10]);
  expect(markDistances(6, inGb)).toContain(2.5);
});

test('an axis whose values are all below the smallest text has distances, too', () => {
  expect(markDistances(0.0001, inGb)).not.toEqual([]);
});

test('the first two marks of an axis of durations have one unit each, so that they fit', () => {
  for (const top of [3, 90, 900, 70_000, 178_000, 3_000_000, 20_000_000, 400_000_000]) {
    const fits = markDistances(top, formatDuration, durationDistances);
    for (const distance of fits) {
      for (const mark of [distance, 2 * distance]) expect(formatDuration(mark)).toMatch(/^[\d.]+ \w+$/);
    }
    expect(fits).not.toEqual([]);
  }
});

test.each([
  [156, formatDuration, durationDistances, { top: 200, distance: 100 }],
  [1300, formatDuration, durationDistances, { top: 1500, distance: 500 }],
  [200, formatDuration, durationDistances, { top: 200, distance: 100 }],
  [1, whole, undefined, { top: 1, distance: 1 }],
  [7, whole, undefined, { top: 10, distance: 5 }],
  [0.1 + 0.2, whole, undefined, { top: 1, distance: 1 }],
] as const)('no value stands above the last mark: %d', (most, format, distances, axis) => {
  expect(axisAbove(most, format, distances)).toEqual(axis);
});
