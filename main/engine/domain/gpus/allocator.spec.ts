import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MachineSettings } from '#contract/local/machine.ts';
import type { GpuWish } from './claims.ts';
import { createGpuAllocator, type GpuAllocator } from './allocator.ts';
import type { GpuSource, KnownGpu } from './machineGpus.ts';

const RTX = 'NVIDIA GeForce RTX 4090';
const A40 = 'NVIDIA A40';

const gpu = (name: string, index: number, memoryGb: number): KnownGpu => ({
  uuid: `GPU-${index}`,
  index,
  vendor: 'nvidia',
  typeId: name,
  memoryBytes: memoryGb * 2 ** 30,
  driverVersion: '570.86.15',
  load: null,
});

interface Machine {
  allocator: GpuAllocator;
  /** What was reported of the use of GPUs, in order. */
  uses: boolean[];
  choices: MachineSettings['gpus'];
  /** Sets the GPUs of the machine from now on. */
  becomes(gpus: readonly KnownGpu[] | null, problem?: string | null): void;
}

function machineWith(first: readonly KnownGpu[] | null, firstProblem: string | null = null): Machine {
  const listeners = new Set<() => void>();
  let gpus = first;
  let problem = firstProblem;
  const source: GpuSource = {
    list: () => gpus,
    problem: () => problem,
    driverFails: () => problem !== null,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const choices: MachineSettings['gpus'] = {};
  const uses: boolean[] = [];
  return {
    choices,
    uses,
    allocator: createGpuAllocator({ source, choices: () => choices, onUse: (isUsed) => uses.push(isUsed) }),
    becomes(next, why = null) {
      gpus = next;
      problem = why;
      for (const listener of listeners) listener();
    },
  };
}

const wish = (over: Partial<GpuWish> = {}): GpuWish => ({ computeType: 'GPU', gpuTypeIds: [], gpuCount: 1, ...over });
const worker = (workerId: string): { workerId: string; endpointId: string } => ({ workerId, endpointId: 'e1' });

/** The granted uuids, or the kind and the message of the answer. */
function claim(allocator: GpuAllocator, workerId: string, over: Partial<GpuWish> = {}): readonly string[] | string {
  const answer = allocator.claim(worker(workerId), wish(over));
  return answer.kind === 'granted' ? answer.devices.map(({ uuid }) => uuid) : `${answer.kind}: ${answer.message}`;
}

describe('a worker is given', () => {
  it('the first of the wanted types that is free, otherwise the next', () => {
    const { allocator } = machineWith([gpu(RTX, 0, 24), gpu(A40, 1, 48)]);
    const gpuTypeIds = [RTX, A40];
    expect(claim(allocator, 'a', { gpuTypeIds })).toEqual(['GPU-0']);
    expect(claim(allocator, 'b', { gpuTypeIds })).toEqual(['GPU-1']);
    expect(claim(allocator, 'c', { gpuTypeIds })).toBe(
      `wait: It waits for a free GPU (${RTX}, ${A40}); workers a, b hold what is there. A GPU can be shared under This computer.`,
    );
    allocator.release('a');
    expect(claim(allocator, 'c', { gpuTypeIds: [A40, RTX] })).toEqual(['GPU-0']);
  });

  it('an answer that names the endpoint of the worker, or the Pod, that has the GPU', () => {
    const { allocator } = machineWith([gpu(RTX, 0, 24), gpu(RTX, 1, 24)]);
    allocator.claim({ workerId: 'w-1', endpointId: 'e1', endpointName: 'draw "it"' }, wish());
    allocator.claim({ podId: 'p1', podName: 'trainer' }, wish());
    expect(claim(allocator, 'b')).toContain(
      String.raw`worker w-1 of endpoint "draw \"it\"" (e1) and Pod "trainer" (p1) hold what is there.`,
    );
  });

  it('all GPUs that it wants, of one type, or none', () => {
    const { allocator } = machineWith([gpu(RTX, 0, 24), gpu(A40, 1, 48), gpu(A40, 2, 48)]);
    expect(claim(allocator, 'a', { gpuCount: 2 })).toEqual(['GPU-1', 'GPU-2']);
    expect(claim(allocator, 'b', { gpuCount: 2, gpuTypeIds: [A40] })).toContain('wait: It waits for 2 free GPUs');
    expect(claim(allocator, 'c', { gpuCount: 1 })).toEqual(['GPU-0']);
  });

  it('an idle GPU before one that other programs use, then the one of these with the most free memory', () => {
    const used = (index: number, utilPercent: number, usedGb: number | null): KnownGpu => ({
      ...gpu(RTX, index, 24),
      load: {
        at: '2026-01-01T00:00:00.000Z',
        utilPercent,
        memoryUsedBytes: usedGb === null ? null : usedGb * 2 ** 30,
        temperatureC: null,
        powerW: null,
        processes: [],
      },
    });
    const { allocator } = machineWith([used(0, 99, 20), used(1, 90, 1), used(2, 2, 1)]);
    expect(claim(allocator, 'a')).toEqual(['GPU-2']);
    expect(claim(allocator, 'b')).toEqual(['GPU-1']);
    expect(claim(allocator, 'c')).toEqual(['GPU-0']);
    const silent = machineWith([used(0, 99, null), used(1, 2, 1)]);
    expect(claim(silent.allocator, 'a')).toEqual(['GPU-1']);
  });

  it('the GPU with the most memory where it is not particular', () => {
    const { allocator } = machineWith([gpu(RTX, 0, 24), gpu(A40, 1, 48)]);
    expect(claim(allocator, 'a')).toEqual(['GPU-1']);
    expect(claim(allocator, 'b')).toEqual(['GPU-0']);
  });

  it('what it holds already, when it is asked for again', () => {
    const { allocator } = machineWith([gpu(RTX, 0, 24)]);
    expect(claim(allocator, 'a')).toEqual(['GPU-0']);
    expect(claim(allocator, 'a')).toEqual(['GPU-0']);
  });

  it('the CPU when it asks for no GPU, when it names the type CPU, and on a machine that has none', () => {
    const { allocator, becomes } = machineWith([gpu(RTX, 0, 24)]);
    expect(claim(allocator, 'a', { computeType: 'CPU' })).toEqual([]);
    expect(claim(allocator, 'b', { gpuCount: 0 })).toEqual([]);
    expect(claim(allocator, 'c', { gpuTypeIds: ['CPU'] })).toEqual([]);
    expect(claim(allocator, 'd', { gpuTypeIds: [RTX, 'CPU'] })).toEqual(['GPU-0']);
    expect(claim(allocator, 'e', { gpuTypeIds: [RTX, 'CPU'] })).toEqual([]);
    becomes([]);
    expect(claim(allocator, 'f')).toEqual([]);
  });
});

it('the use of GPUs is reported until the last worker or Pod has none', () => {
  const { allocator, uses } = machineWith([gpu(RTX, 0, 24), gpu(RTX, 1, 24)]);
  claim(allocator, 'w1');
  allocator.keep({ podId: 'p1' }, ['GPU-1']);
  allocator.release('w1');
  expect(uses).toEqual([true, true, true]);
  allocator.release('w1');
  allocator.release('p1');
  expect(uses).toEqual([true, true, true, false]);
});

describe('a worker is told', () => {
  it('that its GPU is not here, what is, and what to do', () => {
    const { allocator } = machineWith([gpu(A40, 0, 48)]);
    expect(claim(allocator, 'a', { gpuTypeIds: [RTX] })).toBe(
      `never: Each of its workers wants 1 GPU of type ${RTX}, and this machine has 1 ${A40}. To run it here, name one of these in its gpuTypeIds, leave gpuTypeIds empty for any GPU, or name the type CPU.`,
    );
    expect(claim(allocator, 'a', { gpuTypeIds: [A40], gpuCount: 2 })).toBe(
      `never: Each of its workers wants 2 GPUs of type ${A40}, and this machine has 1 ${A40}. To run it here, lower its gpuCount, or name the type CPU.`,
    );
  });

  it('why there is no GPU, on a machine whose driver does not answer', () => {
    const { allocator } = machineWith([], 'nvidia-smi says that the driver does not run');
    expect(claim(allocator, 'a', { gpuTypeIds: [RTX] })).toBe(
      `never: Each of its workers wants 1 GPU of type ${RTX}, and this machine has no GPU that can be used (nvidia-smi says that the driver does not run). To run it here, leave its gpuTypeIds empty, or name the type CPU.`,
    );
  });

  it('that it gets the CPU, where it names GPUs and the machine has none', () => {
    const { allocator, becomes } = machineWith([]);
    const message = `It asks for 1 GPU of type ${RTX}, and this machine has no GPU: its workers run on the CPU.`;
    expect(allocator.claim(worker('a'), wish({ gpuTypeIds: [RTX] }))).toEqual({
      kind: 'granted',
      devices: [],
      notice: message,
    });
    expect(allocator.outlook(wish({ gpuTypeIds: [RTX] }))).toEqual({ kind: 'cpu', message });
    expect(allocator.outlook(wish())).toBeNull();
    expect(allocator.claim({ podId: 'p' }, wish({ gpuTypeIds: [RTX] })).kind, 'a Pod is rented for its GPU').toBe(
      'never',
    );
    becomes([gpu(A40, 0, 48)]);
    expect(allocator.outlook(wish({ gpuTypeIds: [RTX] }))).toMatchObject({
      kind: 'never',
      message: expect.stringContaining(`this machine has 1 ${A40}`) as string,
    });
    expect(allocator.outlook(wish({ gpuTypeIds: [A40] }))).toBeNull();
    expect(allocator.outlook(wish({ gpuTypeIds: [RTX, 'CPU'] }))).toBeNull();
  });

  it('to wait while nobody has looked for GPUs yet', () => {
    const { allocator, becomes } = machineWith(null);
    expect(claim(allocator, 'a')).toBe('wait: Hangar is still looking for the GPUs of this machine.');
    expect(allocator.list()).toEqual([]);
    becomes([gpu(RTX, 0, 24)]);
    expect(claim(allocator, 'a')).toEqual(['GPU-0']);
  });

  it('that the GPU it waits for is switched off', () => {
    const { allocator, choices } = machineWith([gpu(RTX, 0, 24)]);
    choices['GPU-0'] = { enabled: false, shared: true };
    expect(claim(allocator, 'a')).toBe(
      `wait: It waits for ${RTX}: 1 of 1 is switched off for workers. Switch it on under This computer.`,
    );
  });
});

describe('a worker must let go', () => {
  it('of a GPU that was switched off, or is gone, and of a shared one that is shared no more unless it had it first', () => {
    const machine = machineWith([gpu(RTX, 0, 24), gpu(A40, 1, 48)]);
    const { allocator, choices } = machine;
    choices['GPU-0'] = { enabled: true, shared: true };
    for (const id of ['a', 'b', 'c']) claim(allocator, id, { gpuTypeIds: [RTX] });
    claim(allocator, 'd', { gpuTypeIds: [A40] });
    expect(allocator.revokedHolders()).toEqual([]);
    choices['GPU-0'] = { enabled: true, shared: false };
    expect(allocator.revokedHolders()).toEqual(['b', 'c']);
    choices['GPU-0'] = { enabled: false, shared: false };
    expect(allocator.revokedHolders()).toEqual(['a', 'b', 'c']);
    delete choices['GPU-0'];
    machine.becomes([gpu(RTX, 0, 24)]);
    allocator.release('b');
    allocator.release('c');
    expect(allocator.revokedHolders()).toEqual(['d']);
  });
});

describe('a Pod', () => {
  const podClaim = (
    allocator: GpuAllocator,
    podId: string,
    over: Partial<GpuWish> = {},
    before: string[] = [],
  ): string => {
    const answer = allocator.claim({ podId }, wish(over), before);
    return answer.kind === 'granted' ? answer.devices.map(({ uuid }) => uuid).join() : answer.lacking;
  };

  it('holds what it claims as a worker does, and whoever waits is told who it is', () => {
    const { allocator } = machineWith([gpu(RTX, 0, 24)]);
    expect(podClaim(allocator, 'p')).toBe('GPU-0');
    expect(allocator.list()[0]!.heldBy).toEqual([{ podId: 'p' }]);
    expect(claim(allocator, 'a')).toContain('Pod p holds what is there');
    expect(podClaim(allocator, 'q')).toBe(`Pod p holds ${RTX}. A GPU can be shared under This computer.`);
    allocator.release('p');
    expect(claim(allocator, 'a')).toEqual(['GPU-0']);
  });

  it('has again the GPU that it had before, where that is free', () => {
    const { allocator } = machineWith([gpu(RTX, 0, 24), gpu(RTX, 1, 24)]);
    expect(podClaim(allocator, 'p', {}, ['GPU-1'])).toBe('GPU-1');
  });

  it('is listed as not running while it keeps a GPU and its container does not run', () => {
    const { allocator } = machineWith([gpu(RTX, 0, 24)]);
    let isRunning = false;
    allocator.readPods({ isRunning: () => isRunning, stopped: () => [] });
    podClaim(allocator, 'p');
    expect(allocator.list()[0]!.heldBy).toEqual([{ podId: 'p', isRunning: false }]);
    isRunning = true;
    expect(allocator.list()[0]!.heldBy).toEqual([{ podId: 'p' }]);
  });

  it('keeps what it held while no engine ran, even before the GPUs are known', () => {
    const machine = machineWith(null);
    machine.allocator.keep({ podId: 'p' }, ['GPU-0']);
    machine.becomes([gpu(RTX, 0, 24), gpu(RTX, 1, 24)]);
    expect(claim(machine.allocator, 'a')).toEqual(['GPU-1']);
    expect(podClaim(machine.allocator, 'p')).toBe('GPU-0');
  });

  it('is given another GPU where the one it held is gone, or it wants another number', () => {
    const machine = machineWith([gpu(RTX, 0, 24), gpu(RTX, 1, 24)]);
    machine.allocator.keep({ podId: 'p' }, ['GPU-9']);
    expect(podClaim(machine.allocator, 'p')).toBe('GPU-0');
    expect(podClaim(machine.allocator, 'p', { gpuCount: 2 })).toBe('GPU-0,GPU-1');
    expect(podClaim(machine.allocator, 'p', { gpuCount: 0 })).toBe('');
    expect(machine.allocator.list().flatMap(({ heldBy }) => heldBy)).toEqual([]);
  });

  it('lets go of nothing by itself: where sharing ends, the workers beside it must', () => {
    const { allocator, choices } = machineWith([gpu(RTX, 0, 24)]);
    choices['GPU-0'] = { enabled: true, shared: true };
    claim(allocator, 'a');
    podClaim(allocator, 'p');
    choices['GPU-0'] = { enabled: true, shared: false };
    expect(allocator.revokedHolders()).toEqual(['a']);
    choices['GPU-0'] = { enabled: false, shared: false };
    expect(allocator.revokedHolders()).toEqual(['a']);
  });
});

it('whoever listens is told when a GPU is free again, is chosen for or not, comes or goes, until they listen no more', () => {
  const machine = machineWith([gpu(RTX, 0, 24)]);
  const { allocator } = machine;
  let changeCount = 0;
  const stop = allocator.onChange(() => changeCount++);
  claim(allocator, 'a');
  expect(changeCount).toBe(0);
  allocator.release('a');
  expect(changeCount).toBe(1);
  allocator.release('a');
  expect(changeCount).toBe(1);
  allocator.choicesChanged();
  expect(changeCount).toBe(2);
  machine.becomes([]);
  expect(changeCount).toBe(3);
  stop();
  machine.becomes([gpu(RTX, 0, 24)]);
  expect(changeCount).toBe(3);
});

/** Random events on a machine. */
const happenings = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constant('claim' as const),
      who: fc.integer({ min: 0, max: 7 }),
      gpuTypeIds: fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'CPU', 'absent'), { maxLength: 4 }),
      gpuCount: fc.integer({ min: 0, max: 4 }),
    }),
    fc.record({ does: fc.constant('release' as const), who: fc.integer({ min: 0, max: 7 }) }),
    fc.record({
      does: fc.constant('choose' as const),
      index: fc.integer({ min: 0, max: 5 }),
      enabled: fc.boolean(),
      shared: fc.boolean(),
    }),
  ),
  { maxLength: 60 },
);
const machines = fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 0, maxLength: 6 });

