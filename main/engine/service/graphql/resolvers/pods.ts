/** Pods in the GraphQL API: deploy, resume, stop, change, delete and read. */
import { AppError } from '#contract/core/errors.ts';
import { podDeploySchema, podUpdateSchema, type Pod, type PodRuntime } from '#contract/api/pod.ts';
import type { Pods } from '../../../domain/pods/podInterfaces.ts';
import type { Prices } from '../../../domain/billing/pricing.ts';
import type { Volumes } from '../../../domain/resources/volumes.ts';
import { podInputs } from '../podInputs.ts';
import { podTypes } from '../podTypes.ts';
import { gpuTypeView, instanceOf } from './gpuTypes.ts';
import { volumeView } from './volumes.ts';
import type { GraphqlPart } from '../schema.ts';
import {
  envOf,
  itemsOf,
  lineOf,
  namingFields,
  omitNull,
  type EnvironmentVariable,
  type FieldNames,
} from '../values.ts';
import { validate } from '../../http/validate.ts';

interface Parts {
  pods: Pods;
  prices: Prices;
  volumes: Volumes;
  /** What the workers of endpoints cost now, US dollars per hour. */
  workersPerHour(): number;
  /** A moment, as text. */
  now(): string;
}

interface PodInput extends Partial<Record<(typeof ineffectiveFieldNames)[number], unknown>> {
  name?: string | null;
  imageName?: string | null;
  templateId?: string | null;
  cloudType?: string | null;
  computeType?: string | null;
  gpuCount?: number | null;
  gpuTypeId?: string | null;
  gpuTypeIdList?: (string | null)[] | null;
  instanceIds?: (string | null)[] | null;
  minVcpuCount?: number | null;
  minMemoryInGb?: number | null;
  containerDiskInGb?: number | null;
  volumeInGb?: number | null;
  volumeMountPath?: string | null;
  networkVolumeId?: string | null;
  containerRegistryAuthId?: string | null;
  dataCenterId?: string | null;
  countryCode?: string | null;
  supportPublicIp?: boolean | null;
  globalNetwork?: boolean | null;
  allowedCudaVersions?: (string | null)[] | null;
  dockerArgs?: string | null;
  env?: (EnvironmentVariable | null)[] | null;
  ports?: string | null;
  minDownload?: number | null;
  minUpload?: number | null;
  startJupyter?: boolean | null;
  volumeKey?: string | null;
  stopAfter?: string | null;
  terminateAfter?: string | null;
}

interface CpuPodInput extends PodInput {
  instanceId?: string | null;
}

type Input<T> = { input?: T | null };
interface WithPod {
  podId: string;
}

/** The template that the public Python SDK always names for a Pod on the CPU. */
const SDK_TEMPLATE = 'runpod-ubuntu';

const notNull = <T>(list: readonly (T | null)[] | null | undefined): T[] =>
  (list ?? []).filter((item): item is T => item !== null);
const orNothing = (text: string | null | undefined): string | undefined =>
  text === null || text === '' ? undefined : text;

function needed<T>(input: T | null | undefined): T {
  if (input) return input;
  throw new AppError('BAD_REQUEST', 'input is needed: the fields of the Pod.');
}

/** Flavor, cores and memory of a CPU instance; no fields without one. */
function ofInstance(instanceId: string | null | undefined): object {
  if (!instanceId) return {};
  const { flavor, ...limits } = instanceOf(instanceId);
  return { cpuFlavorIds: [flavor], ...limits };
}

/** The fields of a new or changed Pod that have the same meaning in both, in the words of /v1. */
function containerOf(input: PodInput): object {
  const { imageName, containerDiskInGb, volumeInGb, volumeMountPath, containerRegistryAuthId, env, ports } = input;
  return omitNull({
    imageName: orNothing(imageName),
    containerDiskInGb,
    volumeInGb,
    containerRegistryAuthId,
    volumeMountPath: orNothing(volumeMountPath),
    env: env ? envOf(notNull(env)) : null,
    ports: ports === null || ports === undefined ? null : itemsOf(ports),
  });
}

