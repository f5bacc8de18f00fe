/** Times of a chart in words. */
import { describe, expect, it } from 'vitest';
import { markOf, spanWords, startWords, utcMarkOf } from './timeWords.ts';

describe('times of a chart', () => {
  it('of an hour have no day; of longer periods they have it', () => {
    const at = Date.UTC(2026, 0, 5, 12);
    const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' }).format(at);
    const hour = 3_600_000;
    expect(spanWords(at, 60_000, hour)).not.toContain(day);
    expect(spanWords(at, hour, 24 * hour)).toContain(day);
    expect([startWords(at, hour), startWords(at, 24 * hour)].map((words) => words.includes(day))).toEqual([
      false,
      true,
    ]);
    expect(markOf(at, 7 * 24 * hour)).toBe(day);
    expect(markOf(at, 24 * hour)).not.toContain(day);
  });

  it('in UTC are of its day and its hour', () => {
    const day = (at: number) => new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' }).format(at);
    const at = Date.UTC(2026, 0, 5);
    expect(utcMarkOf(at, 30 * 24 * 3_600_000)).toBe(day(new Date(2026, 0, 5, 12).getTime()));
    expect(utcMarkOf(at, 24 * 3_600_000)).toMatch(/^(00:00|12:00\sAM)$/);
  });
});
