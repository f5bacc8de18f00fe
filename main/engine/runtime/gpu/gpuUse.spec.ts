/** Who uses a GPU: workers and Pods of this engine apart from other programs. */
import { describe, expect, it } from 'vitest';
import type { MachineGpu } from '#contract/local/machine.ts';
import { needsLinux } from '../../../../test/support/core/skip.ts';
import { createGpuUse, createProcessHolders, type ProcessFacts } from './gpuUse.ts';

const gpu = (
  heldBy: MachineGpu['heldBy'],
  processes: [pid: number, name: string, bytes: number | null][],
): MachineGpu => ({
  uuid: 'GPU-1',
  index: 0,
  typeId: 'RTX',
  vendor: 'nvidia',
  memoryBytes: 24,
  driverVersion: null,
  enabled: true,
  shared: false,
  heldBy,
  load: {
    at: '2026-11-21T12:00:00Z',
    utilPercent: 1,
    memoryUsedBytes: 1,
    temperatureC: 1,
    powerW: 1,
    processes: processes.map(([pid, name, memoryBytes]) => ({ pid, name, memoryBytes })),
  },
});
const ofWorker = (workerId: string) => ({ workerId, endpointId: 'e1' });
const pod = { podId: 'p1', podName: 'trainer' };

/** 7 is a worker, 71 and 72 come from it; 9 runs in a container, 8 does not. */
const parents: Record<number, number> = { 71: 7, 72: 71, 8: 1, 9: 1, 7: 1 };
const linux: ProcessFacts = { parentOf: (pid) => parents[pid] ?? null, isInContainer: (pid) => pid === 9 };
const useWith = (processes: ProcessFacts, pid: number | null = 7) =>
  createGpuUse({
    workers: () => [{ id: 'w1', pid }],
    endpointName: (id) => (id === 'e1' ? 'draw' : null),
    processes,
  });
const words = ({ users, ownMemoryBytes }: ReturnType<ReturnType<typeof useWith>>) => [
  ...users.map(({ kind, name, memoryBytes }) => `${kind} ${name} ${memoryBytes}`),
  ownMemoryBytes,
];

describe('who uses a GPU', () => {
  it('is other programs without a name where the driver names none of those that load it', () => {
    const idle = gpu([], []);
    const loaded = { ...idle, load: idle.load && { ...idle.load, utilPercent: 92 } };
    expect(words(useWith(linux)(loaded))).toEqual(['program not named by the driver 1', 0]);
    expect(words(useWith(linux)(idle))).toEqual([0]);
    expect(words(useWith(linux)({ ...loaded, heldBy: [pod] }))).toEqual(['pod trainer null', null]);
  });

  it('is the endpoint of a worker with all that the worker started, and every other program by its name', () => {
    const use = useWith(linux)(
      gpu(
        [ofWorker('w1')],
        [
          [8, 'chrome', 9],
          [7, 'python3', 2],
          [72, 'ffmpeg', 3],
        ],
      ),
    );
    expect(words(use)).toEqual(['endpoint draw 5', 'program chrome 9', 5]);
  });

  it('is a Pod with what runs in a container, and other programs beside it', () => {
    const use = useWith(linux)(
      gpu(
        [pod],
        [
          [9, 'python', 4],
          [8, 'game', 1],
        ],
      ),
    );
    expect(words(use)).toEqual(['pod trainer 4', 'program game 1', 4]);
  });

  it('names no program as another one where it may be of one of two Pods', () => {
    const use = useWith(linux)(gpu([pod, { podId: 'p2' }], [[9, 'python', 4]]));
    expect(words(use)).toEqual(['pod trainer null', 'pod p2 null', null]);
  });

  it('does not guess where the system tells nothing of processes', () => {
    const nothing: ProcessFacts = { parentOf: () => null, isInContainer: () => null };
    expect(words(useWith(nothing)(gpu([pod], [[9, 'python', 4]])))).toEqual(['pod trainer null', null]);
    expect(words(useWith(nothing)(gpu([ofWorker('w1')], [[7, 'python', 4]])))).toEqual(['endpoint draw 4', 4]);
  });

  it('is only programs where nobody of this engine holds it, and nobody where none is there', () => {
    expect(words(useWith(linux)(gpu([], [[9, 'python', 4]])))).toEqual(['program python 4', 0]);
    expect(words(useWith(linux)(gpu([], [])))).toEqual([0]);
  });

  it('has unknown memory where the driver lists no program of a holder, or no memory of one', () => {
    expect(words(useWith(linux)(gpu([ofWorker('w1')], [])))).toEqual(['endpoint draw null', null]);
    expect(words(useWith(linux)(gpu([ofWorker('w1')], [[7, 'python', null]])))).toEqual(['endpoint draw null', null]);
  });

  it('is apart from a Pod that only keeps it, whose container does not run', () => {
    const stopped = { ...pod, isRunning: false };
    const use = useWith(linux)(gpu([stopped], [[9, 'python', 4]]));
    expect(words(use)).toEqual(['pod trainer null', 'program python 4', 0]);
    expect(use.users.map(({ isKept }) => isKept)).toEqual([true, undefined]);
    expect(words(useWith(linux)(gpu([stopped], [])))).toEqual(['pod trainer null', 0]);
  });

  it('follows the real parents of a process', needsLinux, () => {
    const use = createGpuUse({ workers: () => [{ id: 'w1', pid: process.ppid }], endpointName: () => null });
    expect(words(use(gpu([ofWorker('w1')], [[process.pid, 'node', 6]])))).toEqual(['endpoint e1 6', 6]);
  });
});

describe('a process on a GPU', () => {
  const holdersWith = (processes: ProcessFacts, machineGpu: MachineGpu) =>
    createProcessHolders({ workers: () => [{ id: 'w1', pid: 7 }], processes })(machineGpu).load?.processes.map(
      ({ name, heldBy }) => [name, heldBy],
    );

  it('names the Pod or the worker that it belongs to, and no one if it is another program', () => {
    const machineGpu = gpu(
      [pod, ofWorker('w1')],
      [
        [9, 'python', 4],
        [71, 'ffmpeg', 2],
        [8, 'game', 1],
      ],
    );
    expect(holdersWith(linux, machineGpu)).toEqual([
      ['python', pod],
      ['ffmpeg', ofWorker('w1')],
      ['game', null],
    ]);
    expect(holdersWith(linux, gpu([], [[9, 'python', 4]]))).toEqual([['python', null]]);
  });

  it('says nothing of that where it may be of one of two Pods', () => {
    expect(holdersWith(linux, gpu([pod, { podId: 'p2' }], [[9, 'python', 4]]))).toEqual([['python', undefined]]);
  });
});