/** Field of /v1 → field in the caller's input. */
const namesIn = ({ gpuTypeId, instanceIds, gpuTypeIdList }: PodInput): FieldNames => ({
  gpuTypeIds: gpuTypeId || notNull(gpuTypeIdList).length === 0 ? 'gpuTypeId' : 'gpuTypeIdList',
  minVCPUPerGPU: 'minVcpuCount',
  minRAMPerGPU: 'minMemoryInGb',
  dockerStartCmd: 'dockerArgs',
  ports: 'ports',
  dataCenterIds: 'dataCenterId',
  countryCodes: 'countryCode',
  globalNetworking: 'globalNetwork',
  vcpuCount: notNull(instanceIds).length > 0 ? 'instanceIds' : 'instanceId',
});

/** The input in the words of /v1. The minimum of cores and memory is for the Pod here, for each GPU in /v1. */
function podOf(input: PodInput, more: object = {}): unknown {
  const { gpuTypeId, gpuCount, minVcpuCount, minMemoryInGb, dataCenterId, countryCode } = input;
  const gpus = Math.max(1, gpuCount ?? 1);
  const each = (least: number | null | undefined): number | null => (least ? Math.floor(least / gpus) : null);
  const [instanceId] = notNull(input.instanceIds);
  if (input.volumeKey) {
    throw new AppError(
      'BAD_REQUEST',
      'volumeKey is not supported: the volumes of this machine are folders, and not encrypted.',
    );
  }
  const typeIds = [...(gpuTypeId ? [gpuTypeId] : []), ...notNull(input.gpuTypeIdList)];
  return omitNull({
    ...containerOf(input),
    name: orNothing(input.name),
    templateId: orNothing(input.templateId),
    cloudType: input.cloudType,
    gpuCount,
    // An empty type means a Pod without a GPU.
    computeType: input.computeType ?? (gpuTypeId === '' || instanceId !== undefined ? 'CPU' : null),
    gpuTypeIds: typeIds.length > 0 ? typeIds : null,
    minVCPUPerGPU: each(minVcpuCount),
    minRAMPerGPU: each(minMemoryInGb),
    networkVolumeId: orNothing(input.networkVolumeId),
    dataCenterIds: dataCenterId ? [dataCenterId] : null,
    countryCodes: countryCode ? [countryCode] : null,
    allowedCudaVersions: input.allowedCudaVersions ? notNull(input.allowedCudaVersions) : null,
    supportPublicIp: input.supportPublicIp,
    globalNetworking: input.globalNetwork,
    minDownloadMbps: input.minDownload,
    minUploadMbps: input.minUpload,
    ...ofInstance(instanceId),
    ...more,
  });
}

const total = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

const msOf = (moment: string | null | undefined): number | undefined => (moment ? Date.parse(moment) : undefined);

/** Fields that have no effect on one machine and no field in a Pod. The facts of the Pod name those that were sent. */
const ineffectiveFieldNames = [
  'aiApiId',
  'bidPerGpu',
  'compliance',
  'cudaVersion',
  'deployCost',
  'minCudaVersion',
  'minDisk',
  'port',
  'savingsPlan',
] as const;

/** Fields that /v1 does not have. */
const besidesOf = (input: PodInput) =>
  omitNull({
    dockerArgs: input.dockerArgs,
    stopAfter: msOf(input.stopAfter),
    terminateAfter: msOf(input.terminateAfter),
    startJupyter: input.startJupyter,
    ineffectiveFields: ineffectiveFieldNames.filter((field) => (input[field] ?? null) !== null),
  });

