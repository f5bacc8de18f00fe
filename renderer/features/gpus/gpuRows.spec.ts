import { describe, expect, it } from 'vitest';
import { everything, passes, sorted, type GpuRow } from './gpuRows.ts';

const row = (given: Partial<GpuRow>): GpuRow => ({
  ...{ id: 'A', name: 'A', memoryInGb: 24, maxGpuCount: 1, perHour: 1, perGpu: 1, perGb: 1 / 24, stock: 'High' },
  ...{ counts: [1], totalCount: 1, rentedCount: 0 },
  ...given,
});

describe('rows of GPU types', () => {
  it('are found by name, memory, stock and price together', () => {
    const one = row({ name: 'RTX 4090', memoryInGb: 24, perHour: 0.7, stock: 'Low' });
    expect(passes(one, { text: '409', memory: 24, stock: 'there', most: 0.7 })).toBe(true);
    for (const filter of [{ text: 'A40' }, { memory: 48 }, { most: 0.69 }]) {
      expect(passes(one, { ...everything, ...filter }), JSON.stringify(filter)).toBe(false);
    }
    expect(passes(row({ stock: 'None' }), { ...everything, stock: 'there' })).toBe(false);
    expect(passes(row({ perHour: null }), { ...everything, most: 100 })).toBe(false);
  });

  it('stand in the order of what was chosen, pinned ones first, and those without a price last', () => {
    const rows = [
      row({ id: 'dear', perHour: 3 }),
      row({ id: 'none', perHour: null }),
      row({ id: 'cheap', perHour: 1 }),
    ];
    const ids = (up: boolean, pinned: string[] = []) => sorted(rows, { by: 'perHour', up }, pinned).map(({ id }) => id);
    expect(ids(true)).toEqual(['cheap', 'dear', 'none']);
    expect(ids(false)).toEqual(['dear', 'cheap', 'none']);
    expect(ids(true, ['none'])).toEqual(['none', 'cheap', 'dear']);
  });
});
