import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGpuPrograms, gpuFixture, type GpuPrograms } from '../../../../test/support/gpus/programs.ts';
import { until } from '../../../../test/support/core/until.ts';
import { systemClock } from '../host/systemClock.ts';
import type { Clock } from '../../domain/core/ports.ts';
import { createGpus, type Gpus } from './gpus.ts';
import { usualPace, type SamplingPace } from './sampler.ts';
import { needsPosix } from '../../../../test/support/core/skip.ts';

// The system starts a program with this name by its shebang, which Windows does not support.
const pace: SamplingPace = {
  ...usualPace,
  watchedS: 1,
  usedS: 2,
  unwatchedS: 30,
  watchMs: 1500,
  retryMs: 50,
  rareRetryMs: 400,
};

let programs: GpuPrograms;
let gpus: Gpus | null = null;

function startGpus(over: Partial<SamplingPace> = {}, clock: Clock = systemClock): Gpus {
  gpus = createGpus({ clock, env: { PATH: programs.folder }, pace: { ...pace, ...over } });
  return gpus;
}
/** Watches like a client that calls repeatedly. */
function watch(): void {
  gpus!.watch();
  gpus!.watch();
}
const listed = (): Promise<readonly unknown[]> => until('the GPUs', () => gpus?.list());
const loads = (): (number | null | undefined)[] | undefined => gpus?.list()?.map(({ load }) => load?.utilPercent);
const loops = (): string[] => programs.starts().filter((args) => args.includes('-l '));

afterEach(async () => {
  await gpus?.stop();
  gpus = null;
  programs.remove();
});

describe('NVIDIA GPUs', needsPosix, () => {
  beforeEach(() => {
    programs = createGpuPrograms('nvidia-smi');
    programs.says('table', gpuFixture('desktop535.csv'));
    programs.says('report', gpuFixture('desktop535.txt'));
  });

  it('are found, and measured by one program that goes on reporting', async () => {
    let changes = 0;
    // The client calls often enough, even on a slow machine.
    startGpus({ watchMs: 600_000 }).onChange(() => changes++);
    expect(gpus!.list()).toBeNull();
    watch();
    await until('a report', () => loads()?.[0], 78);
    expect(gpus!.list()).toMatchObject([
      {
        uuid: 'GPU-5e1b0c5a-2f6e-9f0a-7c55-0d1f8a3b9c42',
        index: 0,
        vendor: 'nvidia',
        typeId: 'NVIDIA GeForce RTX 4090',
        memoryBytes: 24564 * 2 ** 20,
        driverVersion: '535.161.07',
        load: { utilPercent: 78, temperatureC: 61, powerW: 310.44, memoryUsedBytes: 17632 * 2 ** 20 },
      },
    ]);
    expect(gpus!.problem()).toBeNull();
    programs.says('report', gpuFixture('desktop535Loop.txt'));
    await until('the next report', () => loads()?.[0], 81);
    expect(loops()).toEqual(['-q -d MEMORY,UTILIZATION,TEMPERATURE,POWER,PIDS -l 1']);
    // A new measurement does not change the list of GPUs.
    expect(changes).toBe(1);
  });

  it('are measured often while somebody watches, and seldom again afterwards, with one start for each', async () => {
    let elapsedMs = 0;
    startGpus({}, { ...systemClock, elapsed: () => elapsedMs });
    await until('the seldom reports', () => loads()?.[0], 78);
    expect(loops()).toHaveLength(1);
    gpus!.watch();
    // A single call does not mean that a client watches: the loop stays the same.
    await gpus!.memoryHolders(gpus!.list()![0]!.uuid);
    expect(loops()).toHaveLength(1);
    gpus!.watch();
    await until('the frequent reports', () => loops().length, 2);
    elapsedMs += pace.watchMs;
    await until('the seldom reports again', () => loops().length === 3 && loads()?.[0] === 78);
    expect(loops().map((args) => args.split(' -l ')[1])).toEqual(['30', '1', '30']);
  });

  it('are measured more often while a worker or Pod has one, also where nobody watches', async () => {
    startGpus();
    await until('the seldom reports', () => loads()?.[0], 78);
    gpus!.setUsed(true);
    programs.says('report', gpuFixture('desktop535Loop.txt'));
    await until('a report of the use', () => loads()?.[0], 81);
    gpus!.setUsed(false);
    await until('the seldom reports again', () => loops().length === 3);
    expect(loops().map((args) => args.split(' -l ')[1])).toEqual(['30', '2', '30']);
  });

  it('that are divided are told as their parts', async () => {
    programs.says('table', gpuFixture('mig535.csv'));
    programs.says('list', gpuFixture('mig535.list'));
    programs.says('report', gpuFixture('mig535.txt'));
    startGpus();
    await until(
      'a report',
      () => gpus!.list(),
      (seen) => seen?.every(({ load }) => load !== null),
    );
    expect(gpus!.list()).toMatchObject([
      {
        uuid: 'MIG-5c89852c-d268-5a9e-9c0a-1b2c3d4e5f60',
        typeId: 'NVIDIA A100-SXM4-40GB MIG 3g.20gb',
        memoryBytes: 19968 * 2 ** 20,
        load: { memoryUsedBytes: 3121 * 2 ** 20, utilPercent: null, processes: [{ pid: 90210 }] },
      },
      { typeId: 'NVIDIA A100-SXM4-40GB MIG 1g.5gb', load: { memoryUsedBytes: 12 * 2 ** 20 } },
      { uuid: 'GPU-2222aaaa-c15f-4b2f-a5c8-5f7d9d1f2a33', index: 1, load: { utilPercent: 0 } },
    ]);
  });

  it('of a driver that knows nothing of dividing are found by a second question', async () => {
    programs.says('withoutMig', gpuFixture('server440.err'));
    programs.says('table', gpuFixture('old390.csv'));
    startGpus();
    await listed();
    expect(gpus!.list()).toMatchObject([{ typeId: 'NVIDIA GeForce GT 730' }]);
  });

  it('of a driver that does not run are none, which is told with its reason, tried a few times, then seldom, until it runs', async () => {
    programs.says('broken', "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n");
    startGpus();
    expect(await listed()).toEqual([]);
    expect(gpus!.problem()).toBe(
      "Everything runs on the CPU. nvidia-smi: NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
    );
    await until(
      'three tries',
      () => programs.starts(),
      ({ length }) => length >= 3,
    );
    programs.says('broken', null);
    await until('the GPU', () => gpus!.list()?.length, 1);
    expect(gpus!.problem()).toBeNull();
  });

  it('whose program ends by itself stay known, without load and with the reason, and are measured again', async () => {
    startGpus();
    await until('a report', () => loads()?.[0], 78);
    programs.says('broken', 'Failed to initialize NVML: Driver/library version mismatch\n');
    watch();
    await until(
      'its end',
      () => gpus!.problem(),
      (seen) => seen !== null,
    );
    expect(gpus!.list()).toMatchObject([{ typeId: 'NVIDIA GeForce RTX 4090', load: null }]);
    await until(
      'the reason',
      () => gpus!.problem(),
      (seen) => seen?.includes('Driver/library version mismatch'),
    );
    programs.says('broken', null);
    await until('another report', () => loads()?.[0], 78);
    expect(gpus!.problem()).toBeNull();
  });

  it('that come or go are told of', async () => {
    let changes = 0;
    startGpus().onChange(() => changes++);
    watch();
    await until('a report', () => loads()?.[0], 78);
    programs.says('table', gpuFixture('server450.csv'));
    programs.says('report', gpuFixture('server450.txt'));
    await until('the others', () => {
      watch();
      return gpus!.list()?.length === 2 && loads()?.[0] === 12;
    });
    expect(gpus!.list()!.map(({ typeId }) => typeId)).toEqual(['Tesla T4', 'NVIDIA GeForce RTX 2080 Ti']);
    expect(changes).toBeGreaterThanOrEqual(2);
  });

  it('tell who has their memory when they are asked', async () => {
    startGpus();
    await until('a report', () => loads()?.[0], 78);
    const [gpu] = gpus!.list()!;
    expect(await gpus!.memoryHolders(gpu!.uuid)).toMatchObject([
      { pid: 48213, name: 'python' },
      { pid: 3977, name: 'chrome' },
      { pid: 1842 },
      { pid: 2203 },
    ]);
    expect(await gpus!.memoryHolders('GPU-of-another-machine')).toEqual([]);
  });

  it('leave no program behind when the engine stops at once', async () => {
    startGpus();
    await gpus!.stop();
    expect(loops()).toEqual([]);
  });
});

