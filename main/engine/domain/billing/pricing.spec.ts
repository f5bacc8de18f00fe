import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultPriceSettings, type PriceSettings } from '#contract/api/billing.ts';
import { gpuTypeSchema, lowestPriceSchema } from '#contract/api/gpuType.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { createPrices } from './pricing.ts';

const RTX = 'NVIDIA GeForce RTX 4090';
const computer = { cpuModel: 'AMD Ryzen 9 7950X', cores: 32, memoryInGb: 64 };
const worker = { workerId: 'w', endpointId: 'e' };

const gpu = (index: number, over: Partial<MachineGpu> = {}): MachineGpu => ({
  uuid: `GPU-${index}`,
  index,
  typeId: RTX,
  vendor: 'nvidia',
  memoryBytes: 23.99 * 2 ** 30,
  driverVersion: null,
  enabled: true,
  shared: false,
  heldBy: [],
  load: null,
  ...over,
});
const drawing = (powerW: number | null): MachineGpu['load'] => ({
  at: '2026-01-01T00:00:00.000Z',
  utilPercent: 1,
  memoryUsedBytes: 0,
  temperatureC: 50,
  powerW,
  processes: [],
});

function pricesOf(first: readonly MachineGpu[], over: Partial<PriceSettings> = {}) {
  let there = first;
  const prices = createPrices({
    gpus: () => there,
    computer,
    settings: () => ({ ...defaultPriceSettings, ...over }),
  });
  return Object.assign(prices, { becomes: (next: readonly MachineGpu[]) => void (there = next) });
}

describe('the GPU types of this machine', () => {
  it('are its GPUs by product name with their memory in whole GB, and then its CPU', () => {
    const types = pricesOf([
      gpu(0),
      gpu(1),
      gpu(2, { typeId: 'AMD Radeon Pro W7900', vendor: 'amd', memoryBytes: 48 * 2 ** 30 }),
    ]).gpuTypes();
    for (const type of types) gpuTypeSchema.parse(type);
    expect(types).toMatchObject([
      { id: 'AMD Radeon Pro W7900', displayName: 'Pro W7900', manufacturer: 'AMD', memoryInGb: 48, maxGpuCount: 1 },
      { id: RTX, displayName: 'RTX 4090', manufacturer: 'NVIDIA', memoryInGb: 24, maxGpuCount: 2 },
      { id: 'CPU', displayName: computer.cpuModel, manufacturer: 'AMD', memoryInGb: 64, maxGpuCount: 0 },
    ]);
  });

  it('a GPU that the person keeps for themselves is listed, and none of it can be had', () => {
    const prices = pricesOf([gpu(0, { enabled: false })]);
    expect(prices.gpuTypes()[0]).toMatchObject({ id: RTX, maxGpuCount: 0 });
    expect(prices.lowestPrice(RTX, 1)).toMatchObject({ stockStatus: 'None', totalCount: 0, availableGpuCounts: [] });
  });

  it('a type that is not here has no price', () => {
    expect(pricesOf([gpu(0)]).lowestPrice('NVIDIA A40', 1)).toBeNull();
  });
});

