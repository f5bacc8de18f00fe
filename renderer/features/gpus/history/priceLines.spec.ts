import { expect, test } from 'vitest';
import type { SeenPrice } from '#contract/app/price.ts';
import { linesOf, rangeOf, stockLevel, stockWord } from './priceLines.ts';

const at = (onDemand: number | null, stock: SeenPrice['stock'] = 'High'): SeenPrice => ({
  onDemand,
  spot: null,
  stock,
});

test('a line of prices has a gap where nothing was seen, and where none was free', () => {
  const points = [null, at(1), at(2), null, at(3), at(null, 'None'), at(4)];
  expect(linesOf(points).map((line) => line.map(({ index, value }) => [index, value]))).toEqual([
    [
      [1, 1],
      [2, 2],
    ],
    [[4, 3]],
    [[6, 4]],
  ]);
  expect(rangeOf(points)).toEqual({ least: 1, most: 4 });
  expect(rangeOf([null, at(null)])).toBeNull();
});

test('what has no price, which is recorded as 0, is no part of a line', () => {
  const points = [at(0), at(2), at(0)];
  expect(linesOf(points)).toEqual([[{ index: 1, value: 2 }]]);
  expect(rangeOf(points)).toEqual({ least: 2, most: 2 });
  expect(rangeOf([at(0)])).toBeNull();
});

test('stock is a number for a chart, from none to high', () => {
  expect((['None', 'Low', 'Medium', 'High', null] as const).map((stock) => stockLevel(at(1, stock)))).toEqual([
    0,
    1,
    2,
    3,
    null,
  ]);
  expect([stockWord(0), stockWord(3), stockWord(0.5)]).toEqual(['None', 'High', '']);
});
