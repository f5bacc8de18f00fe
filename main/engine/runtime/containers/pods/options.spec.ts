import { describe, expect, it } from 'vitest';
import { podRecordOf } from '../../../../../test/support/pods/podRecord.ts';
import type { GpuDevice } from '../../../domain/gpus/device.ts';
import type { PodPlan, PodRecord } from '../../../domain/pods/podInterfaces.ts';
import type { DataFolderId } from '../engine/dataFolderId.ts';
import { podLabels } from './labels.ts';
import { digestOf, fitsPlan, podOptions, portsOf, type PodContainerPlan } from './options.ts';

const GIB = 1024 ** 3;
const gpu = (uuid: string, index: number, vendor: GpuDevice['vendor'] = 'nvidia'): GpuDevice => ({
  uuid,
  index,
  vendor,
  typeId: 'A GPU',
  memoryBytes: 24 * GIB,
});
const pod = podRecordOf('abc', 'RUNNING', {
  name: 'mine',
  imageName: 'me/image',
  env: { UNUSED: 'x' },
  ports: ['8888/http', '22/tcp', '22/http'],
  containerDiskInGb: 50,
  volumeInGb: 20,
  computeType: 'GPU',
  gpuCount: 1,
  vcpuCount: 0,
});
const engine: PodContainerPlan['engine'] = {
  name: 'Docker',
  cdi: false,
  cores: 8,
  memoryBytes: 64 * GIB,
  selinux: false,
};
const planOf = (fields: Partial<PodRecord> = {}, more: Partial<PodPlan> = {}): PodPlan => ({
  pod: { ...pod, ...fields },
  env: { A: '1', B: '2' },
  writtenEnv: { A: '1', B: '2' },
  gpus: [],
  registryAuth: null,
  mounts: [{ folder: '/data/volumes/abc', at: '/workspace' }],
  ...more,
});
const optionsOf = (plan: PodPlan, more: Partial<PodContainerPlan> = {}) =>
  podOptions({
    name: 'hangar-pod-abc',
    plan,
    engine,
    labels: {},
    ports: new Map([
      [8888, 40_000],
      [22, 40_001],
    ]),
    limitDisk: true,
    deviceGroups: [],
    ...more,
  });

