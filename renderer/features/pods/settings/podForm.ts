/** The form of a Pod: its values, their problems, and the requests. */
import { createFormDrafts } from '../../../ui/form/formDrafts.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import {
  autoStopLimits,
  autoStopRulesSchema,
  noAutoStop,
  type AutoStopChange,
  type AutoStopRules,
} from '#contract/api/autoStop.ts';
import { limits } from '#contract/core/limits.ts';
import {
  podCreateSchema,
  type Pod,
  type PodCreate,
  type PodLimits,
  type PodLimitsChange,
  type PodUpdate,
} from '#contract/api/pod.ts';
import type { GpuOffer } from '#contract/bridge/pod.ts';
import { FILE_IMAGE_PREFIX, type Template } from '#contract/api/resources.ts';
import { joinCommand, splitCommand } from '../../../ui/form/commandText.ts';
import { requestNumber, type Entry } from '../../../ui/form/entry.ts';
import { envChange, envOf, envRows, repeatedVariable, type EnvRow } from '../../../ui/form/envRows.ts';
import {
  asCommand,
  asGigabytes,
  asList,
  asText,
  fieldChanges,
  written,
  type FieldChange,
  type FieldWords,
} from '../../../ui/form/fieldChanges.ts';
import { schemaProblems, type Problems } from '../../../ui/form/schemaProblems.ts';
import type { ReviewedSchema } from '../../../ui/form/useSchemaForm.ts';
import { formatMoney } from '../../../ui/text/money.ts';
import { sizeProblems, type MachineSize } from './machineSize.ts';
import { portsProblem } from './ports.ts';
import { t } from '../../../language/text.ts';

export interface PodValues {
  /** Empty: the Pod uses an image without a template. */
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
  /** Empty: a volume of its own. Fixed at creation. */
  networkVolumeId: string;
  /** A GPU type or the CPU. Fixed at creation, as the fields below. */
  gpuTypeId: string;
  /** One of the service's processors; empty: the service chooses. */
  cpuFlavorId: string;
  gpuCount: Entry;
  /** The cores of a Pod on the CPU. */
  vcpuCount: Entry;
  /** The cores that a Pod on GPUs may use; empty: all. Only engines of Hangar limit them, and the memory. */
  coreLimit: Entry;
  /** GB of 1024³ bytes; empty: all of the machine. */
  memoryLimit: Entry;
  locked: boolean;
  /** When it stops by itself; empty: never. */
  idleMinutes: Entry;
  spendUsd: Entry;
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
  coreLimit: '',
  memoryLimit: '',
  idleMinutes: '',
  spendUsd: '',
};

/** `computeLimits`: of the facts of the Pod; without them, it counts as unlimited. */
export const valuesOf = (
  pod: Pod,
  { idleMinutes, spendUsd }: AutoStopRules = noAutoStop,
  computeLimits?: PodLimits,
): PodValues => ({
  templateId: pod.templateId,
  name: pod.name,
  imageName: pod.imageName,
  command: joinCommand(pod.dockerStartCmd),
  entrypoint: joinCommand(pod.dockerEntrypoint),
  env: envRows(pod.env),
  ports: pod.ports,
  containerRegistryAuthId: pod.containerRegistryAuthId,
  containerDiskInGb: pod.containerDiskInGb,
  volumeInGb: pod.volumeInGb,
  volumeMountPath: pod.volumeMountPath,
  networkVolumeId: pod.networkVolumeId ?? '',
  gpuTypeId: pod.gpu?.id ?? CPU_TYPE,
  cpuFlavorId: '',
  gpuCount: pod.gpuCount,
  vcpuCount: computeLimits?.vcpuCount ?? pod.vcpuCount,
  coreLimit: pod.gpu === null ? '' : (computeLimits?.vcpuCount ?? ''),
  memoryLimit: computeLimits?.memoryInGb ?? '',
  locked: pod.locked,
  idleMinutes: idleMinutes ?? '',
  spendUsd: spendUsd ?? '',
});

/** Values from a template. The service adds the template's variables, so that the form does not show them. */
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

/** The fields that can change after the creation of the Pod. */
type ChangeableFields = Pick<
  Pod,
  | 'name'
  | 'locked'
  | 'imageName'
  | 'env'
  | 'ports'
  | 'dockerEntrypoint'
  | 'dockerStartCmd'
  | 'containerDiskInGb'
  | 'volumeInGb'
  | 'volumeMountPath'
  | 'containerRegistryAuthId'
