/** Builds the specification of a Pod from the request, its template and the defaults of the API. */
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
import { FILE_IMAGE_PREFIX, type EngineTemplate } from '#contract/api/resources.ts';
import { splitCommandLine } from '../core/shellWords.ts';
import { omitUndefined } from '../core/omitUndefined.ts';
import type { PodMore, PodRecord } from './podInterfaces.ts';
import { checkImageName } from '../resources/templates.ts';
import { requireReadable } from '../resources/unreadableEnv.ts';

/** The specification of a Pod: its identity and how it runs, without its state. */
export type PodMake = Omit<
  PodRecord,
  'id' | 'desiredStatus' | 'createdAt' | 'lastStartedAt' | 'lastStatusChange' | 'gpuUuids' | 'gpuTypeId' | 'costPerHr'
>;

/** The resources of this machine that a Pod refers to, and their amounts. */
export interface PodSurroundings {
  template(id: string): EngineTemplate | undefined;
  hasVolume(id: string): boolean;
  hasRegistryAuth(id: string): boolean;
  /** A new random password. */
  password(): string;
  cores(): number;
  memoryInGb(): number;
}

const VCPUS = 2;
/** The CPU cores of a Pod on the CPU whose request sets none. */
export const usualCores = (cores: number): number => Math.min(VCPUS, cores);
const MOUNTED_AT = '/workspace';
/** The variable that images with JupyterLab read. */
const JUPYTER_PASSWORD = 'JUPYTER_PASSWORD';
const PORTS = ['8888/http', '22/tcp'];

const refuse = (message: string): never => {
  throw new AppError('BAD_REQUEST', message);
};

/** Checks the rules that hold for every new and changed Pod. Throws BAD_REQUEST. */
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
  const [badValue] = Object.entries(env).find(([, value]) => value.includes('\0')) ?? [];
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
  // Refuses a line with an unclosed quote.
  splitCommandLine(pod.dockerArgs);
}

/** The first number that is neither null nor undefined; 0 without one. */
const first = (...values: (number | null | undefined)[]): number =>
  values.find((value) => value !== null && value !== undefined) ?? 0;

/** The fields of the request that only a cloud uses. */
function cloudOf(input: PodCloudFields): { cloud?: PodCloudFields } {
  const cloud = Object.fromEntries(
    podCloudFieldNames.flatMap((field) => (input[field] === undefined ? [] : [[field, input[field]]])),
  );
  return Object.keys(cloud).length > 0 ? { cloud } : {};
}

/** The fields of the request that have no effect beside its other fields, by their names in /v1. */
function overruledFields(input: PodCreate, onCpu: boolean): string[] {
  const { gpuTypeIds: [firstType = CPU_TYPE] = [] } = input;
  const overruled = {
    // A network volume replaces the own volume of a Pod.
    volumeInGb: input.networkVolumeId && input.volumeInGb,
    gpuTypeIds: onCpu && firstType.trim().toUpperCase() !== CPU_TYPE,
    gpuCount: onCpu && input.gpuCount,
    cpuFlavorIds: !onCpu && input.cpuFlavorIds?.length,
  };
  return Object.entries(overruled).flatMap(([field, isOverruled]) => (isOverruled ? [field] : []));
}

/** Builds a Pod. Throws BAD_REQUEST for missing fields and for unknown references. */
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
  // A Pod with a GPU has all cores. A Pod on the CPU has the cores of its request.
  const vcpuCount = input.vcpuCount ?? (onCpu ? usualCores(surroundings.cores()) : 0);
  const gbOfFlavor = onCpu ? (podCpuFlavors[input.cpuFlavorIds?.[0] ?? ''] ?? 0) : 0;
  const line = more.dockerArgs ?? '';
  const env = { ...template?.env, ...input.env };
  if (more.startJupyter ?? template?.startJupyter) env[JUPYTER_PASSWORD] ??= surroundings.password();
  const make: PodMake = {
    name: input.name ?? 'my pod',
    templateId,
    imageName,
    env,
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
    ineffectiveFields: [...(more.ineffectiveFields ?? []), ...overruledFields(input, onCpu)],
  };
  checkPod(make, surroundings);
  return make;
}

/** Fields whose change keeps the container. */
const inPlace = new Set(['name', 'locked', 'cloud']);

/** Whether a change must keep this field. */
const isFixed = (field: string): boolean => podFixedFieldNames.has(field);

const CHANGED_LOCALLY = 'Change it with PATCH /local/v1/pods/{podId}/limits, or make another Pod.';
const instead: Partial<Record<string, string>> = {
  vcpuCount: CHANGED_LOCALLY,
  memoryInGb: CHANGED_LOCALLY,
  gpuCount: 'Stop it and resume it with another gpuCount (podResume of GraphQL), or make another Pod.',
};

/** Applies a change. `anew`: the container must be recreated. Throws BAD_REQUEST for a fixed field and for an invalid Pod. */
export function changedPod(
  pod: PodRecord,
  input: PodChangeRequest & { dockerArgs?: string },
  surroundings: PodSurroundings,
): { pod: PodRecord; anew: boolean } {
  // Without a limit, the API reports all resources of the machine. The request may repeat these values.
  const vcpuCount = pod.vcpuCount || surroundings.cores();
  const memoryInGb = pod.memoryInGb || surroundings.memoryInGb();
  const now: Partial<Record<string, unknown>> = { ...pod.cloud, ...pod, vcpuCount, memoryInGb };
  for (const [field, value] of Object.entries(omitUndefined(input))) {
    if (!isFixed(field)) continue;
    const isSame = JSON.stringify(value ?? '') === JSON.stringify(now[field] ?? '');
    if (!isSame) refuse(`${field} is fixed when a Pod is made. ${instead[field] ?? 'Make another Pod.'}`);
  }
  const { containerDiskInGb, volumeInGb, globalNetworking } = input;
  if (pod.networkVolumeId !== '' && volumeInGb) {
    refuse(
      `volumeInGb is ${volumeInGb}, and the network volume ${pod.networkVolumeId} replaces the own volume of this Pod. Grow the network volume.`,
    );
  }
  const changed: PodRecord = {
    ...pod,
    // oxlint-disable-next-line typescript/consistent-type-assertions -- a field of a change that is not fixed is one of a Pod
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
  const before: Partial<Record<string, unknown>> = { ...pod };
  const anew = Object.entries(changed).some(
    ([field, value]) => !inPlace.has(field) && JSON.stringify(value) !== JSON.stringify(before[field]),
  );
  return { pod: changed, anew };
}
