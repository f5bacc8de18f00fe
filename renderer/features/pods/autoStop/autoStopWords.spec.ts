/** The words of the automatic stop in the row of a Pod. */
import { describe, expect, it } from 'vitest';
import type { AutoStop } from '#contract/api/autoStop.ts';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import { stopWords } from './autoStopWords.ts';

const NOW = Date.UTC(2026, 0, 5, 10);
const MINUTE = 60_000;
const iso = (at: number): string => new Date(at).toISOString();
const base: AutoStop = {
  rules: { idleMinutes: 30, spendUsd: 5 },
  idleSince: null,
  busyWith: null,
  measuredAt: null,
  next: null,
  spentUsd: 4.5,
  stopped: null,
};
const wordsOf = (autoStop: Partial<AutoStop>, desiredStatus = 'RUNNING', work: 'stop' | null = null) =>
  stopWords(
    {
      pod: lenientPodSchema.parse({ id: 'p', name: 'trainer', desiredStatus }),
      facts: null,
      autoStop: { ...base, ...autoStop },
      work,
    },
    NOW,
  );

describe('a Pod that stops by itself', () => {
  it('says in how many minutes, rounded up, and why', () => {
    const idle = { idleSince: iso(NOW - 27 * MINUTE), next: { at: iso(NOW + 3.1 * MINUTE), cause: 'idle' as const } };
    expect(wordsOf(idle)?.short).toBe('Stops in 4 min: idle');
    const late = wordsOf({ ...idle, next: { at: iso(NOW - MINUTE), cause: 'idle' } });
    expect(late?.short).toBe('Stops now: idle');
    expect(wordsOf(idle, 'RUNNING', 'stop')).toBeNull();
  });

  it('says so of the spend cap only in its last hour', () => {
    const at = (ms: number) => wordsOf({ next: { at: iso(NOW + ms), cause: 'spend' } });
    expect(at(61 * MINUTE)).toBeNull();
    expect(at(60 * MINUTE)).toEqual({ short: 'Stops in 1 h: cost', long: 'It has cost $4.50 of $5.00.' });
  });

  it('says why it was stopped, until it runs again', () => {
    const stopped = { at: iso(NOW), cause: 'idle' as const, reason: 'idle for 30 min' };
    expect(wordsOf({ stopped }, 'EXITED')?.short).toBe('Stopped: idle for 30 min');
    expect(wordsOf({ stopped: { ...stopped, cause: 'spend' } }, 'EXITED')?.short).toBe('Stopped: spend cap');
    expect(wordsOf({ stopped })).toBeNull();
    expect(wordsOf({}, 'EXITED')).toBeNull();
  });
});
