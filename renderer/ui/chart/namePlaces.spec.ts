import { expect, it } from 'vitest';
import { namePlaces } from './namePlaces.ts';

const room = { top: 6, bottom: 100, height: 12 };

it('a name stands at the end of its line, and above the one below it where both end together', () => {
  expect(namePlaces([80, 20], room)).toEqual([80, 20]);
  expect(namePlaces([80, 78], room)).toEqual([80, 68]);
});

it('no name is cut off at the top or below the chart', () => {
  expect(namePlaces([9, 8], room)).toEqual([18, 6]);
  expect(namePlaces([110], room)).toEqual([100]);
  expect(namePlaces([90, 9, 8], room)).toEqual([90, 18, 6]);
});