describe('AMD GPUs', needsPosix, () => {
  it('are found and measured by asking now and then, more often while somebody watches', async () => {
    programs = createGpuPrograms('rocm-smi');
    programs.says('rocm', gpuFixture('rocm50.out'));
    startGpus({ watchedS: 0.05, unwatchedS: 100 });
    await until('the GPUs', () => gpus!.list()?.length, 2);
    expect(gpus!.list()).toMatchObject([
      { vendor: 'amd', typeId: 'AMD Instinct MI100', load: { utilPercent: 0 } },
      { index: 1, load: { utilPercent: 99 } },
    ]);
    expect(programs.starts()).toHaveLength(1);
    watch();
    await until(
      'more samples',
      () => programs.starts(),
      ({ length }) => length >= 3,
    );
  });

  it('that tell nothing of use are none, with the reason', async () => {
    programs = createGpuPrograms('rocm-smi');
    programs.says('rocm', 'ERROR:root:Driver not initialized (amdgpu not found in modules)\n');
    startGpus();
    expect(await listed()).toEqual([]);
    expect(gpus!.problem()).toContain('rocm-smi: its answer cannot be understood');
  });
});

it('a machine with neither program has no GPU, and says so and what to do, without starting anything', () => {
  programs = createGpuPrograms('rocm-smi');
  gpus = createGpus({ clock: systemClock, env: { PATH: `${programs.folder}-missing` }, pace });
  expect(gpus.list()).toEqual([]);
  gpus.watch();
  expect(gpus.problem()).toMatch(/everything runs on the CPU/i);
  expect(programs.starts()).toEqual([]);
});
