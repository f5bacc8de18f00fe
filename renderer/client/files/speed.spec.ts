import { describe, expect, it } from 'vitest';
import { speedOf, timeLeftMs, withPoint, type ProgressPoint } from './speed.ts';

const MB = 1024 * 1024;
/** One megabyte in each `everyMs`, from the time 0 on. */
const steady = (count: number, everyMs: number): readonly ProgressPoint[] =>
  Array.from({ length: count }, (_, n) => ({ at: n * everyMs, doneBytes: n * MB })).reduce<readonly ProgressPoint[]>(
    withPoint,
    [],
  );

describe('the speed of a transfer', () => {
  it('is what was done in the last seconds, and says how long the rest takes', () => {
    const points = steady(20, 500);
    expect(speedOf(points, 9500)).toBeCloseTo(2 * MB, -3);
    expect(timeLeftMs(10 * MB, speedOf(points, 9500))).toBeCloseTo(5000, -1);
  });

  it('follows a change, because what is long ago does not count', () => {
    const fast = steady(20, 100);
    const slow = [3000, 5000, 7000, 9000].reduce(
      (points, at, n) => withPoint(points, { at, doneBytes: (20 + n) * MB }),
      fast,
    );
    expect(speedOf(slow, 9000)).toBeCloseTo(MB / 2, -3);
    expect(slow.length).toBeLessThan(fast.length);
  });

  it('is not told before there is one, and is none while nothing moves', () => {
    expect(speedOf([], 0)).toBeNull();
    expect(speedOf(steady(2, 100), 100)).toBeNull();
    expect(speedOf([{ at: 0, doneBytes: 0 }], 5000)).toBeNull();
    expect(speedOf(steady(4, 1000), 60_000)).toBe(0);
    expect(timeLeftMs(MB, 0)).toBeNull();
  });
});
