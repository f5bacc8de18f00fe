/** What a Pod is made of: what was asked for, what its template says, and the defaults of the description under both. */
import { podCpuFlavors } from '#contract/core/cloudNames.ts';
import { AppError } from '#contract/core/errors.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { limits } from '#contract/core/limits.ts';
import {
  podCloudFieldNames,
  podCreateSchema,
  podFixedFieldNames,
  type PodCloudFields,
  type PodCreate,
  type PodChangeRequest,
} from '#contract/api/pod.ts';
import { FILE_IMAGE_PREFIX, type Template } from '#contract/api/resources.ts';
import { splitCommandLine } from '../core/shellWords.ts';
import { omitUndefined } from '../core/omitUndefined.ts';
import type { PodRecord } from './podInterfaces.ts';
import { checkImageName } from '../resources/templates.ts';
import { requireReadable } from '../resources/unreadableEnv.ts';

/** The specification of a Pod: its identity and how it runs, without its state. */
export type PodMake = Omit<
  PodRecord,
  'id' | 'desiredStatus' | 'createdAt' | 'lastStartedAt' | 'lastStatusChange' | 'gpuUuids' | 'gpuTypeId' | 'costPerHr'
>;

export interface PodMore {
  dockerArgs?: string;
  stopAfter?: number;
  terminateAfter?: number;
}

/** What there is on this machine to refer to, and how much of it. */
export interface PodSurroundings {
  template(id: string): Template | undefined;
  hasVolume(id: string): boolean;
  hasRegistryAuth(id: string): boolean;
  cores(): number;
  memoryInGb(): number;
}

const VCPUS = 2;
/** Cores of a Pod on the CPU that names none. */
export const usualCores = (cores: number): number => Math.min(VCPUS, cores);
const MOUNTED_AT = '/workspace';
const PORTS = ['8888/http', '22/tcp'];

const refuse = (message: string): never => {
  throw new AppError('BAD_REQUEST', message);
};

/** What holds for a Pod however it came to be what it is. */
export function checkPod(pod: PodMake, { hasVolume, hasRegistryAuth, cores, memoryInGb }: PodSurroundings): void {
  const { imageName, containerRegistryAuthId, networkVolumeId, env, ports } = pod;
  if (imageName.startsWith(FILE_IMAGE_PREFIX)) {
    refuse(
      `imageName ${JSON.stringify(imageName)} is a folder on this machine, which only endpoints run. A Pod is a container: name an image, such as ubuntu:24.04.`,
    );
  }
  checkImageName(imageName);
  if (containerRegistryAuthId !== '' && !hasRegistryAuth(containerRegistryAuthId)) {
    refuse(`containerRegistryAuthId ${JSON.stringify(containerRegistryAuthId)} names no container registry auth.`);
  }
  if (networkVolumeId !== '' && !hasVolume(networkVolumeId)) {
    refuse(`networkVolumeId ${JSON.stringify(networkVolumeId)} names no network volume.`);
  }
  const badName = Object.keys(env).find((name) => name === '' || /[=\0]/.test(name));
  if (badName !== undefined) refuse(`env: ${JSON.stringify(badName)} is no name of a variable.`);
  const badValue = Object.keys(env).find((name) => env[name]!.includes('\0'));
  if (badValue !== undefined) refuse(`env: the value of ${JSON.stringify(badValue)} holds a character of code 0.`);
  const checked = podCreateSchema.shape.ports.safeParse(ports);
  if (!checked.success) {
    const [first] = checked.error.issues;
    const [at] = first?.path ?? [];
    refuse(`ports${typeof at === 'number' ? `: ${JSON.stringify(ports[at])}` : ''} ${first?.message}.`);
  }
  const twice = ports.find((port, place) =>
    ports.some((o, at) => at < place && parseInt(o, 10) === parseInt(port, 10)),
  );
  if (twice !== undefined) refuse(`ports names ${parseInt(twice, 10)} twice; a port is either http or tcp.`);
  if (pod.vcpuCount > cores()) {
    refuse(`vcpuCount is ${pod.vcpuCount}, and this machine has ${cores()} cores. Ask for ${cores()} or fewer.`);
  }
  if (pod.memoryInGb > memoryInGb()) {
    refuse(
      `memoryInGb is ${pod.memoryInGb}, and this machine has ${memoryInGb()} GB. Ask for ${memoryInGb()} or less.`,
    );
  }
  // A line with a quote that is not closed is refused.
  splitCommandLine(pod.dockerArgs);
}

/** The first of them that is not said to be null. */
const first = (...values: (number | null | undefined)[]): number =>
  values.find((value) => value !== null && value !== undefined) ?? 0;

/** Of what was given, what only a cloud heeds. */
function cloudOf(input: PodCloudFields): { cloud?: PodCloudFields } {
  const cloud = Object.fromEntries(
    podCloudFieldNames.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
  );
  return Object.keys(cloud).length > 0 ? { cloud } : {};
}

