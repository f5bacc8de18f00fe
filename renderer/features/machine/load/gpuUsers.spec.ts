/** Who uses a GPU. */
import { describe, expect, it } from 'vitest';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { formatRoute } from '../../../state/routePath.ts';
import { gpuUsers, type GpuUser } from './gpuUsers.ts';

const GB = 1024 ** 3;
const names = new Map([['e1', 'summarise-text']]);
const worker = (id: string, pid: number): WorkerRecord => ({
  id,
  endpointId: 'e1',
  state: 'running',
  pid,
  startedAt: '2026-11-21T12:00:00Z',
  jobs: [],
  runtime: 'python',
  publicSdk: null,
  python: null,
  preparing: null,
  gpus: ['GPU-1'],
  cpuPercent: null,
  memoryBytes: null,
});
type Holders = MachineGpu['heldBy'];
const gpu = (heldBy: Holders, processes: [number, string, number | null, (Holders[number] | null)?][]): MachineGpu => ({
  uuid: 'GPU-1',
  index: 0,
  typeId: 'RTX',
  vendor: 'nvidia',
  memoryBytes: 24 * GB,
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
    processes: processes.map(([pid, name, memoryBytes, owner]) => ({ pid, name, memoryBytes, heldBy: owner })),
  },
});
const claims = (...ids: string[]) => ids.map((workerId) => ({ workerId, endpointId: 'e1' }));

/** What is read of them. */
const textsOf = (users: GpuUser[]) => users.map(({ name, memory }) => (memory === null ? name : `${name} ${memory}`));

describe('who uses a GPU', () => {
  it('is an endpoint by its name, with the memory of its worker, and other programs', () => {
    const users = gpuUsers(
      gpu(claims('w1'), [
        [7, 'python3', 14 * GB],
        [8, 'chrome', GB],
      ]),
      [worker('w1', 7)],
      names,
    );
    expect(textsOf(users)).toEqual(['summarise-text 14.0 GB', 'chrome 1.0 GB']);
  });

  it('is a Pod by its name, and by its id where its name is not known', () => {
    expect(textsOf(gpuUsers(gpu([{ podId: 'p1', podName: 'trainer' }], []), [], names))).toEqual(['Pod trainer']);
    expect(textsOf(gpuUsers(gpu([{ podId: 'p1' }], [[8, 'chrome', GB]]), [], names))).toEqual([
      'Pod p1',
      'chrome 1.0 GB',
    ]);
  });

  it('only keeps it, if it is a Pod whose container does not run', () => {
    const holder = { podId: 'p1', podName: 'trainer', isRunning: false };
    const users = gpuUsers(gpu([holder, { podId: 'p2', podName: 'api' }], []), [], names);
    expect(users.map(({ name, isNotRunning }) => [name, isNotRunning])).toEqual([
      ['Pod trainer', true],
      ['Pod api', false],
    ]);
  });

  it('has the memory of what a Pod or a worker started, wherever the engine tells whose it is', () => {
    const pod = { podId: 'p1', podName: 'trainer' };
    const [claim] = claims('w1');
    const users = gpuUsers(
      gpu(
        [pod, claim!],
        [
          [20, 'python', 4 * GB, pod],
          [21, 'nvcc', GB, pod],
          [7, 'python3', 2 * GB, claim!],
          [71, 'ffmpeg', 3 * GB, claim!],
          [8, 'chrome', GB, null],
        ],
      ),
      [worker('w1', 7)],
      names,
    );
    expect(textsOf(users)).toEqual(['Pod trainer 5.0 GB', 'summarise-text 5.0 GB', 'chrome 1.0 GB']);
  });

  it('leads to the pages of Pods and of endpoints, by their ids', () => {
    const users = gpuUsers(
      gpu(
        [{ podId: 'p1', podName: 'trainer' }, ...claims('w1'), { workerId: 'w3', endpointId: 'gone' }],
        [[8, 'x', 1]],
      ),
      [],
      names,
    );
    expect(users.map(({ to }) => to && formatRoute(to))).toEqual(['#/pods/p1/overview', '#/endpoints/e1', null, null]);
  });

  it('counts several workers of one endpoint, and sums what they have', () => {
    const processes: [number, string, number][] = [
      [7, 'python3', 2 * GB],
      [9, 'python3', 3 * GB],
    ];
    const users = gpuUsers(gpu(claims('w1', 'w2'), processes), [worker('w1', 7), worker('w2', 9)], names);
    expect(textsOf(users)).toEqual(['summarise-text (2 workers) 5.0 GB']);
  });

  it('names three programs and counts the rest', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((name, pid): [number, string, null] => [pid, name, null]);
    expect(textsOf(gpuUsers(gpu([], five), [], names))).toEqual(['a', 'b', 'c', '2 more']);
  });

  it('is nobody where nobody is', () => {
    expect(textsOf(gpuUsers(gpu([], []), [], names))).toEqual([]);
  });

  it('is other programs where the driver names none of those that load it', () => {
    const idle = gpu([], []);
    const loaded = { ...idle, load: idle.load && { ...idle.load, utilPercent: 92 } };
    expect(textsOf(gpuUsers(loaded, [], names))).toEqual(['other programs']);
    const own = { ...loaded, heldBy: claims('w1') };
    expect(textsOf(gpuUsers(own, [worker('w1', 7)], names))).not.toContain('other programs');
  });
});
