import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { rangeWords, usualOf } from './usualRuns.ts';

const ran = (...times: number[]) => times.map((executionTime) => entryOf({ status: 'COMPLETED', executionTime }));

describe('what a job usually takes', () => {
  it('leaves the shortest and the longest tenth out', () => {
    const times = [1, 8000, 8500, 9000, 9000, 10_000, 11_000, 12_000, 13_000, 14_000, 90_000];
    expect(usualOf(ran(...times), 42)).toEqual({ fromMs: 8000, toMs: 14_000, runs: 42 });
  });

  it('counts completed jobs only', () => {
    const failed = entryOf({ status: 'FAILED', executionTime: 1 });
    expect(usualOf([...ran(5, 5, 5), failed, entryOf()], 3)).toEqual({ fromMs: 5, toMs: 5, runs: 3 });
  });

  it('is not told by two jobs', () => expect(usualOf(ran(5, 6), 2)).toBeNull());

  it.each([
    [8000, 14_000, '8–14 s'],
    [2100, 2200, '2.1–2.2 s'],
    [12, 840, '12–840 ms'],
    [400, 1500, '400 ms – 1.5 s'],
    [9000, 9000, '9 s'],
    [50_000, 90_000, '50 s – 1 min 30 s'],
  ])('%i to %i ms reads %s', (fromMs, toMs, words) => expect(rangeWords({ fromMs, toMs, runs: 3 })).toBe(words));
});
