import { describe, expect, it } from 'vitest';
import { lenientGpuTypeSchema } from '#contract/api/lenient.ts';
import { everything, passes, rowOfOffer, sorted, type GpuRow } from './gpuRows.ts';

const row = (fields: Partial<GpuRow>): GpuRow => ({
  id: 'A',
  name: 'A',
  isProcessor: false,
  memoryInGb: 24,
  maxGpuCount: 1,
  perHour: 1,
  perGpu: 1,
  isUnpriced: false,
  perGb: 1 / 24,
  perTflop: null,
  listPerHour: 1,
  listPerGb: 1 / 24,
  listPerTflop: null,
  listPrice: 1,
  spec: null,
  tflops: null,
  bandwidth: null,
  watts: null,
  stock: 'High',
  counts: [1],
  totalCount: 1,
  rentedCount: 0,
  ...fields,
});

describe('rows of GPU types', () => {
  it('are found by name, memory, stock and price together', () => {
    const one = row({ name: 'RTX 4090', memoryInGb: 24, perHour: 0.7, stock: 'Low' });
    expect(passes(one, { text: '409', memory: 24, stock: 'there', most: 0.7 })).toBe(true);
    for (const filter of [{ text: 'A40' }, { memory: 48 }, { most: 0.69 }]) {
      expect(passes(one, { ...everything, ...filter }), JSON.stringify(filter)).toBe(false);
    }
    expect(passes(row({ stock: 'None' }), { ...everything, stock: 'there' })).toBe(false);
    expect(passes(row({ stock: 'Low', rentedCount: 1 }), { ...everything, stock: 'there' })).toBe(false);
    expect(passes(row({ perHour: null }), { ...everything, most: 100 })).toBe(false);
  });

  it('of a catalogue cost as often what one costs, and more than a Pod can have are not there', () => {
    const offer = lenientGpuTypeSchema.parse({
      id: 'L4',
      displayName: 'L4',
      memoryInGb: 24,
      maxGpuCount: 2,
      lowestPrice: { uninterruptablePrice: 0.5, stockStatus: 'Low', availableGpuCounts: [1, 2] },
    });
    expect(rowOfOffer(offer, 2)).toMatchObject({ perHour: 1, perGpu: 0.5, perGb: 0.5 / 24, stock: 'Low' });
    expect(rowOfOffer(offer, 1)).toMatchObject({ perTflop: 0.5 / 121, tflops: 121, bandwidth: 300, watts: 72 });
    // Own hardware without a price is not the cheapest offer.
    const own = lenientGpuTypeSchema.parse({
      ...offer,
      lowestPrice: { uninterruptablePrice: 0, stockStatus: 'High', availableGpuCounts: [1] },
    });
    expect(rowOfOffer(own, 1)).toMatchObject({ perHour: null, perGpu: null, perGb: null, isUnpriced: true });
    expect(rowOfOffer(offer, 4)).toMatchObject({ perHour: null, perGpu: null, perGb: null, stock: 'None' });
    const untold = lenientGpuTypeSchema.parse({ id: 'new', maxGpuCount: 1 });
    expect(rowOfOffer(untold, 1)).toMatchObject({ name: 'new', perHour: null, perGb: null, stock: null });
  });

  it('have the price of the list where none is free, and no numbers of a GPU on a processor', () => {
    const offer = { displayName: 'L4', memoryInGb: 24, maxGpuCount: 1, securePrice: 0.43 };
    const none = lenientGpuTypeSchema.parse({ id: 'L4', ...offer, lowestPrice: { stockStatus: 'None' } });
    expect(rowOfOffer(none, 1)).toMatchObject({ perGpu: null, perTflop: null, listPrice: 0.43, tflops: 121 });
    expect(rowOfOffer(none, 1)).toMatchObject({
      perGb: null,
      listPerHour: 0.43,
      listPerGb: 0.43 / 24,
      listPerTflop: 0.43 / 121,
    });
    const cores = lenientGpuTypeSchema.parse({ id: 'L4', ...offer, vcpu: { min: 1, max: 8 } });
    expect(rowOfOffer(cores, 1)).toMatchObject({ isProcessor: true, spec: null, tflops: null });
    expect(rowOfOffer({ ...none, securePrice: 0, communityPrice: 0.2 }, 1).listPrice).toBe(0.2);
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
