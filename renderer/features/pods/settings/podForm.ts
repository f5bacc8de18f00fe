/** A Pod as a form holds it, what is wrong with it, and what it is sent as. */
import { explainIssues } from '#contract/core/zodMessages.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { limits } from '#contract/core/limits.ts';
import { podCreateSchema, type Pod, type PodCreate, type PodUpdate } from '#contract/api/pod.ts';
import type { GpuOffer } from '#contract/bridge/pod.ts';
import { FILE_IMAGE_PREFIX, type Template } from '#contract/api/resources.ts';
import { joinCommand, splitCommand } from '../../../ui/form/commandText.ts';
import type { EnvRow } from '../../../ui/form/EnvFields.tsx';

/** Numbers as a field holds them: text while a person types what is none. */
type Entry = number | string;

export interface PodValues {
  /** Empty: made of an image alone. */
  templateId: string;
  name: string;
  imageName: string;
  command: string;
  entrypoint: string;
  env: EnvRow[];
  /** As in "8888/http". */
  ports: string[];
  containerRegistryAuthId: string;
  containerDiskInGb: Entry;
  volumeInGb: Entry;
  volumeMountPath: string;
  /** Empty: a volume of its own. Fixed when it is made. */
  networkVolumeId: string;
  /** The CPU among them; fixed when it is made, as what follows. */
  gpuTypeId: string;
  /** Which processor of those that the service names; empty: the one it takes. */
  cpuFlavorId: string;
  gpuCount: Entry;
  vcpuCount: Entry;
  locked: boolean;
}

export const newPodValues: PodValues = {
  templateId: '',
  name: '',
  imageName: '',
  command: '',
  entrypoint: '',
  env: [],
  ports: ['8888/http'],
  containerRegistryAuthId: '',
  networkVolumeId: '',
  volumeMountPath: '/workspace',
  locked: false,
  containerDiskInGb: limits.pod.diskGb.container,
  volumeInGb: limits.pod.diskGb.volume,
  gpuTypeId: CPU_TYPE,
  cpuFlavorId: '',
  gpuCount: limits.endpoint.gpuCount.default,
  vcpuCount: 2,
};

const rowsOf = (env: Record<string, string>): EnvRow[] => Object.entries(env).map(([name, value]) => ({ name, value }));

export const valuesOf = (pod: Pod): PodValues => ({
  templateId: pod.templateId,
  name: pod.name,
  imageName: pod.imageName,
  command: joinCommand(pod.dockerStartCmd),
  entrypoint: joinCommand(pod.dockerEntrypoint),
  env: rowsOf(pod.env),
  ports: pod.ports,
  containerRegistryAuthId: pod.containerRegistryAuthId,
  containerDiskInGb: pod.containerDiskInGb,
  volumeInGb: pod.volumeInGb,
  volumeMountPath: pod.volumeMountPath,
  networkVolumeId: pod.networkVolumeId ?? '',
  gpuTypeId: pod.gpu?.id ?? CPU_TYPE,
  cpuFlavorId: '',
  gpuCount: pod.gpuCount,
  vcpuCount: pod.vcpuCount,
  locked: pod.locked,
});

/** What a template says; its variables are added by the service, so that what they hold is not shown. */
export const fromTemplate = (template: Template): Partial<PodValues> => ({
  templateId: template.id,
  imageName: template.imageName,
  command: joinCommand(template.dockerStartCmd),
  entrypoint: joinCommand(template.dockerEntrypoint),
  ports: template.ports,
  containerRegistryAuthId: template.containerRegistryAuthId,
  containerDiskInGb: template.containerDiskInGb,
  volumeInGb: template.volumeInGb,
  volumeMountPath: template.volumeMountPath || newPodValues.volumeMountPath,
});

/** A half-typed number stays text, so that the check names it. */
const asNumber = (value: Entry): number => value as number;

type ChangeableFields = Required<Omit<PodUpdate, 'globalNetworking'>>;