>;

const fieldsOf = (values: PodValues): ChangeableFields => ({
  name: values.name.trim(),
  locked: values.locked,
  imageName: values.imageName.trim(),
  env: envOf(values.env),
  ports: values.ports,
  dockerEntrypoint: splitCommand(values.entrypoint),
  dockerStartCmd: splitCommand(values.command),
  containerDiskInGb: requestNumber(values.containerDiskInGb),
  volumeInGb: requestNumber(values.volumeInGb),
  volumeMountPath: values.volumeMountPath,
  containerRegistryAuthId: values.containerRegistryAuthId,
});

const ruleOf = (entry: Entry): number | null => (entry === '' ? null : Number(entry));

/** When the Pod stops by itself. An entry that is no number stays one, so that the schema reports it. */
export const toAutoStop = ({ idleMinutes, spendUsd }: Pick<PodValues, 'idleMinutes' | 'spendUsd'>): AutoStopRules => ({
  idleMinutes: ruleOf(idleMinutes),
  spendUsd: ruleOf(spendUsd),
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
          vcpuCount: requestNumber(values.vcpuCount),
          ...(values.cpuFlavorId !== '' && { cpuFlavorIds: [values.cpuFlavorId] }),
        }
      : {
          computeType: 'GPU',
          gpuTypeIds: [values.gpuTypeId],
          gpuCount: requestNumber(values.gpuCount),
          ...(values.coreLimit !== '' && { vcpuCount: requestNumber(values.coreLimit) }),
        }),
    ...(values.memoryLimit !== '' && { memoryInGb: requestNumber(values.memoryLimit) }),
  };
}

const known = {
  ...autoStopLimits,
  gpuCount: limits.endpoint.gpuCount,
  containerDiskInGb: limits.pod.diskGb,
  volumeInGb: limits.pod.diskGb,
};

function problemsOf(values: PodValues, size: MachineSize | null = null): Problems {
  const pod = toCreate(values);
  const problems = schemaProblems(podCreateSchema, pod, known);
  for (const [field, problem] of schemaProblems(autoStopRulesSchema, toAutoStop(values), known)) {
    problems.set(field, problem);
  }
  if (pod.name === '') problems.set('name', t`Enter a name.`);
  if (pod.imageName === '') problems.set('imageName', t`Enter an image, such as ubuntu:24.04.`);
  if (pod.imageName?.startsWith(FILE_IMAGE_PREFIX)) {
    problems.set('imageName', t`Only endpoints can run folders. For a Pod, enter an image.`);
  }
  const vcpuCount = values.gpuTypeId === CPU_TYPE ? values.vcpuCount : values.coreLimit;
  for (const [field, problem] of sizeProblems({ vcpuCount, memoryInGb: values.memoryLimit }, size)) {
    problems.set(field, problem);
  }
  const wrongPort = portsProblem(values.ports);
  if (wrongPort !== null) problems.set('ports', wrongPort);
  const repeated = repeatedVariable(values.env);
  if (repeated !== null) problems.set('env', repeated);
  return problems;
}

const neverOr = (text: (value: number) => string) =>
  written((value: number | null) => (value === null ? t`never` : text(value)));

/** The fields that a person can change, and when the Pod stops by itself. */
type PodChange = Partial<ChangeableFields & AutoStopRules & SetLimits>;

type SetLimits = Pick<PodLimits, 'vcpuCount' | 'memoryInGb'>;

/** An entry that is no number stays one, so that its problem is shown. */
const toLimits = (values: PodValues): SetLimits => ({
  vcpuCount: ruleOf(values.gpuTypeId === CPU_TYPE ? values.vcpuCount : values.coreLimit),
  memoryInGb: ruleOf(values.memoryLimit),
});

const allOr = (text: (value: number) => string) =>
  written((value: number | null) => (value === null ? t`all of the machine` : text(value)));

const words: FieldWords<ChangeableFields & AutoStopRules & SetLimits> = {
  name: [t`Name`, asText],
  vcpuCount: [t`Maximum cores`, allOr(String)],
  memoryInGb: [t`Maximum memory`, allOr((gb) => t`${gb} GB`)],
  idleMinutes: [t`Stops when idle`, neverOr((minutes) => t`after ${minutes} minutes`)],
  spendUsd: [t`Stops when it has cost`, neverOr(formatMoney)],
  locked: [t`Locked`, written((locked: boolean) => (locked ? 'yes' : 'no'))],
  imageName: [t`Image`, asText],
  env: [t`Variables`, envChange],
  ports: [t`Ports`, asList],
  dockerEntrypoint: [t`Entrypoint`, asCommand],
  dockerStartCmd: [t`Command`, asCommand],
  containerDiskInGb: [t`Container disk`, asGigabytes],
  volumeInGb: [t`Volume`, asGigabytes],
  volumeMountPath: [t`Volume at`, asText],
  containerRegistryAuthId: [t`Registry credentials`, asText],
};

