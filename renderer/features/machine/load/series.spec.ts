/** Rules of the tracks of what was measured. */
import { describe, expect, it } from 'vitest';
import { addSample, SERIES_MS, minutesOf, noTrack, periodOf, spanOf, withPast } from './series.ts';

describe('a track', () => {
  it('keeps samples in order, and the same one once', () => {
    const track = addSample(addSample(addSample(noTrack, 1000, 1), 3000, 2), 3000, 9);
    expect(track).toEqual({ at: [1000, 3000], values: [1, 2] });
    expect(addSample(track, 2000, 5)).toBe(track);
  });

  it('forgets what is older than five minutes', () => {
    const track = addSample(addSample(noTrack, 0, 1), 5000, 2);
    expect(addSample(track, SERIES_MS + 1000, 3).at).toEqual([5000, 5001, SERIES_MS + 1000]);
    expect(addSample(track, 2 * SERIES_MS, 3)).toEqual({ at: [2 * SERIES_MS], values: [3] });
  });

  it('is broken where nobody looked for a while', () => {
    expect(addSample(addSample(noTrack, 1000, 1), 60_000, 2)).toEqual({
      at: [1000, 1001, 60_000],
      values: [1, null, 2],
    });
  });

  it('has a chart from its first sample on, one to five minutes long', () => {
    const values = [1, 1];
    expect(periodOf({ at: [100_000], values: [1] })).toEqual({ start: 40_000, end: 100_000 });
    expect(periodOf({ at: [100_000, 250_000], values })).toEqual({ start: 100_000, end: 250_000 });
    expect(periodOf({ at: [0, 2 * SERIES_MS], values })).toEqual({ start: SERIES_MS, end: 2 * SERIES_MS });
    expect([[0], [0, 65_000], [0, 250_000], [0, 2 * SERIES_MS]].map((at) => minutesOf({ at, values }))).toEqual([
      1, 1, 4, 5,
    ]);
  });

  it('has what was measured before it, up to five minutes back and once', () => {
    const now = 2 * SERIES_MS;
    const track = { at: [now - 1000, now], values: [7, 8] };
    const past = { at: [1000, now - 20_000, now - 10_000, now - 500], values: [1, 2, null, 4] };
    const whole = { at: [now - 20_000, now - 10_000, now - 1000, now], values: [2, null, 7, 8] };
    expect(withPast(track, past)).toEqual(whole);
    expect(withPast(whole, { at: past.at.slice(2), values: past.values.slice(2) })).toBe(whole);
    const begun = { at: [now - 30_000, ...past.at.slice(1)], values: [null, 2, null, 4] };
    expect(withPast(track, begun)).toEqual(whole);
    expect(withPast(track, { at: [now - 9000], values: [null] })).toBe(track);
    expect(withPast(noTrack, past).at).toEqual([now - 20_000, now - 10_000, now - 500]);
  });

  it('tells least and greatest of what is known', () => {
    expect(spanOf({ at: [1, 2, 3], values: [4, null, 2] })).toEqual({ least: 2, greatest: 4 });
    expect(spanOf({ at: [1], values: [null] })).toBeNull();
  });
});
