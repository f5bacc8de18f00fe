import { describe, expect, it } from 'vitest';
import type { GpuDevice } from '../../../domain/gpus/device.ts';
import type { WorkerStart } from '../../../domain/autoscaling/ports.ts';
import { containerOptions, type ContainerPlan } from './options.ts';

const gpu = (vendor: GpuDevice['vendor'], uuid: string, index = 0): GpuDevice => ({
  vendor,
  uuid,
  index,
  typeId: 'A GPU',
  memoryBytes: 24e9,
});

const optionsOf = (worker: Partial<WorkerStart>, plan: Partial<ContainerPlan> = {}) =>
  containerOptions({
    worker: {
      workerId: 'w-1',
      endpointId: 'e-1',
      gpus: [],
      mounts: [],
      registryAuth: null,
      ports: [],
      limits: { vcpuCount: 0, memoryInGb: 0 },
      template: {
        id: 't',
        name: 't',
        imageName: 'me/image',
        dockerEntrypoint: [],
        dockerStartCmd: [],
        env: {},
        containerDiskInGb: 20,
      },
      env: () => ({}),
      ...worker,
    },
    engine: { cdi: false, cores: 8, memoryBytes: 0, selinux: false },
    access: { kind: 'door', door: { listenAt: '', name: '', mayEnter: () => true }, extraHosts: ['name:there'] },
    env: {},
    labels: {},
    limitDisk: false,
    deviceGroups: [],
    ...plan,
  });

const variablesOf = (options: ReturnType<typeof optionsOf>): Record<string, string> =>
  Object.fromEntries(options.Env!.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));

describe('a container', () => {
  it('is given GPUs of NVIDIA by a device request with their uuids', () => {
    const options = optionsOf({ gpus: [gpu('nvidia', 'GPU-a'), gpu('nvidia', 'GPU-b', 1)] });
    expect(options.HostConfig!.DeviceRequests).toEqual([{ DeviceIDs: ['GPU-a', 'GPU-b'], Capabilities: [['gpu']] }]);
    const variables = variablesOf(options);
    expect(variables).toMatchObject({ NVIDIA_VISIBLE_DEVICES: 'GPU-a,GPU-b' });
    expect(variables).not.toHaveProperty('RUNPOD_SKIP_GPU_CHECK');
  });

  it('is given them by their names where the engine knows only the Container Device Interface', () => {
    const engine = { cdi: true, cores: 8, memoryBytes: 0, selinux: false };
    expect(optionsOf({ gpus: [gpu('nvidia', 'GPU-a')] }, { engine }).HostConfig!.DeviceRequests).toEqual([
      { Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=GPU-a'] },
    ]);
  });

  it('is given GPUs of AMD as devices, with the groups that may use them, and sees only its own', () => {
    const options = optionsOf({ gpus: [gpu('amd', 'GPU-x', 2)] }, { deviceGroups: [44, 105] });
    expect(options.HostConfig).toMatchObject({ DeviceRequests: [], GroupAdd: ['44', '105'] });
    expect(options.HostConfig!.Devices!.map(({ PathOnHost }: { PathOnHost: string }) => PathOnHost)).toEqual([
      '/dev/kfd',
      '/dev/dri',
    ]);
    expect(variablesOf(options)).toMatchObject({ ROCR_VISIBLE_DEVICES: 'GPU-x', NVIDIA_VISIBLE_DEVICES: 'void' });
  });

  it('without a GPU sees none, and skips the check for one', () => {
    const options = optionsOf({});
    expect(options.HostConfig!.DeviceRequests).toEqual([]);
    expect(variablesOf(options)).toMatchObject({
      NVIDIA_VISIBLE_DEVICES: 'void',
      RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true',
      RUNPOD_SKIP_GPU_CHECK: 'true',
    });
  });

  it('is kept to the cores and the memory of its endpoint, and to none where that is all there is', () => {
    const engine = { cdi: false, cores: 8, memoryBytes: 16 * 2 ** 30, selinux: false };
    const hostOf = (vcpuCount: number, memoryInGb: number) =>
      optionsOf({ limits: { vcpuCount, memoryInGb } }, { engine }).HostConfig!;
    const bytes = 4 * 2 ** 30;
    expect(hostOf(1, 4)).toMatchObject({ NanoCpus: 1e9, Memory: bytes, MemorySwap: bytes, ShmSize: bytes / 2 });
    for (const all of [hostOf(8, 16), hostOf(0, 0)]) {
      expect(all).not.toHaveProperty('NanoCpus');
      expect(all).not.toHaveProperty('Memory');
      expect(all.ShmSize).toBe(8 * 2 ** 30);
    }
  });

  it('is kept to the disk of its template where that is asked for', () => {
    expect(optionsOf({}, { limitDisk: true }).HostConfig!.StorageOpt).toEqual({ size: '20G' });
    expect(optionsOf({}).HostConfig).not.toHaveProperty('StorageOpt');
  });

  it('listens for its endpoint at ports of the loopback address only, or at those of the network it shares', () => {
    const { ExposedPorts, HostConfig } = optionsOf({ ports: [8000] });
    expect(ExposedPorts).toEqual({ '8000/tcp': {} });
    expect(HostConfig!.PortBindings).toEqual({ '8000/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] });
    const shared = optionsOf({ ports: [8000] }, { access: { kind: 'host' } });
    expect(shared.HostConfig).toMatchObject({ NetworkMode: 'host', PortBindings: {} });
    expect(shared).not.toHaveProperty('Hostname');
  });
});
