/** Rules of the lines of the small charts. */
import { describe, expect, it } from 'vitest';
import { boundsOf, spanOf, trackOf } from './series.ts';

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const history = (values: readonly (number | null)[], to: number) => ({
  stepMs: 30_000,
  to: at(to),
  points: values.map((value, index) => ({ at: at(index * 30), value })),
});

describe('the line of a small chart', () => {
  it('has the mean of each whole span of the period, and the value of now', () => {
    const track = trackOf(history([1, null, 3, 4], 110), ({ value }) => value, { at: 112_000, value: 5 });
    expect(track).toEqual({ at: [15_000, 45_000, 75_000, 112_000], values: [1, null, 3, 5] });
  });

  it('begins with the first measurement, and is a minute long at least', () => {
    const track = trackOf(history([null, null, 3], 100), ({ value }) => value, { at: 100_000, value: 4 });
    expect(track).toEqual({ at: [75_000, 100_000], values: [3, 4] });
    expect(boundsOf(track)).toEqual({ start: 40_000, end: 100_000 });
    expect(boundsOf({ at: [0, 100_000], values: [1, 2] })).toEqual({ start: 0, end: 100_000 });
  });

  it('is empty where nothing was measured, and until the history is read', () => {
    const empty = { at: [], values: [] };
    expect(trackOf(history([null], 40), ({ value }) => value, { at: 40_000, value: null })).toEqual(empty);
    expect(trackOf(undefined, () => 1, { at: 40_000, value: 1 })).toEqual(empty);
    expect(spanOf(empty)).toBeNull();
  });

  it('tells least and greatest of what is known', () => {
    expect(spanOf({ at: [1, 2, 3], values: [4, null, 2] })).toEqual({ least: 2, greatest: 4 });
  });
});
