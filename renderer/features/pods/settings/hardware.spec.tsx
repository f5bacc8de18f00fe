/** What the form of a Pod says of the stock of a GPU type. */
import { describe, expect, it } from 'vitest';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { GpuOffer } from '#contract/bridge/pod.ts';
import { firstType, stockText, unavailableReason } from './HardwareFields.tsx';

const offer = (lowestPrice: Partial<NonNullable<GpuOffer['lowestPrice']>>): GpuOffer => ({
  id: 'NVIDIA L4',
  displayName: 'L4',
  manufacturer: 'NVIDIA',
  memoryInGb: 24,
  cudaCores: null,
  secureCloud: true,
  communityCloud: false,
  securePrice: 0,
  communityPrice: 0,
  maxGpuCount: 3,
  lowestPrice: { uninterruptablePrice: 0, stockStatus: 'Low', ...lowestPrice },
});

describe('GPUs that other programs use', () => {
  const used = offer({ totalCount: 3, rentedCount: 2, availableGpuCounts: [1, 2, 3] });

  it('are not called free, and can be had', () => {
    expect(stockText(used)).toBe('1 of 3 free, 2 in use that a Pod can share');
    expect(unavailableReason(used, 3)).toBeNull();
    expect(unavailableReason(used, 4)).toBe('4 × L4 is not available: 3 are free.');
  });

  it('are not mentioned where none is', () => {
    expect(stockText(offer({ totalCount: 3, rentedCount: 2, availableGpuCounts: [1] }))).toBe('1 of 3 free');
  });
});

describe('the stock', () => {
  it('is counted on one machine, and a word of the service where it has many or counts none', () => {
    expect(stockText(offer({ totalCount: 2, rentedCount: 0, stockStatus: 'High' }))).toBe('2 of 2 free');
    expect(stockText(offer({ totalCount: 400, rentedCount: 310 }))).toBe('90 of 400 free, stock Low');
    expect(stockText(offer({}))).toBe('Stock Low');
  });
});

describe('the type of a new Pod', () => {
  const typeOf = (id: string, counts: Parameters<typeof offer>[0]): GpuOffer => ({ ...offer(counts), id });
  const busy = typeOf('busy', { totalCount: 2, rentedCount: 2, availableGpuCounts: [1] });
  const taken = typeOf('taken', { totalCount: 1, rentedCount: 1, availableGpuCounts: [] });
  const idle = typeOf('idle', { totalCount: 1, rentedCount: 0, availableGpuCounts: [1] });

  it('is the first with an idle GPU, then one that other programs use, then the processor', () => {
    expect(firstType([busy, taken, idle])).toBe('idle');
    expect(firstType([taken, busy])).toBe('busy');
    expect(firstType([taken])).toBe(CPU_TYPE);
  });

  it('of a service that reports its stock as a word is the first in stock', () => {
    expect(firstType([typeOf('none', { stockStatus: 'None' }), typeOf('some', {}), idle])).toBe('some');
  });
});
