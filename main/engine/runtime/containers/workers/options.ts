/** What a container is made with: the template, the worker protocol's variables, and the GPUs, folders and ports that are its own. */
import type { ContainerCreateOptions, DeviceRequest } from 'dockerode';
import type { GpuDevice } from '../../../domain/gpus/device.ts';
import type { WorkerStart } from '../../../domain/autoscaling/ports.ts';
import { workerDefaults } from '../../workers/env.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import { computeLimits } from '../engine/limits.ts';
import { diskLimit } from '../engine/diskQuota.ts';
import type { HostAccess } from '../engine/hostAccess.ts';
import { tagged } from '../images/imageName.ts';

export interface ContainerPlan {
  worker: WorkerStart;
  engine: Pick<ContainerEngine, 'cdi' | 'cores' | 'memoryBytes' | 'selinux'>;
  access: HostAccess;
  /** The worker protocol's variables and whatever else wins over the template's. */
  env: Record<string, string>;
  labels: Record<string, string>;
  /** Whether the engine is asked to keep the container within its disk. */
  limitDisk: boolean;
  /** Groups that the devices of AMD's GPUs belong to. */
  deviceGroups: readonly number[];
}

/** GPUs of NVIDIA, by their uuid. Which one a worker's first GPU is, is counted inside the container. */
export function gpuRequests(gpus: readonly GpuDevice[], cdi: boolean): DeviceRequest[] {
  const uuids = gpus.filter(({ vendor }) => vendor === 'nvidia').map(({ uuid }) => uuid);
  if (uuids.length === 0) return [];
  if (cdi) return [{ Driver: 'cdi', DeviceIDs: uuids.map((uuid) => `nvidia.com/gpu=${uuid}`) }];
  return [{ DeviceIDs: uuids, Capabilities: [['gpu']] }];
}

/** AMD's driver has one device for all computing, and a folder with one for each GPU. */
export const AMD_DEVICES = ['/dev/kfd', '/dev/dri'].map((device) => ({
  PathOnHost: device,
  PathInContainer: device,
  CgroupPermissions: 'rwm',
}));

/** What images with GPU libraries read. `void`: none, also where the image asks for all that there are. */
export function gpuVariables(gpus: readonly GpuDevice[]): Record<string, string> {
  const [first] = gpus;
  if (first === undefined) return { NVIDIA_VISIBLE_DEVICES: 'void' };
  if (first.vendor === 'nvidia') return { NVIDIA_VISIBLE_DEVICES: gpus.map(({ uuid }) => uuid).join(',') };
  return {
    NVIDIA_VISIBLE_DEVICES: 'void',
    ROCR_VISIBLE_DEVICES: gpus.map(({ uuid, index }) => (uuid.startsWith('GPU-') ? uuid : String(index))).join(','),
  };
}

export const workerContainerName = (workerId: string): string => `hangar-${workerId}`;

export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { worker, engine, access, env, labels, limitDisk, deviceGroups } = plan;
  const { template, ports, mounts, gpus } = worker;
  const { dockerEntrypoint: entrypoint, dockerStartCmd: command, containerDiskInGb: diskGb } = template;
  const variables = { ...workerDefaults(gpus), ...template.env, ...gpuVariables(gpus), ...env };
  const own = access.kind === 'host' ? [] : ports.map((port) => `${port}/tcp`);
  const amd = gpus.some(({ vendor }) => vendor === 'amd');
  return {
    name: workerContainerName(worker.workerId),
    Image: tagged(template.imageName),
    // Left out, the image's own stay.
    ...(entrypoint.length > 0 ? { Entrypoint: entrypoint } : {}),
    ...(command.length > 0 ? { Cmd: command } : {}),
    ...(access.kind === 'host' ? {} : { Hostname: worker.workerId }),
    Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    Labels: labels,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    ExposedPorts: Object.fromEntries(own.map((port) => [port, {}])),
    HostConfig: {
      // What it writes is read as it comes, and kept with the other workers' logs: a second copy would grow without a limit.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      NetworkMode: access.kind === 'host' ? 'host' : '',
      ...(access.kind === 'door' ? { ExtraHosts: access.extraHosts } : {}),
      PortBindings: Object.fromEntries(own.map((port) => [port, [{ HostIp: '127.0.0.1', HostPort: '' }]])),
      Mounts: mounts.map(({ folder, at }) => ({ Type: 'bind', Source: folder, Target: at })),
      // Folders of the person are not relabelled for it.
      ...(engine.selinux && mounts.length > 0 ? { SecurityOpt: ['label=disable'] } : {}),
      DeviceRequests: gpuRequests(gpus, engine.cdi),
      ...(amd ? { Devices: AMD_DEVICES, GroupAdd: deviceGroups.map(String) } : {}),
      ...computeLimits(worker.limits, engine),
      ...(limitDisk ? diskLimit(diskGb) : {}),
    },
  };
}
