/**
 * The options for the container of a worker: from its template, the worker protocol, and its GPUs, folders and ports.
 */
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
  /** The variables of the worker protocol and others that win over those of the template. */
  env: Record<string, string>;
  labels: Record<string, string>;
  /** Whether to limit the disk of the container. */
  limitDisk: boolean;
  /** The groups of the devices of AMD GPUs. */
  deviceGroups: readonly number[];
}

/** The requests for NVIDIA GPUs by uuid. Inside the container, the GPUs are numbered from 0. */
export function gpuRequests(gpus: readonly GpuDevice[], cdi: boolean): DeviceRequest[] {
  const uuids = gpus.filter(({ vendor }) => vendor === 'nvidia').map(({ uuid }) => uuid);
  if (uuids.length === 0) return [];
  if (cdi) return [{ Driver: 'cdi', DeviceIDs: uuids.map((uuid) => `nvidia.com/gpu=${uuid}`) }];
  return [{ DeviceIDs: uuids, Capabilities: [['gpu']] }];
}

/** The driver of AMD has one device for computing, and a folder with one device for each GPU. */
export const AMD_DEVICES = ['/dev/kfd', '/dev/dri'].map((device) => ({
  PathOnHost: device,
  PathInContainer: device,
  CgroupPermissions: 'rwm',
}));

/** The variables that GPU libraries of images read. `void` means no GPU, even where the image requests all. */
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
    // Without this option, the command of the image runs.
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
      // The engine reads the output and stores it with the logs of other workers. A second copy would grow without a
      // limit.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      NetworkMode: access.kind === 'host' ? 'host' : '',
      ...(access.kind === 'door' ? { ExtraHosts: access.extraHosts } : {}),
      PortBindings: Object.fromEntries(own.map((port) => [port, [{ HostIp: '127.0.0.1', HostPort: '' }]])),
      Mounts: mounts.map(({ folder, at }) => ({ Type: 'bind', Source: folder, Target: at })),
      // The person's folders are not relabelled for SELinux.
      ...(engine.selinux && mounts.length > 0 ? { SecurityOpt: ['label=disable'] } : {}),
      DeviceRequests: gpuRequests(gpus, engine.cdi),
      ...(amd ? { Devices: AMD_DEVICES, GroupAdd: deviceGroups.map(String) } : {}),
      ...computeLimits(worker.limits, engine),
      ...(limitDisk ? diskLimit(diskGb) : {}),
    },
  };
}