const fieldsOf = (values: PodValues): ChangeableFields => ({
  name: values.name.trim(),
  locked: values.locked,
  imageName: values.imageName.trim(),
  env: Object.fromEntries(values.env.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
  ports: values.ports,
  dockerEntrypoint: splitCommand(values.entrypoint),
  dockerStartCmd: splitCommand(values.command),
  containerDiskInGb: asNumber(values.containerDiskInGb),
  volumeInGb: asNumber(values.volumeInGb),
  volumeMountPath: values.volumeMountPath,
  containerRegistryAuthId: values.containerRegistryAuthId,
});

export function toCreate(values: PodValues): PodCreate {
  const { locked: _, volumeInGb, ...fields } = fieldsOf(values);
  const onCpu = values.gpuTypeId === CPU_TYPE;
  return {
    ...fields,
    ...(values.networkVolumeId === '' ? { volumeInGb } : { networkVolumeId: values.networkVolumeId }),
    ...(values.templateId !== '' && { templateId: values.templateId }),
    ...(onCpu
      ? {
          computeType: 'CPU',
          vcpuCount: asNumber(values.vcpuCount),
          ...(values.cpuFlavorId !== '' && { cpuFlavorIds: [values.cpuFlavorId] }),
        }
      : { computeType: 'GPU', gpuTypeIds: [values.gpuTypeId], gpuCount: asNumber(values.gpuCount) }),
  };
}

/** What is wrong, by field of the request, in the words in which the service would refuse it. */
export function problemsOf(values: PodValues): Map<string, string> {
  const problems = new Map<string, string>();
  const pod = toCreate(values);
  const { error } = podCreateSchema.safeParse(pod, { reportInput: true });
  for (const issue of error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    if (!problems.has(field)) {
      problems.set(field, explainIssues({ issues: [issue] } as unknown as NonNullable<typeof error>, field, known));
    }
  }
  if (pod.name === '') problems.set('name', 'Give it a name.');
  if (pod.imageName === '') problems.set('imageName', 'Say which image it is made of, such as ubuntu:24.04.');
  if (pod.imageName?.startsWith(FILE_IMAGE_PREFIX)) {
    problems.set('imageName', 'A folder is run by endpoints only. A Pod is a container: name an image.');
  }
  const names = values.env.map(({ name }) => name).filter((name) => name !== '');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.set('env', `env has ${twice} twice; each variable has one value.`);
  return problems;
}

const known = {
  gpuCount: limits.endpoint.gpuCount,
  containerDiskInGb: limits.pod.diskGb,
  volumeInGb: limits.pod.diskGb,
};

export interface Difference {
  field: keyof ChangeableFields;
  before: unknown;
  after: unknown;
}

/** What saving would change: as it is sent, and field by field with what was before. */
export function changesOf(before: PodValues, after: PodValues): { change: PodUpdate; list: Difference[] } {
  const [old, given] = [fieldsOf(before), fieldsOf(after)];
  const fields = (Object.keys(given) as (keyof ChangeableFields)[]).filter(
    (field) => JSON.stringify(old[field]) !== JSON.stringify(given[field]),
  );
  return {
    change: Object.fromEntries(fields.map((field) => [field, given[field]])),
    list: fields.map((field) => ({ field, before: old[field], after: given[field] })),
  };
}

/** Changes that leave the container as it is. */
const inPlace: ReadonlySet<string> = new Set(['name', 'locked']);
export const makesAnew = (list: readonly Difference[]): boolean => list.some(({ field }) => !inPlace.has(field));

/** What is chosen, as it is offered. */
export const offerOf = (
  { gpuTypeId, cpuFlavorId }: Pick<PodValues, 'gpuTypeId' | 'cpuFlavorId'>,
  offers: readonly GpuOffer[],
): GpuOffer | undefined => offers.find(({ id }) => id === (cpuFlavorId || gpuTypeId));

/** Of a processor as many cores as it has at least; `id`: of a GPU type, or a processor. */
export function hardwareValues(
  id: string,
  offers: readonly GpuOffer[],
): Pick<PodValues, 'gpuTypeId' | 'cpuFlavorId'> & Partial<PodValues> {
  const vcpu = offers.find((offer) => offer.id === id)?.vcpu;
  return vcpu ? { gpuTypeId: CPU_TYPE, cpuFlavorId: id, vcpuCount: vcpu.min } : { gpuTypeId: id, cpuFlavorId: '' };
}

/** GPUs, or cores. */
export const countOf = ({ gpuTypeId, gpuCount, vcpuCount }: PodValues): Entry =>
  gpuTypeId === CPU_TYPE ? vcpuCount : gpuCount;

/** US dollars an hour of what is chosen; null where it is not known. */
export function priceOf(values: PodValues, offers: readonly GpuOffer[]): number | null {
  const offer = offerOf(values, offers);
  const count = countOf(values);
  return offer === undefined || typeof count !== 'number' ? null : offer.securePrice * count;
}

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const KEY_VARIABLE = 'HANGAR_API_KEY';

/** The same as a program asks for it. The key is always the variable, never the key itself. */
export const curlOf = (values: PodValues, base: string): string =>
  [
    `curl -sS ${inShell(`${base}/v1/pods`)}`,
    `-H "Authorization: Bearer $${KEY_VARIABLE}"`,
    `-H 'Content-Type: application/json'`,
    `-d ${inShell(JSON.stringify(toCreate(values)))}`,
  ].join(' \\\n  ');
