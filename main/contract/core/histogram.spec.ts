/** Percentiles of histograms, beside those of the very durations. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addHistogram,
  countDuration,
  newHistogram,
  percentile,
  PERCENTILE_ERROR,
  type Histogram,
} from './histogram.ts';

const histogramOf = (durations: readonly number[]): Histogram => {
  const histogram = newHistogram();
  for (const ms of durations) countDuration(histogram, ms);
  return histogram;
};

/** The percentile of the durations themselves, by nearest rank. */
function exact(durations: readonly number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? NaN;
}

/** From below a millisecond to 29 days, as many short ones as long ones. */
const duration = fc.double({ min: 0, max: 21.6, noNaN: true }).map((power) => Math.round(Math.exp(power) - 1));
const durations = fc.array(duration, { minLength: 1, maxLength: 200 });
const share = fc.constantFrom(0.01, 0.5, 0.95, 1);

describe('a percentile', () => {
  it('is within its error of the percentile of the durations', () => {
    fc.assert(
      fc.property(durations, share, (all, fraction) => {
        const wanted = exact(all, fraction);
        const answer = percentile(histogramOf(all), fraction);
        expect(Math.abs((answer ?? NaN) - wanted)).toBeLessThanOrEqual(wanted * PERCENTILE_ERROR);
      }),
    );
  });

  it('of added histograms is the one of all durations together', () => {
    fc.assert(
      fc.property(durations, durations, share, (some, others, fraction) => {
        const together = histogramOf(some);
        addHistogram(together, histogramOf(others));
        expect(percentile(together, fraction)).toBe(percentile(histogramOf([...some, ...others]), fraction));
      }),
    );
  });

  it('of short durations is exact', () => {
    for (let ms = 0; ms <= 9; ms += 1) expect(Math.round(percentile(histogramOf([ms]), 0.5) ?? NaN)).toBe(ms);
  });

  it('is none where there is no duration, and that of the last bucket for a longer one', () => {
    expect(percentile(newHistogram(), 0.95)).toBeNull();
    expect(percentile(histogramOf([1e12]), 0.5)).toBeGreaterThan(29 * 24 * 3_600_000 * (1 - PERCENTILE_ERROR));
  });
});