const allOf = (values: PodValues) => ({ ...fieldsOf(values), ...toAutoStop(values), ...toLimits(values) });

/** The changes of the Pod itself, those of its automatic stop and those of its limits; null without one. */
export function partsOf({ idleMinutes, spendUsd, vcpuCount, memoryInGb, ...pod }: PodChange): {
  pod: PodUpdate | null;
  autoStop: AutoStopChange | null;
  limits: PodLimitsChange | null;
} {
  const orNull = <T extends object>(change: T): T | null => (Object.keys(change).length > 0 ? change : null);
  return {
    pod: orNull(pod),
    autoStop: orNull({
      ...(idleMinutes !== undefined && { idleMinutes }),
      ...(spendUsd !== undefined && { spendUsd }),
    }),
    limits: orNull({ ...(vcpuCount !== undefined && { vcpuCount }), ...(memoryInGb !== undefined && { memoryInGb }) }),
  };
}

/** The form of a new Pod, and of the changes of one. */
export const podForm: ReviewedSchema<PodValues, PodChange> = {
  problemsOf: (values) => problemsOf(values),
  emptyAtFirst: ['name', 'imageName'],
  changesOf: (before, after) => fieldChanges(words, allOf(before), allOf(after)),
};

/** The form of a new Pod on a machine of this size; null if the size is not known. */
export const podFormOn = (size: MachineSize | null): ReviewedSchema<PodValues, PodChange> => ({
  ...podForm,
  problemsOf: (values) => problemsOf(values, size),
});

/** Changes that do not recreate the container. */
const inPlace: ReadonlySet<string> = new Set(['name', 'locked', 'idleMinutes', 'spendUsd', 'vcpuCount', 'memoryInGb']);
export const makesAnew = (list: readonly FieldChange[]): boolean => list.some(({ field }) => !inPlace.has(field));

/** The offer of the chosen hardware. */
export const offerOf = (
  { gpuTypeId, cpuFlavorId }: Pick<PodValues, 'gpuTypeId' | 'cpuFlavorId'>,
  offers: readonly GpuOffer[],
): GpuOffer | undefined => offers.find(({ id }) => id === (cpuFlavorId || gpuTypeId));

/** The values for a GPU type or processor with this `id`; a processor begins with its minimum of cores. */
export function hardwareValues(
  id: string,
  offers: readonly GpuOffer[],
): Pick<PodValues, 'gpuTypeId' | 'cpuFlavorId'> & Partial<PodValues> {
  const vcpu = offers.find((offer) => offer.id === id)?.vcpu;
  return vcpu ? { gpuTypeId: CPU_TYPE, cpuFlavorId: id, vcpuCount: vcpu.min } : { gpuTypeId: id, cpuFlavorId: '' };
}

/** The number of GPUs or cores. */
export const countOf = ({ gpuTypeId, gpuCount, vcpuCount }: PodValues): Entry =>
  gpuTypeId === CPU_TYPE ? vcpuCount : gpuCount;

/** US dollars an hour of the chosen hardware; null if it is not known. */
export function priceOf(values: PodValues, offers: readonly GpuOffer[]): number | null {
  const offer = offerOf(values, offers);
  const count = countOf(values);
  return offer === undefined || typeof count !== 'number' ? null : offer.securePrice * count;
}

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const KEY_VARIABLE = 'HANGAR_API_KEY';

/** The same request as a curl command. It contains the variable of the key, never the key itself. */
export const curlOf = (values: PodValues, base: string): string =>
  [
    `curl -sS ${inShell(`${base}/v1/pods`)}`,
    `-H "Authorization: Bearer $${KEY_VARIABLE}"`,
    `-H 'Content-Type: application/json'`,
    `-d ${inShell(JSON.stringify(toCreate(values)))}`,
  ].join(' \\\n  ');

/** Unsaved changes, by account and Pod. */
export const podDrafts = createFormDrafts<PodValues>();