describe('the stock', () => {
  const gpusInUse = (count: number) =>
    [0, 1, 2, 3].map((index) => gpu(index, index < count ? { heldBy: [worker] } : {}));

  it.each([
    [0, 'High', [1, 2, 3, 4]],
    [2, 'Medium', [1, 2]],
    [3, 'Low', [1]],
    [4, 'None', []],
  ])('of 4 GPUs of which %i are held is %s', (count, stockStatus, availableGpuCounts) => {
    expect(pricesOf(gpusInUse(count)).lowestPrice(RTX, 1)).toMatchObject({
      stockStatus,
      availableGpuCounts,
      totalCount: 4,
      rentedCount: count,
      maxUnreservedGpuCount: 4 - count,
    });
  });

  it('counts GPUs that other programs use as in use, although a Pod can have them', () => {
    const load = { at: '2026-01-01T00:00:00.000Z', temperatureC: null, powerW: null, processes: [] };
    const gpus = [
      gpu(0, { load: { ...load, utilPercent: 96, memoryUsedBytes: 2 ** 30 } }),
      gpu(1, { load: { ...load, utilPercent: 0, memoryUsedBytes: 20 * 2 ** 30 } }),
      gpu(2, { load: { ...load, utilPercent: 3, memoryUsedBytes: 2 ** 30 } }),
    ];
    expect(pricesOf(gpus).lowestPrice(RTX, 1)).toMatchObject({
      stockStatus: 'Low',
      rentedCount: 2,
      totalCount: 3,
      availableGpuCounts: [1, 2, 3],
    });
    expect(pricesOf(gpus.slice(0, 2)).lowestPrice(RTX, 1)).toMatchObject({ stockStatus: 'Low', rentedCount: 2 });
  });

  it('is None for more GPUs than are free', () => {
    expect(pricesOf(gpusInUse(2)).lowestPrice(RTX, 3)).toMatchObject({ stockStatus: 'None' });
  });

  it('a shared GPU that somebody has can be had by another one as well', () => {
    const prices = pricesOf([gpu(0, { shared: true, heldBy: [worker] })]);
    expect(prices.lowestPrice(RTX, 1)).toMatchObject({ stockStatus: 'High', rentedCount: 1 });
  });

  it('whatever is held, what is told agrees with itself', () => {
    const any = fc.record({ enabled: fc.boolean(), shared: fc.boolean(), held: fc.boolean() });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 9 }), (states, wanted) => {
        const gpus = states.map(({ enabled, shared, held: isHeld }, index) =>
          gpu(index, { enabled, shared, heldBy: isHeld ? [worker] : [] }),
        );
        const lowest = lowestPriceSchema.parse(pricesOf(gpus, { gpuHour: { [RTX]: 0.5 } }).lowestPrice(RTX, wanted));
        expect(lowest.stockStatus === 'None').toBe(!lowest.availableGpuCounts.includes(wanted));
        expect(lowest.availableGpuCounts).toHaveLength(lowest.maxUnreservedGpuCount);
        expect(lowest.rentedCount).toBeLessThanOrEqual(lowest.totalCount);
        expect(lowest.uninterruptablePrice).toBe(wanted > lowest.totalCount ? null : wanted * 0.5);
      }),
    );
  });
});

describe('an hour costs', () => {
  it('what the person set for the type, times the GPUs', () => {
    expect(pricesOf([gpu(0)], { gpuHour: { [RTX]: 0.4 }, perKwh: 1 }).perHour(RTX, 2)).toBe(0.8);
  });

  it('the electricity that was last measured while the GPU was used, where no price was set or it was taken back', () => {
    const prices = pricesOf([gpu(0, { heldBy: [worker], load: drawing(400) })], {
      perKwh: 0.3,
      gpuHour: { [RTX]: null },
    });
    expect(prices.perHour(RTX, 1)).toBeCloseTo(0.12);
    prices.becomes([gpu(0, { load: drawing(20) })]);
    expect(prices.perHour(RTX, 1)).toBeCloseTo(0.12);
  });

  it('the mean of the watts of those that were measured, for each GPU', () => {
    const gpus = [400, 200, null].map((powerW, index) => gpu(index, { heldBy: [worker], load: drawing(powerW) }));
    expect(pricesOf(gpus, { perKwh: 0.1 }).perHour(RTX, 2)).toBeCloseTo(0.06);
  });

  it('nothing where nothing was measured in use', () => {
    expect(pricesOf([gpu(0, { load: drawing(20) })], { perKwh: 0.3 }).perHour(RTX, 1)).toBe(0);
    expect(pricesOf([], { perKwh: 0.3 }).perHour('constructor', 1)).toBe(0);
  });

  it('of the CPU what a core costs, times the cores, and nothing where no price was set', () => {
    expect(pricesOf([], { cpuHour: 0.01 }).perHour('CPU', 8)).toBeCloseTo(0.08);
    expect(pricesOf([], { perKwh: 1 }).perHour('CPU', 8)).toBe(0);
  });

  it('of a GB of volume a 720th of what it costs a month', () => {
    expect(pricesOf([], { volumeGbMonth: 0.072 }).perGbHour()).toBeCloseTo(0.0001);
  });
});
