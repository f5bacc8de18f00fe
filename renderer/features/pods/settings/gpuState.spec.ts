import { describe, expect, it } from 'vitest';
import { machineGpuSchema, type MachineGpu } from '#contract/local/machine.ts';
import { gpuStates, processorReason, type MachineGpus } from './gpuState.ts';

const GB = 1024 ** 3;
const load = (usedGb: number, processes: [string, number][] = []) => ({
  at: '2026-01-01T00:00:00.000Z',
  utilPercent: 0,
  memoryUsedBytes: usedGb * GB,
  temperatureC: null,
  powerW: null,
  processes: processes.map(([name, gb], pid) => ({ pid, name, memoryBytes: gb * GB })),
});
const gpu = (index: number, changes: Partial<MachineGpu> = {}): MachineGpu =>
  machineGpuSchema.parse({
    uuid: `GPU-${index}`,
    index,
    typeId: 'RTX',
    vendor: 'nvidia',
    memoryBytes: 24 * GB,
    driverVersion: null,
    enabled: true,
    shared: false,
    heldBy: [],
    load: load(0),
    ...changes,
  });
const machineOf = (...gpus: MachineGpu[]): MachineGpus => ({
  gpus,
  problem: null,
  endpointNames: new Map([['e', 'summaries']]),
});
/** As in "GPU 1: idle, for this Pod". */
const wordsOf = (machine: MachineGpus, count = 1, typeId: string | null = 'RTX') =>
  gpuStates(machine, typeId, count).map(({ name, use, isNext }) => `${name}: ${use}${isNext ? ', for this Pod' : ''}`);

const ofPod = { heldBy: [{ podId: 'p', podName: 'trainer' }] };
const ofWorkers = {
  heldBy: [
    { workerId: 'w1', endpointId: 'e' },
    { workerId: 'w2', endpointId: 'e' },
  ],
};

describe('the GPUs of a machine', () => {
  it('are named with their users, and the idle one is for the Pod', () => {
    const blender = gpu(0, { load: load(12, [['blender', 12]]) });
    expect(wordsOf(machineOf(blender, gpu(1), gpu(2, ofPod), gpu(3, ofWorkers), gpu(4, { enabled: false })))).toEqual([
      'GPU 0: used by other programs (blender 12.0 GB)',
      'GPU 1: idle, for this Pod',
      'GPU 2: used by Pod trainer',
      'GPU 3: used by endpoint summaries',
      'GPU 4: reserved for you',
    ]);
  });

  it('that other programs use a little are idle, and without a measurement they are free', () => {
    expect(wordsOf(machineOf(gpu(0, { load: load(1, [['Xorg', 1]]) }), gpu(1, { load: null })))).toEqual([
      'GPU 0: idle, for this Pod',
      'GPU 1: free',
    ]);
  });

  it('are shared only if none is free, and only as many as the Pod asks for', () => {
    const machine = machineOf(gpu(0, { ...ofPod, shared: true }), gpu(1), gpu(2));
    expect(wordsOf(machine, 2)).toEqual([
      'GPU 0: shared with Pod trainer',
      'GPU 1: idle, for this Pod',
      'GPU 2: idle, for this Pod',
    ]);
    expect(wordsOf(machine, 4).join()).not.toContain('for this Pod');
  });

  it('are kept by a Pod that does not run; one that a stopped Pod had is given only after the other idle ones', () => {
    const failed = gpu(0, { heldBy: [{ podId: 'p', podName: 'trainer', isRunning: false }] });
    const last = gpu(1, { lastHeldBy: [{ podId: 'q', podName: 'sampler' }] });
    expect(wordsOf(machineOf(failed, last, gpu(2)))).toEqual([
      'GPU 0: kept by Pod trainer (not running)',
      'GPU 1: last used by Pod sampler (stopped)',
      'GPU 2: idle, for this Pod',
    ]);
    expect(wordsOf(machineOf(failed, last))[1]).toBe('GPU 1: last used by Pod sampler (stopped), for this Pod');
  });

  it('are those of the chosen type', () => {
    expect(wordsOf(machineOf(gpu(0, { typeId: 'A4000' }), gpu(1)))).toEqual(['GPU 1: idle, for this Pod']);
  });
});

it('a Pod on the CPU says why', () => {
  expect(processorReason(machineOf())).toBe('The machine has no GPU: the Pod runs on the CPU.');
  expect(processorReason({ ...machineOf(), problem: 'nvidia-smi failed.' })).toBe(
    'No GPU: the Pod runs on the CPU. nvidia-smi failed.',
  );
  expect(processorReason(machineOf(gpu(0, ofPod)))).toBe('No GPU is free: the Pod runs on the CPU.');
  expect(processorReason(machineOf(gpu(0, ofPod), gpu(1)))).toBe('The Pod runs on the CPU. GPU 1 is available.');
});
