/** The /v1 view of Pods, built from their records and the state of their containers. */
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { Pod, PodGpu, PodRuntime, PodRuntimeNow } from '#contract/api/pod.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { PERSON } from '../access/owner.ts';
import { HERE, POD_IP } from './env.ts';
import { pricePerHour } from './price.ts';
import type { PodContainer, PodRecord } from './podInterfaces.ts';

/** The machine's fields in the view of a Pod. */
export interface PodMachine {
  hostname: string;
  cpuModel: string;
  cores: number;
  memoryInGb: number;
}

export const portsOf = (pod: PodRecord): { port: number; type: 'http' | 'tcp' }[] =>
  pod.ports.map((text) => {
    const [port, type] = text.split('/');
    return { port: Number(port), type: type === 'tcp' ? 'tcp' : 'http' };
  });

/** GPUs have only a price per hour here: there is no spot price, and none for a week or for months. */
const NO_OTHER_PRICES = {
  oneWeekPrice: null,
  oneMonthPrice: null,
  threeMonthPrice: null,
  sixMonthPrice: null,
  communitySpotPrice: null,
  secureSpotPrice: null,
};

/** `perHour`: US dollars per hour for one GPU. */
export const gpuOf = (typeId: string, count: number, perHour: number): PodGpu => ({
  id: typeId,
  count,
  displayName: typeId,
  securePrice: perHour,
  communityPrice: perHour,
  ...NO_OTHER_PRICES,
});

const running = (container: PodContainer | null): container is PodContainer => container?.running === true;

/** Maps each tcp port of the container to its port on this machine. */
function portMappings(pod: PodRecord, container: PodContainer): Record<string, number> {
  const mapped = portsOf(pod).flatMap(({ port, type }) => {
    const at = type === 'tcp' ? container.ports.get(port) : undefined;
    return at ? [[String(port), at.port] as const] : [];
  });
  return Object.fromEntries(mapped);
}

export function viewOf(
  pod: PodRecord,
  container: PodContainer | null,
  machine: PodMachine,
  perHour: (gpuTypeId: string, gpuCount: number) => number,
): Pod {
  const up = pod.desiredStatus === 'RUNNING' && running(container);
  const { gpuTypeId } = pod;
  const costPerHr = pricePerHour(pod, machine.cores, perHour);
  const onGpu = pod.computeType === 'GPU';
  const typeId = gpuTypeId === '' ? (pod.gpuTypeIds[0] ?? '') : gpuTypeId;
  const each = onGpu && typeId !== '' ? perHour(typeId, 1) : 0;
  const [cpuFlavorId = null] = onGpu ? [] : (pod.cloud?.cpuFlavorIds ?? []);
  return {
    ...pod.cloud,
    id: pod.id,
    endpointId: null,
    aiApiId: null,
    cpuFlavorId,
    name: pod.name,
    image: pod.imageName,
    imageName: pod.imageName,
    desiredStatus: pod.desiredStatus,
    createdAt: new Date(pod.createdAt).toISOString(),
    lastStartedAt: new Date(pod.lastStartedAt).toISOString(),
    lastStatusChange: pod.lastStatusChange,
    costPerHr,
    adjustedCostPerHr: costPerHr,
    consumerUserId: PERSON,
    containerDiskInGb: pod.containerDiskInGb,
    containerRegistryAuthId: pod.containerRegistryAuthId,
    dockerEntrypoint: pod.dockerEntrypoint,
    dockerStartCmd: pod.dockerStartCmd,
    env: pod.env,
    gpu: onGpu ? gpuOf(typeId, pod.gpuCount, each) : null,
    gpuCount: pod.gpuCount,
    computeType: pod.computeType,
    interruptible: pod.interruptible,
    locked: pod.locked,
    machineId: HERE,
    machine: {},
    memoryInGb: pod.memoryInGb > 0 ? pod.memoryInGb : machine.memoryInGb,
    vcpuCount: pod.vcpuCount > 0 ? pod.vcpuCount : machine.cores,
    networkVolumeId: pod.networkVolumeId === '' ? null : pod.networkVolumeId,
    portMappings: up ? portMappings(pod, container) : null,
    ports: pod.ports,
    publicIp: up ? POD_IP : null,
    savingsPlans: [],
    slsVersion: 0,
    templateId: pod.templateId,
    volumeEncrypted: false,
    volumeInGb: pod.volumeInGb,
    volumeMountPath: pod.volumeMountPath,
  };
}

/**
 * The `machine` field of a Pod. `freeGpus`: the number of free GPUs of a type; null where this machine has none of that
 * type. Fields without a measurement or an equivalent on this machine are null.
 */
export function machineOf(
  pod: Pod,
  { hostname, cpuModel, cores }: PodMachine,
  freeGpus: (gpuTypeId: string) => number | null,
): Pod['machine'] {
  const gpuTypeId = pod.gpu?.id ?? CPU_TYPE;
  return {
    gpuTypeId,
    gpuType: pod.gpu,
    gpuAvailable: freeGpus(gpuTypeId),
    minPodGpuCount: pod.gpu ? 1 : 0,
    gpuDisplayName: pod.gpu?.displayName ?? cpuModel,
    cpuCount: cores,
    cpuTypeId: cpuModel,
    cpuType: { id: cpuModel, displayName: cpuModel, cores, threadsPerCore: null, groupId: CPU_TYPE },
    diskThroughputMBps: null,
    maxDownloadSpeedMbps: null,
    maxUploadSpeedMbps: null,
    maintenanceStart: null,
    maintenanceEnd: null,
    maintenanceNote: null,
    note: null,
    location: hostname,
    dataCenterId: HERE,
    costPerHr: pod.costPerHr,
    currentPricePerGpu: pod.gpu?.securePrice ?? pod.costPerHr,
    secureCloud: true,
    supportPublicIp: false,
  };
}

const percent = (share: number): number => Math.round(1000 * share) / 10;

/** `load`: the load of the container as the driver measured it. */
export function runtimeOf<Load extends PodRuntimeNow['container']>(
  pod: PodRecord,
  container: PodContainer,
  load: Load,
  gpus: readonly MachineGpu[],
  now: number,
): Omit<PodRuntime, 'container'> & { container: Load } {
  return {
    uptimeInSeconds: Math.max(0, Math.floor((now - (container.startedAt ?? now)) / 1000)),
    ports: portsOf(pod).flatMap(({ port, type }) => {
      const at = container.ports.get(port);
      // As in the API description, only a tcp port has its own address. An http port is reached by its host name.
      return at ? [{ ip: POD_IP, isIpPublic: type === 'tcp', privatePort: port, publicPort: at.port, type }] : [];
    }),
    gpus: pod.gpuUuids.map((id) => {
      const gpu = gpus.find(({ uuid }) => uuid === id);
      const used = gpu?.load?.memoryUsedBytes ?? 0;
      return {
        id,
        gpuUtilPercent: gpu?.load?.utilPercent ?? 0,
        memoryUtilPercent: gpu && gpu.memoryBytes > 0 ? percent(used / gpu.memoryBytes) : 0,
      };
    }),
    container: load,
  };
}