export function podOperations({ pods, prices, volumes, workersPerHour, now }: Parts): GraphqlPart {
  function machineOf(pod: Pod) {
    const machine = pods.machineOf(pod);
    const type = prices.gpuTypes().find(({ id }) => id === machine.gpuTypeId);
    return {
      ...machine,
      id: pod.machineId,
      gpuType: type ? gpuTypeView(prices, type) : null,
      vcpuTotal: machine.cpuCount,
    };
  }

  function telemetryOf({ desiredStatus }: Pod, { container, gpus }: PodRuntime) {
    const metrics = gpus.map(({ id, gpuUtilPercent, memoryUtilPercent }) => ({
      id,
      percentUtilization: gpuUtilPercent,
      memoryUtilization: memoryUtilPercent,
    }));
    const mean = (field: 'percentUtilization' | 'memoryUtilization'): number =>
      metrics.reduce((sum, one) => sum + one[field], 0) / metrics.length;
    return {
      state: desiredStatus,
      time: now(),
      cpuUtilization: container.cpuPercent,
      memoryUtilization: container.memoryPercent,
      averageGpuMetrics:
        metrics.length > 0
          ? { percentUtilization: mean('percentUtilization'), memoryUtilization: mean('memoryUtilization') }
          : null,
      individualGpuMetrics: metrics,
    };
  }

  function toView(pod: Pod) {
    // Measured once for all fields of a query.
    let measured: Promise<PodRuntime | null> | null = null;
    const runtime = (): Promise<PodRuntime | null> => (measured ??= pods.runtime(pod.id));
    const { dockerArgs } = pods.record(pod.id);
    return {
      ...pod,
      podType: pod.interruptible ? 'INTERRUPTABLE' : 'RESERVED',
      env: Object.entries(pod.env).map(([key, value]) => `${key}=${value}`),
      dockerArgs: dockerArgs === '' ? lineOf(pod.dockerStartCmd) : dockerArgs,
      ports: pod.ports.join(','),
      gpus: pods.record(pod.id).gpuUuids.map((id) => ({ id, podId: pod.id })),
      machine: () => machineOf(pod),
      networkVolume: () =>
        pod.networkVolumeId !== null && volumes.has(pod.networkVolumeId)
          ? volumeView(volumes.get(pod.networkVolumeId))
          : null,
      runtime,
      uptimeSeconds: async () => (await runtime())?.uptimeInSeconds ?? 0,
      async latestTelemetry() {
        const measurement = await runtime();
        return measurement && telemetryOf(pod, measurement);
      },
    };
  }

  const deploy = (input: PodInput, more?: object): Promise<unknown> =>
    namingFields(namesIn(input), async () =>
      toView(await pods.create(validate(podDeploySchema, podOf(input, more), 'input'), besidesOf(input))),
    );

  return {
    types: podTypes + podInputs,
    queries: {
      pod({ input }: Input<WithPod>) {
        try {
          return toView(pods.get(needed(input).podId));
        } catch (error) {
          if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
          throw error;
        }
      },
    },
    mutations: {
      podFindAndDeployOnDemand: ({ input }: Input<PodInput>) => deploy(needed(input)),
      podRentInterruptable: ({ input }: Input<PodInput>) => deploy(needed(input), { interruptible: true }),
      deployCpuPod({ input }: Input<CpuPodInput>) {
        const { instanceId, templateId, ...rest } = needed(input);
        const isOwnTemplate = templateId !== SDK_TEMPLATE || !rest.imageName;
        return deploy(
          { ...rest, ...(isOwnTemplate && { templateId: templateId ?? null }) },
          {
            computeType: 'CPU',
            gpuCount: 0,
            ...ofInstance(instanceId),
          },
        );
      },
      podResume: async ({ input }: Input<WithPod & { gpuCount?: number | null }>) =>
        toView(await pods.start(needed(input).podId, needed(input).gpuCount ?? undefined)),
      podBidResume: async ({ input }: Input<WithPod & { gpuCount: number }>) =>
        toView(await pods.start(needed(input).podId, needed(input).gpuCount)),
      podStop: async ({ input }: Input<WithPod>) => toView(await pods.stop(needed(input).podId)),
      podTerminate: ({ input }: Input<WithPod>) => pods.terminate(needed(input).podId),
      async podEditJob({ input }: Input<PodInput & WithPod>) {
        const { podId, dockerArgs, ...rest } = needed(input);
        return namingFields(namesIn(rest), async () => {
          const change = validate(podUpdateSchema, containerOf(rest), 'input');
          return toView(await pods.update(podId, { ...change, ...omitNull({ dockerArgs }) }));
        });
      },
    },
    user: {
      pods: () => pods.list().map(toView),
      currentSpendPerHr: () => pods.spendPerHour() + workersPerHour(),
      spendDetails: () => ({
        gpuComputePerHour: pods.spendPerHour(),
        // A Pod's own volume is kept while it is stopped; with a network volume it has none.
        localStoragePerHour: prices.perGbHour() * total(pods.list(), ({ volumeInGb }) => volumeInGb),
        networkStoragePerHour: prices.perGbHour() * total(volumes.list(), ({ size }) => size),
      }),
    },
  };
}
