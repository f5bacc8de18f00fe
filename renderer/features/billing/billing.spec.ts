import { describe, expect, it } from 'vitest';
import type { UsageRow } from '#contract/bridge/billing.ts';
import { usageCsv } from './csv.ts';
import { bucketsOf, spanOf } from './periods.ts';
import { sumsOf, totalOf } from './sums.ts';

const row = (fields: Partial<UsageRow>): UsageRow => ({
  kind: 'pod',
  time: '2026-03-01T00:00:00.000Z',
  id: 'p',
  name: null,
  exists: true,
  amount: 1,
  timeMs: 3_600_000,
  gb: null,
  ...fields,
});

describe('a CSV file', () => {
  it('holds no name that a spreadsheet would run', () => {
    expect(usageCsv([row({ name: 'a;=1+1' })])).toContain(`,"a;'=1+1",`);
  });

  it('has a head, and hours and dollars as plain numbers', () => {
    expect(usageCsv([row({ name: 'my, pod', timeMs: 5_400_000, amount: 0.1 })])).toBe(
      'time,kind,id,name,hours,disk_gb,amount_usd\r\n2026-03-01T00:00:00.000Z,pod,p,"my, pod",1.5,,0.1\r\n',
    );
  });
});

describe('periods', () => {
  const now = Date.UTC(2026, 2, 5, 13, 30);

  it('are whole days of UTC, and hours for the last day', () => {
    expect(bucketsOf(spanOf('month', now))).toHaveLength(5);
    expect(bucketsOf(spanOf('lastMonth', now))).toHaveLength(28);
    expect(bucketsOf(spanOf('week', now))).toHaveLength(7);
    const day = spanOf('day', now);
    expect([bucketsOf(day).length, day.to]).toEqual([24, Date.UTC(2026, 2, 5, 14)]);
  });
});

describe('sums', () => {
  const rows = [
    row({ id: 'A40', kind: 'pod', amount: 1 }),
    row({ id: 'A40', kind: 'endpoint', amount: 2 }),
    row({ id: null, kind: 'volume', amount: 4, time: '2026-03-02T00:00:00.000Z' }),
  ];

  it('lose nothing, whatever they are told by', () => {
    for (const grouping of ['day', 'resource', 'gpu'] as const) expect(totalOf(sumsOf(rows, grouping))).toBe(7);
    expect(totalOf(sumsOf(rows, 'endpoint'))).toBe(2);
  });

  it('stand newest first by day, else dearest first, and a GPU type is one', () => {
    expect(sumsOf(rows, 'day').map(({ amount }) => amount)).toEqual([4, 3]);
    expect(sumsOf(rows, 'gpu').map(({ amount }) => amount)).toEqual([4, 3]);
  });
});
