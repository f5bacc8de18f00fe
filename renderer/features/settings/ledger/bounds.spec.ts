import { describe, expect, it } from 'vitest';
import type { LedgerStorage } from '#contract/app/jobs/keeping.ts';
import { keepingOf, problemsOf, typedOf, whatGoes } from './bounds.ts';

const GIB = 1024 ** 3;
const NOW = Date.UTC(2026, 5, 15);
const storage = { usedBytes: 3 * GIB } as LedgerStorage;

describe('the bounds of the ledger', () => {
  it.each([
    { retentionDays: null, capBytes: null },
    { retentionDays: 30, capBytes: 10 * GIB },
    { retentionDays: 1, capBytes: 64 * 1024 * 1024 },
  ])('are typed as they are read: %j', (keeping) => {
    expect(keepingOf(typedOf(keeping))).toEqual(keeping);
  });

  it('are held against what is allowed, and an empty one is none', () => {
    expect(problemsOf({ retentionDays: null, capBytes: null })).toEqual({ days: null, gigabytes: null });
    expect(problemsOf({ retentionDays: 0, capBytes: 1 })).toEqual({
      days: 'From 1 to 3\u202f650 days, or empty',
      gigabytes: 'From 64 MB to 4.0 TB, or empty',
    });
  });

  it('say what would go, and nothing where nothing would', () => {
    expect(whatGoes({ retentionDays: 30, capBytes: GIB }, storage, 12, NOW)).toEqual([
      expect.stringMatching(/^Jobs that ended before .*2026.*: up to 12, and more each day\.$/),
      'The oldest jobs, up to 2.0 GB.',
    ]);
    expect(whatGoes({ retentionDays: 30, capBytes: 10 * GIB }, storage, 0, NOW)).toEqual([]);
    expect(whatGoes({ retentionDays: null, capBytes: null }, storage, 5, NOW)).toEqual([]);
  });
});
