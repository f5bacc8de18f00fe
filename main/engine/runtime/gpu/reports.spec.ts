import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { readInventory, readMigDevices } from './nvidia/inventory.ts';
import { readLoads } from './nvidia/loads.ts';
import { readRocm } from './amd/reports.ts';

const fixtures = new URL('../../../../test/fixtures/gpu/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, fixtures), 'utf8');
const MIB = 2 ** 20;
const loadOf = (name: string): NonNullable<ReturnType<ReturnType<typeof readLoads>['get']>> =>
  [...readLoads(read(name)).values()][0]!;

describe("nvidia-smi's table of GPUs", () => {
  it.each([
    ['desktop535.csv', 'NVIDIA GeForce RTX 4090', 24564, '535.161.07'],
    ['laptop570.csv', 'NVIDIA GeForce RTX 4070 Laptop GPU', 8188, '570.133.07'],
    ['wsl552.csv', 'NVIDIA GeForce RTX 3080', 10240, '552.44'],
    ['windows551.csv', 'NVIDIA GeForce RTX 3060', 12288, '551.86'],
    ['old390.csv', 'NVIDIA GeForce GT 730', 2001, '390.157'],
  ])('of %s names the product, its memory and the driver', (name, product, mib, driverVersion) => {
    expect(readInventory(read(name))).toMatchObject([
      { index: 0, name: product, memoryBytes: mib * MIB, driverVersion, mig: false },
    ]);
  });

  it('of a server lists each GPU, by the names they are sold under', () => {
    expect(readInventory(read('server450.csv')).map(({ index, name, busId }) => ({ index, name, busId }))).toEqual([
      { index: 0, name: 'Tesla T4', busId: '0:3b:00.0' },
      { index: 1, name: 'NVIDIA GeForce RTX 2080 Ti', busId: '0:af:00.0' },
    ]);
  });

  it('tells no memory of a GPU that uses the machine’s own', () => {
    expect(readInventory(read('unified580.csv'))).toMatchObject([{ name: 'NVIDIA GB10', memoryBytes: null }]);
  });

  it('tells which GPUs are divided, and the list of devices tells their parts', () => {
    expect(readInventory(read('mig535.csv')).map(({ mig }) => mig)).toEqual([true, false]);
    expect(readMigDevices(read('mig535.list'))).toEqual([
      {
        gpuUuid: 'GPU-c6d4666e-c15f-4b2f-a5c8-5f7d9d1f2a33',
        uuid: 'MIG-5c89852c-d268-5a9e-9c0a-1b2c3d4e5f60',
        index: 0,
        profile: '3g.20gb',
      },
      {
        gpuUuid: 'GPU-c6d4666e-c15f-4b2f-a5c8-5f7d9d1f2a33',
        uuid: 'MIG-8f1e2d3c-aaaa-5b4c-8d7e-0f9e8d7c6b5a',
        index: 1,
        profile: '1g.5gb',
      },
    ]);
  });

  it('is empty where the driver does not answer', () => {
    expect(readInventory("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n\n")).toEqual(
      [],
    );
    expect(readInventory('Unable to determine the device handle for GPU0000:01:00.0: Unknown Error\n')).toEqual([]);
  });
});

describe("nvidia-smi's report of load", () => {
  it('tells memory, use, temperature, power, and each program once, the greatest first', () => {
    expect([...readLoads(read('desktop535.txt'))]).toEqual([
      [
        '0:01:00.0',
        {
          memoryUsedBytes: 17632 * MIB,
          memoryTotalBytes: 24564 * MIB,
          utilPercent: 78,
          temperatureC: 61,
          powerW: 310.44,
          processes: [
            { pid: 48213, name: 'python', memoryBytes: 14358 * MIB },
            { pid: 3977, name: 'chrome', memoryBytes: 1126 * MIB },
            { pid: 1842, name: 'Xorg', memoryBytes: 412 * MIB },
            { pid: 2203, name: 'gnome-shell', memoryBytes: 117 * MIB },
          ],
          parts: new Map(),
        },
      ],
    ]);
  });

  it('is the newest where the text has several', () => {
    expect(loadOf('desktop535Loop.txt')).toMatchObject({ utilPercent: 81, powerW: 312.1 });
  });

  it('of several GPUs keeps them apart, and what one cannot tell is not known', () => {
    const loads = readLoads(read('server450.txt'));
    expect(loads.get('0:3b:00.0')).toMatchObject({
      memoryUsedBytes: 1377 * MIB,
      utilPercent: 12,
      temperatureC: 47,
      powerW: 33.07,
      processes: [{ pid: 20511, name: 'python3.8', memoryBytes: 1371 * MIB }],
    });
    expect(loads.get('0:af:00.0')).toMatchObject({ memoryUsedBytes: 0, utilPercent: 0, powerW: null, processes: [] });
  });

  it('of newer drivers, which call power and use by other names, tells the same', () => {
    expect(loadOf('laptop570.txt')).toMatchObject({ utilPercent: 0, temperatureC: 43, powerW: 2.31 });
    expect(loadOf('unified580.txt')).toMatchObject({ memoryUsedBytes: null, utilPercent: 2, powerW: 4.1 });
  });

  it('of the oldest drivers tells what there is', () => {
    expect(loadOf('old390.txt')).toMatchObject({
      memoryUsedBytes: 131 * MIB,
      utilPercent: null,
      temperatureC: 36,
      powerW: null,
      processes: [{ pid: 1022, name: 'Xorg', memoryBytes: 94 * MIB }],
    });
  });

  it('under Windows and WSL names programs whose memory is not told, and one that may not be named', () => {
    expect(loadOf('windows551.txt').processes).toEqual([
      { pid: 1508, name: 'explorer.exe', memoryBytes: null },
      { pid: 4, name: 'a program without a name', memoryBytes: null },
      { pid: 7744, name: 'game.exe', memoryBytes: null },
    ]);
    expect(loadOf('windows551.txt')).toMatchObject({ memoryUsedBytes: 2381 * MIB, utilPercent: 34, powerW: 64.75 });
    expect(loadOf('wsl552.txt').processes.map(({ name }) => name)).toEqual(['Xwayland', 'python3.10']);
  });

  it('of a divided GPU tells the memory and the programs of each part', () => {
    const load = readLoads(read('mig535.txt')).get('0:07:00.0')!;
    expect(load).toMatchObject({ memoryUsedBytes: 3140 * MIB, utilPercent: null, temperatureC: 33, powerW: 71.52 });
    expect([...load.parts]).toEqual([
      [
        0,
        {
          memoryUsedBytes: 3121 * MIB,
          memoryTotalBytes: 19968 * MIB,
          processes: [{ pid: 90210, name: 'python3', memoryBytes: 3083 * MIB }],
        },
      ],
      [1, { memoryUsedBytes: 12 * MIB, memoryTotalBytes: 4864 * MIB, processes: [] }],
    ]);
  });

  it('that is cut anywhere is read as far as it goes', () => {
    const whole = read('desktop535.txt');
    for (let end = 0; end < whole.length; end += 7) expect(readLoads(whole.slice(0, end)).size).toBeLessThan(2);
  });
});

test('rocm-smi tells AMD GPUs, old and new, and graphics built into a processor is none', () => {
  const at = '2026-01-01T00:00:00.000Z';
  expect(readRocm(read('rocm60.out'), at)).toEqual([
    {
      uuid: 'GPU-71b1c8ad3e5c9b1f',
      index: 0,
      typeId: 'Radeon RX 7900 XTX',
      memoryBytes: 25753026560,
      driverVersion: '6.7.0',
      load: {
        at,
        utilPercent: 3,
        memoryUsedBytes: 1015201792,
        temperatureC: 43,
        powerW: 21,
        processes: [{ pid: 4211, name: 'python3', memoryBytes: 921600000 }],
      },
    },
  ]);
  expect(readRocm(read('rocm50.out'), at)).toMatchObject([
    { uuid: 'GPU-9c1d4b2f7a6e3c01', typeId: 'AMD Instinct MI100', load: { utilPercent: 0, powerW: 35 } },
    { uuid: 'GPU-00ab4b2f7a6e3c02', index: 1, load: { utilPercent: 99, powerW: null, memoryUsedBytes: 30065229824 } },
  ]);
  expect(readRocm(read('rocm62mi300.out'), at)).toMatchObject([
    { typeId: 'AMD Instinct MI300X OAM', load: { temperatureC: 52, powerW: 141 } },
  ]);
  expect(readRocm('ERROR: No AMD GPUs specified\n', at)).toBeNull();
});
