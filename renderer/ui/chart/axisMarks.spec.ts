import { expect, test } from 'vitest';
import { formatCount, formatPercent } from '../text/format.ts';
import { axisAbove, durationDistances, markDistances } from './axisMarks.ts';
import { durationMark, memoryMark, type AxisFormat } from './axisText.ts';

const whole = (value: number): string => formatCount(Math.round(value));

test('no two marks of an axis have the same text', () => {
  expect(markDistances(0.002, memoryMark)[0]).toBe(0.001);
  expect(markDistances(100, formatPercent)[0]).toBe(1);
});

test('a mark is no fraction that its text rounds', () => {
  const counts = markDistances(6, whole).slice(0, 4);
  expect(counts).toEqual([1, 2, 5, 10]);
  expect(markDistances(6, memoryMark)).toContain(2.5);
});

test('an axis whose values are all below the smallest text has distances, too', () => {
  expect(markDistances(0.0001, memoryMark)).not.toEqual([]);
});

/** The texts of the marks that an axis up to `most` has. */
function textsUpTo(most: number, format: AxisFormat, candidates?: readonly number[]): string[] {
  const { top, distance } = axisAbove(most, format, candidates);
  return Array.from({ length: Math.round(top / distance) + 1 }, (_, index) => format(index * distance, top));
}

test.each([
  [156, durationMark, durationDistances, ['0 ms', '100 ms', '200 ms']],
  [1300, durationMark, durationDistances, ['0 ms', '500 ms', '1000 ms', '1500 ms']],
  [70_000, durationMark, durationDistances, ['0 s', '30 s', '60 s', '90 s']],
  [3_000_000, durationMark, durationDistances, ['0 min', '20 min', '40 min', '60 min']],
  [400_000_000, durationMark, durationDistances, ['0 d', '2 d', '4 d', '6 d']],
  [0.7, memoryMark, undefined, ['0 MB', '256 MB', '512 MB', '768 MB']],
  [1.4, memoryMark, undefined, ['0 GB', '0.5 GB', '1 GB', '1.5 GB']],
  [22, memoryMark, undefined, ['0 GB', '10 GB', '20 GB', '30 GB']],
] as const)('the marks of an axis up to %d are whole and have one unit', (most, format, candidates, texts) => {
  expect(textsUpTo(most, format, candidates)).toEqual(texts);
});

test.each([
  [156, durationMark, durationDistances, { top: 200, distance: 100 }],
  [1300, durationMark, durationDistances, { top: 1500, distance: 500 }],
  [200, durationMark, durationDistances, { top: 200, distance: 100 }],
  [1, whole, undefined, { top: 1, distance: 1 }],
  [7, whole, undefined, { top: 10, distance: 5 }],
  [0.1 + 0.2, whole, undefined, { top: 1, distance: 1 }],
] as const)('no value stands above the last mark: %d', (most, format, distances, axis) => {
  expect(axisAbove(most, format, distances)).toEqual(axis);
});