describe('the container of a Pod', () => {
  it('publishes each port once, on loopback, and is told of those of tcp', () => {
    expect(portsOf(pod.ports)).toEqual([8888, 22]);
    const { HostConfig, ExposedPorts, Env } = optionsOf(planOf());
    expect(ExposedPorts).toEqual({ '8888/tcp': {}, '22/tcp': {} });
    expect(HostConfig!.PortBindings).toEqual({
      '8888/tcp': [{ HostIp: '127.0.0.1', HostPort: '40000' }],
      '22/tcp': [{ HostIp: '127.0.0.1', HostPort: '40001' }],
    });
    expect(Env).toEqual(['A=1', 'B=2', 'NVIDIA_VISIBLE_DEVICES=void', 'RUNPOD_TCP_PORT_22=40001']);
  });

  it("gets its GPUs by request or by the names of the device interface, and nobody else's", () => {
    const gpus = [gpu('GPU-1', 3), gpu('GPU-2', 5)];
    const byRequest = optionsOf(planOf({}, { gpus }));
    expect(byRequest.HostConfig!.DeviceRequests).toEqual([{ DeviceIDs: ['GPU-1', 'GPU-2'], Capabilities: [['gpu']] }]);
    expect(byRequest.Env).toContain('NVIDIA_VISIBLE_DEVICES=GPU-1,GPU-2');
    const named = optionsOf(planOf({}, { gpus }), { engine: { ...engine, cdi: true } });
    expect(named.HostConfig!.DeviceRequests).toEqual([
      { Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=GPU-1', 'nvidia.com/gpu=GPU-2'] },
    ]);
    const amd = optionsOf(planOf({}, { gpus: [gpu('GPU-3', 0, 'amd')] }), { deviceGroups: [44, 110] });
    expect(amd.HostConfig).toMatchObject({ DeviceRequests: [], GroupAdd: ['44', '110'] });
    expect(amd.HostConfig!.Devices!.map(({ PathOnHost }: { PathOnHost: string }) => PathOnHost)).toEqual([
      '/dev/kfd',
      '/dev/dri',
    ]);
    expect(amd.Env).toContain('ROCR_VISIBLE_DEVICES=GPU-3');
  });

  it('is limited to the cores and the memory that it asked for, unless that is all there is', () => {
    const limited = optionsOf(planOf({ vcpuCount: 4, memoryInGb: 16 })).HostConfig!;
    expect(limited).toMatchObject({ NanoCpus: 4e9, Memory: 16 * GIB, MemorySwap: 16 * GIB, ShmSize: 8 * GIB });
    for (const fields of [{}, { vcpuCount: 8, memoryInGb: 64 }, { vcpuCount: 100, memoryInGb: 1000 }]) {
      const all = optionsOf(planOf(fields)).HostConfig!;
      expect(all.NanoCpus).toBeUndefined();
      expect(all.Memory).toBeUndefined();
      expect(all.ShmSize).toBe(32 * GIB);
    }
  });

  it('runs the command it was given, the words of one line, or what the image says', () => {
    expect(optionsOf(planOf())).not.toHaveProperty('Cmd');
    expect(optionsOf(planOf())).not.toHaveProperty('Entrypoint');
    expect(optionsOf(planOf({ dockerArgs: 'sh -c "sleep 1"' })).Cmd).toEqual(['sh', '-c', 'sleep 1']);
    const own = optionsOf(planOf({ dockerEntrypoint: ['/init'], dockerStartCmd: ['serve'], dockerArgs: 'ignored' }));
    expect(own).toMatchObject({ Entrypoint: ['/init'], Cmd: ['serve'], Image: 'me/image:latest', Hostname: 'abc' });
  });

  it('has a disk of its size where the engine is asked for that', () => {
    expect(optionsOf(planOf()).HostConfig!.StorageOpt).toEqual({ size: '50G' });
    expect(optionsOf(planOf(), { limitDisk: false }).HostConfig!.StorageOpt).toBeUndefined();
    expect(optionsOf(planOf({ containerDiskInGb: 0 })).HostConfig!.StorageOpt).toBeUndefined();
  });

  it('is the same where what it is made of is the same, whatever its record says besides', () => {
    const digest = digestOf(planOf());
    const lived = { name: 'other', locked: true, lastStartedAt: 5, lastStatusChange: 'x', costPerHr: 2, stopAfter: 9 };
    expect(digestOf(planOf(lived, { writtenEnv: { B: '2', A: '1' } }))).toBe(digest);
    // A secret with another value.
    expect(digestOf(planOf({}, { env: { A: '1', B: 'another' } }))).toBe(digest);
    const others = [
      planOf({ imageName: 'me/other' }),
      planOf({ dockerStartCmd: ['a'] }),
      planOf({ dockerEntrypoint: ['a'] }),
      planOf({ dockerArgs: 'a' }),
      planOf({ ports: [] }),
      planOf({ containerDiskInGb: 1 }),
      planOf({ vcpuCount: 1 }),
      planOf({ memoryInGb: 1 }),
      planOf({}, { writtenEnv: { A: '1', B: '3' } }),
      planOf({}, { gpus: [gpu('GPU-1', 0)] }),
      planOf({}, { mounts: [] }),
    ].map(digestOf);
    expect(new Set([digest, ...others]).size).toBe(others.length + 1);
  });
});

describe('a container', () => {
  const limited = (vcpuCount: number, memoryInGb: number): PodPlan => {
    const written = { RUNPOD_CPU_COUNT: String(vcpuCount || 8), RUNPOD_MEM_GB: String(memoryInGb || 64) };
    return planOf({ vcpuCount, memoryInGb }, { writtenEnv: { A: '1', ...written } });
  };
  const variables = (plan: PodPlan): string[] => Object.entries(plan.writtenEnv).map((pair) => pair.join('='));

  it('fits its plan with other limits than it was made with, and not with another image', () => {
    const plans = [limited(0, 0), limited(2, 0), limited(0, 4), limited(2, 4)];
    for (const made of plans) {
      for (const wanted of plans) {
        expect(fitsPlan(digestOf(made), variables(made), wanted)).toBe(true);
        const other = { ...wanted, pod: { ...wanted.pod, imageName: 'me/other' } };
        expect(fitsPlan(digestOf(made), variables(made), other)).toBe(false);
      }
    }
    expect(fitsPlan(digestOf(planOf()), [], planOf())).toBe(true);
  });
});

describe('labels of Pods', () => {
  const folder: DataFolderId = { get: () => 'f01de5', used: () => true };

  it('tell again what they were made of', () => {
    for (const facts of [
      {
        podId: 'abc',
        digest: 'd1',
        gpuUuids: ['GPU-1', 'GPU-2'],
        ports: new Map([
          [22, 40_000],
          [80, 40_001],
        ]),
      },
      { podId: 'def', digest: 'd2', gpuUuids: [], ports: new Map<number, number>() },
    ]) {
      const labels = podLabels.of(folder, facts);
      expect(podLabels.read(labels)).toEqual(facts);
      expect(podLabels.isOf(labels, folder, facts.podId)).toBe(true);
      expect(podLabels.isOf(labels, { ...folder, get: () => 'other' }, facts.podId)).toBe(false);
    }
  });

  it('are none of those that the sweep of workers looks for', () => {
    const labels = podLabels.of(folder, { podId: 'abc', digest: '', gpuUuids: [], ports: new Map() });
    expect(Object.keys(labels)).not.toContain('hangar.data');
  });
});
