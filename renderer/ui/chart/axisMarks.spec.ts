import { expect, test } from 'vitest';
import { formatCount, formatMemory, formatPercent } from '../text/format.ts';
import { markDistances } from './axisMarks.ts';
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