/** Throws BAD_REQUEST for missing fields and for references to nothing. */
export function makePod(input: PodCreate, more: PodMore, surroundings: PodSurroundings): PodMake {
  const { templateId = '' } = input;
  const template = templateId === '' ? undefined : surroundings.template(templateId);
  if (templateId !== '' && template === undefined) {
    refuse(`templateId ${JSON.stringify(templateId)} names no template.`);
  }
  const imageName = input.imageName ?? template?.imageName;
  if (imageName === undefined) {
    return refuse('imageName or templateId is needed: a Pod is a container of an image, or made from a template.');
  }
  const { gpuCount = limits.endpoint.gpuCount.default, gpuTypeIds = [], networkVolumeId = '' } = input;
  const onCpu = input.computeType === 'CPU' || gpuCount === 0 || gpuTypeIds[0]?.trim().toUpperCase() === CPU_TYPE;
  const memoryWanted = (input.minRAMPerGPU ?? 0) * (onCpu ? 1 : gpuCount);
  if (memoryWanted > surroundings.memoryInGb()) {
    refuse(`minRAMPerGPU: ${memoryWanted} GB are wanted, and this machine has ${surroundings.memoryInGb()} GB.`);
  }
  const coresWanted = (input.minVCPUPerGPU ?? 0) * (onCpu ? 1 : gpuCount);
  if (coresWanted > surroundings.cores()) {
    refuse(`minVCPUPerGPU: ${coresWanted} cores are wanted, and this machine has ${surroundings.cores()}.`);
  }
  if (template) requireReadable(template.env, `The template ${JSON.stringify(template.name)}`);
  // A Pod with a GPU has all cores; on the CPU it has as many as it asked for.
  const vcpuCount = input.vcpuCount ?? (onCpu ? usualCores(surroundings.cores()) : 0);
  const gbOfFlavor = onCpu ? (podCpuFlavors[input.cpuFlavorIds?.[0] ?? ''] ?? 0) : 0;
  const line = more.dockerArgs ?? '';
  const make: PodMake = {
    name: input.name ?? 'my pod',
    templateId,
    imageName,
    env: { ...template?.env, ...input.env },
    ports: [...new Set(input.ports ?? template?.ports ?? PORTS)],
    dockerEntrypoint: input.dockerEntrypoint ?? template?.dockerEntrypoint ?? [],
    dockerStartCmd: input.dockerStartCmd ?? (line === '' ? template?.dockerStartCmd : undefined) ?? [],
    containerDiskInGb: first(input.containerDiskInGb, template?.containerDiskInGb, limits.pod.diskGb.container),
    volumeInGb: networkVolumeId === '' ? first(input.volumeInGb, template?.volumeInGb, limits.pod.diskGb.volume) : 0,
    volumeMountPath: input.volumeMountPath ?? (template?.volumeMountPath || MOUNTED_AT),
    networkVolumeId,
    containerRegistryAuthId: input.containerRegistryAuthId ?? template?.containerRegistryAuthId ?? '',
    computeType: onCpu ? 'CPU' : 'GPU',
    gpuTypeIds,
    gpuCount: onCpu ? 0 : gpuCount,
    vcpuCount,
    memoryInGb: input.memoryInGb ?? vcpuCount * gbOfFlavor,
    ...cloudOf(input),
    interruptible: input.interruptible ?? false,
    locked: input.locked ?? false,
    stopAfter: more.stopAfter ?? null,
    terminateAfter: more.terminateAfter ?? null,
    dockerArgs: line,
  };
  checkPod(make, surroundings);
  return make;
}

/** Changes that leave its container as it is. */
const inPlace = new Set(['name', 'locked', 'cloud']);

/** What a change may name only as it is. */
const isFixed = (field: string): boolean => podFixedFieldNames.has(field);

const instead: Partial<Record<string, string>> = {
  gpuCount: 'Stop it and resume it with another gpuCount (podResume of GraphQL), or make another Pod.',
};

/** The Pod as it is to be, and whether its container has to be made anew for that. */
export function changedPod(
  pod: PodRecord,
  input: PodChangeRequest & { dockerArgs?: string },
  surroundings: PodSurroundings,
): { pod: PodRecord; anew: boolean } {
  // As it is told of, where it has all there is.
  const vcpuCount = pod.vcpuCount || surroundings.cores();
  const memoryInGb = pod.memoryInGb || surroundings.memoryInGb();
  const now: Partial<Record<string, unknown>> = { ...pod.cloud, ...pod, vcpuCount, memoryInGb };
  for (const [field, value] of Object.entries(omitUndefined(input))) {
    if (!isFixed(field)) continue;
    const isSame = JSON.stringify(value ?? '') === JSON.stringify(now[field] ?? '');
    if (!isSame) refuse(`${field} is fixed when a Pod is made. ${instead[field] ?? 'Make another Pod.'}`);
  }
  const { containerDiskInGb, volumeInGb, globalNetworking } = input;
  const changed: PodRecord = {
    ...pod,
    ...(Object.fromEntries(
      Object.entries(omitUndefined(input)).filter(([field]) => field !== 'globalNetworking' && !isFixed(field)),
    ) as Partial<PodRecord>),
    ...(globalNetworking === undefined ? {} : { cloud: { ...pod.cloud, globalNetworking } }),
    containerDiskInGb: first(containerDiskInGb, pod.containerDiskInGb),
    volumeInGb: pod.networkVolumeId === '' ? first(volumeInGb, pod.volumeInGb) : 0,
  };
  if (input.dockerStartCmd !== undefined && input.dockerArgs === undefined) changed.dockerArgs = '';
  if (input.dockerArgs !== undefined && input.dockerStartCmd === undefined) changed.dockerStartCmd = [];
  if (input.ports) changed.ports = [...new Set(input.ports)];
  checkPod(changed, surroundings);
  const before = pod as unknown as Record<string, unknown>;
  const anew = Object.entries(changed).some(
    ([field, value]) => !inPlace.has(field) && JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return { pod: changed, anew };
}