it('whatever happens: no GPU has two holders unless it is shared, none is given that is switched off, and a worker has all it wants, of the first type that has them', () => {
  fc.assert(
    fc.property(machines, happenings, (types, all) => {
      const gpus = types.map((type, index) => gpu(type, index, 8 + index));
      const { allocator, choices } = machineWith(gpus);
      const choiceOf = (uuid: string): { enabled: boolean; shared: boolean } =>
        choices[uuid] ?? { enabled: true, shared: false };
      const model = new Map<string, readonly string[]>();
      const holders = (uuid: string): number => [...model.values()].filter((uuids) => uuids.includes(uuid)).length;
      const available = (type: string): string[] =>
        gpus
          .filter(({ typeId, uuid }) => typeId === type && choiceOf(uuid).enabled)
          .filter(({ uuid }) => choiceOf(uuid).shared || holders(uuid) === 0)
          .map(({ uuid }) => uuid);
      for (const what of all) {
        if (what.does === 'choose') {
          choices[`GPU-${what.index}`] = { enabled: what.enabled, shared: what.shared };
          allocator.choicesChanged();
          for (const id of allocator.revokedHolders()) {
            allocator.release(id);
            model.delete(id);
          }
        } else if (what.does === 'release') {
          allocator.release(`w${what.who}`);
          model.delete(`w${what.who}`);
        } else {
          const id = `w${what.who}`;
          if (model.has(id)) continue;
          const answer = allocator.claim(worker(id), wish(what));
          const wanted = what.gpuTypeIds.length > 0 ? what.gpuTypeIds : null;
          const onCpu = what.gpuCount === 0 || gpus.length === 0;
          const servable = onCpu
            ? 'CPU'
            : wanted?.find((type) => type === 'CPU' || available(type).length >= what.gpuCount);
          if (answer.kind !== 'granted') {
            expect(servable).toBeUndefined();
            if (wanted === null) for (const type of types) expect(available(type).length).toBeLessThan(what.gpuCount);
            const everHad = (wanted ?? types).some(
              (type) => types.filter((other) => other === type).length >= what.gpuCount,
            );
            expect(answer.kind).toBe(everHad ? 'wait' : 'never');
            continue;
          }
          const { devices } = answer;
          if (servable === 'CPU') {
            expect(devices).toEqual([]);
            continue;
          }
          expect(devices).toHaveLength(what.gpuCount);
          expect(new Set(devices.map(({ uuid }) => uuid)).size).toBe(what.gpuCount);
          expect(new Set(devices.map(({ typeId }) => typeId)).size).toBe(1);
          if (wanted !== null) expect(devices[0]!.typeId).toBe(servable);
          for (const { uuid, typeId } of devices) expect(available(typeId)).toContain(uuid);
          model.set(
            id,
            devices.map(({ uuid }) => uuid),
          );
        }
        for (const { uuid, heldBy, enabled, shared } of allocator.list()) {
          expect(heldBy).toHaveLength(holders(uuid));
          if (!shared) expect(heldBy.length).toBeLessThanOrEqual(1);
          if (!enabled) expect(heldBy).toEqual([]);
        }
      }
    }),
    { numRuns: 500 },
  );
});
