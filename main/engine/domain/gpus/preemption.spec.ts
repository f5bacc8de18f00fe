/** Which workers give up their GPUs for waiting work, on random machines with random holders. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MachineGpu } from '#contract/local/machine.ts';
import { selectPreemptible, type Holder } from './preemption.ts';

const holder = fc.record({
  endpointId: fc.constantFrom('waits', 'other', 'third'),
  leaving: fc.boolean(),
  ready: fc.boolean(),
  busy: fc.boolean(),
});
/** Each worker has GPUs of its own. A place names the worker that has the GPU, or none. */
const machines = fc.record({
  holders: fc.array(holder, { maxLength: 5 }),
  gpus: fc.array(
    fc.record({
      typeId: fc.constantFrom('A', 'B'),
      enabled: fc.boolean(),
      shared: fc.boolean(),
      by: fc.option(fc.nat(4), { freq: 5 }),
    }),
    { maxLength: 6 },
  ),
  gpuTypeIds: fc.uniqueArray(fc.constantFrom('A', 'b', 'absent'), { maxLength: 3 }),
  gpuCount: fc.integer({ min: 1, max: 3 }),
  turnIsOver: fc.boolean(),
});

const workerOf = (one: MachineGpu['heldBy'][number] | undefined): string =>
  one !== undefined && 'workerId' in one ? one.workerId : '';
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

test('only workers that are ready, of other endpoints, without work or after their turn give way, and only as many as that helps', () => {
  fc.assert(
    fc.property(machines, ({ holders, gpus, gpuTypeIds, gpuCount, turnIsOver }) => {
      const byId = new Map(holders.map((one, n) => [`w${n}`, one]));
      const list = gpus.map(({ typeId, enabled, shared, by }, index): MachineGpu => {
        const owner = by === null ? undefined : byId.get(`w${by}`);
        return {
          uuid: `GPU-${index}`,
          index,
          vendor: 'nvidia',
          typeId,
          memoryBytes: 1,
          driverVersion: null,
          load: null,
          enabled,
          shared,
          heldBy: owner ? [{ workerId: `w${by}`, endpointId: owner.endpointId }] : [],
        };
      });
      const wish = { computeType: 'GPU' as const, gpuTypeIds, gpuCount };
      const going = selectPreemptible(wish, 'waits', list, (id) => byId.get(id), turnIsOver);
      expect(new Set(going).size).toBe(going.length);
      for (const id of going) {
        const one = byId.get(id)!;
        expect(one).toMatchObject({ leaving: false, ready: true });
        expect(one.endpointId).not.toBe('waits');
        if (one.busy) expect(turnIsOver).toBe(true);
      }

      const types = gpuTypeIds.length > 0 ? gpuTypeIds : ['A', 'B'];
      const helps = ({ enabled, shared, typeId, heldBy }: MachineGpu): boolean =>
        enabled && !shared && types.some((type) => same(type, typeId)) && going.includes(workerOf(heldBy[0]));
      /** The number of GPUs of one type after the stopping workers and these have ended; the maximum over the types. */
      const most = (goes: (id: string, one: Holder) => boolean): number =>
        Math.max(
          ...types.map(
            (type) =>
              list
                .filter(({ typeId, enabled }) => enabled && same(type, typeId))
                .filter(
                  ({ shared, heldBy }) =>
                    shared || heldBy.every((one) => goes(workerOf(one), byId.get(workerOf(one))!)),
                ).length,
          ),
        );
      const may = (_id: string, one: Holder): boolean =>
        one.leaving || (one.endpointId !== 'waits' && one.ready && (!one.busy || turnIsOver));
      if (going.length > 0) {
        expect(most((id, one) => one.leaving || going.includes(id))).toBeGreaterThanOrEqual(gpuCount);
        expect(going.length, 'no more go than GPUs are wanted').toBeLessThanOrEqual(gpuCount);
        for (const id of going) expect(list.filter(helps).flatMap(({ heldBy }) => workerOf(heldBy[0]))).toContain(id);
      } else if (most((_id, one) => one.leaving) < gpuCount) {
        expect(most(may), 'nobody is kept who would be enough').toBeLessThan(gpuCount);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a worker that has no work goes before one that has', () => {
  const gpu = (index: number, workerId: string): MachineGpu => ({
    uuid: `GPU-${index}`,
    index,
    vendor: 'nvidia',
    typeId: 'A',
    memoryBytes: 1,
    driverVersion: null,
    load: null,
    enabled: true,
    shared: false,
    heldBy: [{ workerId, endpointId: 'other' }],
  });
  const holders: Record<string, Holder> = {
    busy: { endpointId: 'other', leaving: false, ready: true, busy: true },
    idle: { endpointId: 'other', leaving: false, ready: true, busy: false },
  };
  const wish = { computeType: 'GPU' as const, gpuTypeIds: [], gpuCount: 1 };
  expect(selectPreemptible(wish, 'waits', [gpu(0, 'busy'), gpu(1, 'idle')], (id) => holders[id], true)).toEqual([
    'idle',
  ]);
});

test('a Pod gives way to nobody, and nobody goes for a GPU that it shares no more', () => {
  const gpu = (index: number, heldBy: MachineGpu['heldBy'], shared = false): MachineGpu => ({
    uuid: `GPU-${index}`,
    index,
    vendor: 'nvidia',
    typeId: 'A',
    memoryBytes: 1,
    driverVersion: null,
    load: null,
    enabled: true,
    shared,
    heldBy,
  });
  const idle: Holder = { endpointId: 'other', leaving: false, ready: true, busy: false };
  const wish = { computeType: 'GPU' as const, gpuTypeIds: [], gpuCount: 1 };
  const goes = (...list: MachineGpu[]): string[] => selectPreemptible(wish, 'waits', list, () => idle, true);
  const worker = { workerId: 'w', endpointId: 'other' };
  expect(goes(gpu(0, [{ podId: 'p' }]))).toEqual([]);
  expect(goes(gpu(0, [{ podId: 'p' }, worker]))).toEqual([]);
  expect(goes(gpu(0, [{ podId: 'p' }]), gpu(1, [worker]))).toEqual(['w']);
});

test('a wish without a type frees the GPU that it gets: the one with the most memory', () => {
  const gpu = (index: number, typeId: string, memoryBytes: number): MachineGpu => ({
    uuid: `GPU-${index}`,
    index,
    vendor: 'nvidia',
    typeId,
    memoryBytes,
    driverVersion: null,
    load: null,
    enabled: true,
    shared: false,
    heldBy: [{ workerId: `on ${typeId}`, endpointId: 'other' }],
  });
  const idle: Holder = { endpointId: 'other', leaving: false, ready: true, busy: false };
  const wish = { computeType: 'GPU' as const, gpuTypeIds: [], gpuCount: 1 };
  const gpus = [gpu(0, 'small', 8), gpu(1, 'large', 80)];
  expect(selectPreemptible(wish, 'waits', gpus, () => idle, true)).toEqual(['on large']);
});
