/** The settings of an endpoint and its template as a form holds them, what is wrong with them, and what they are sent as. */
import type { EndpointChange, EndpointDetail, NewEndpoint } from '#contract/app/endpointReadModels.ts';
import { explainIssues } from '#contract/core/zodMessages.ts';
import { PYTHON_VARIABLE, type FolderReading } from '#contract/local/folder.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { limits } from '#contract/core/limits.ts';
import {
  endpointCreateSchema,
  FILE_IMAGE_PREFIX,
  templateCreateSchema,
  type Endpoint,
  type Template,
} from '#contract/api/resources.ts';
import { joinCommand, splitCommand } from '../../../ui/form/commandText.ts';

/** Numbers as a field holds them: text while a person types what is none. */
type Entry = number | string;

export interface SettingsValues {
  name: string;
  /** Image, or `file://` address of a folder. */
  imageName: string;
  readme: string;
  command: string;
  entrypoint: string;
  env: { name: string; value: string }[];
  containerRegistryAuthId: string;
  containerDiskInGb: Entry;
  type: Endpoint['type'];
  gpuTypeIds: string[];
  gpuCount: Entry;
  networkVolumeIds: string[];
  workersMin: Entry;
  workersMax: Entry;
  /** Seconds. */
  idleTimeout: Entry;
  scalerType: Endpoint['scalerType'];
  scalerValue: Entry;
  /** Seconds, for a person; sent as milliseconds. */
  executionTimeoutS: Entry;
}

const { endpoint: ranges } = limits;

export const newSettings: SettingsValues = {
  name: '',
  imageName: '',
  readme: '',
  command: '',
  entrypoint: '',
  env: [],
  containerRegistryAuthId: '',
  containerDiskInGb: 50,
  networkVolumeIds: [],
  type: 'QB',
  gpuTypeIds: [],
  gpuCount: ranges.gpuCount.default,
  workersMin: ranges.workersMin.default,
  workersMax: ranges.workersMax.default,
  idleTimeout: ranges.idleTimeoutS.default,
  scalerType: 'QUEUE_DELAY',
  scalerValue: ranges.scalerValue.default,
  executionTimeoutS: limits.executionTimeoutMs.default / 1000,
};

const rowsOf = (env: Readonly<Record<string, string>>): SettingsValues['env'] =>
  Object.entries(env).map(([name, value]) => ({ name, value }));

/** What the folder says of itself takes the place of what nobody has changed yet. */
export function filledBy(values: SettingsValues, { template, endpoint }: Pick<FolderReading, 'template' | 'endpoint'>) {
  const gpuTypeIds = endpoint.computeType === 'CPU' ? [CPU_TYPE] : endpoint.gpuTypeIds;
  const isUntouched = <K extends keyof SettingsValues>(field: K): boolean =>
    JSON.stringify(values[field]) === JSON.stringify(newSettings[field]);
  return {
    ...values,
    ...(template.env && isUntouched('env') && { env: rowsOf(template.env) }),
    ...(template.containerDiskInGb !== undefined &&
      isUntouched('containerDiskInGb') && { containerDiskInGb: template.containerDiskInGb }),
    ...(gpuTypeIds && isUntouched('gpuTypeIds') && { gpuTypeIds }),
    ...(endpoint.gpuCount !== undefined && isUntouched('gpuCount') && { gpuCount: endpoint.gpuCount }),
  };
}

/** The variables of a preset over those that are there. */
export const withPreset = (values: SettingsValues, env: Readonly<Record<string, string>>): SettingsValues => ({
  ...values,
  env: [...values.env.filter(({ name }) => !Object.hasOwn(env, name)), ...rowsOf(env)],
});

/** With the Python that is to run the handler; empty leaves the variables as they are. */
export const withPython = (values: SettingsValues, python: string): SettingsValues =>
  python.trim() === '' ? values : withPreset(values, { [PYTHON_VARIABLE]: python.trim() });

export function valuesOf({ endpoint, template }: Pick<EndpointDetail, 'endpoint' | 'template'>): SettingsValues {
  const { name, type, gpuTypeIds, gpuCount, networkVolumeIds, workersMin, workersMax } = endpoint;
  const { idleTimeout, scalerType, scalerValue, executionTimeoutMs } = endpoint;
  return {
    name,
    type,
    gpuTypeIds,
    gpuCount,
    networkVolumeIds,
    workersMin,
    workersMax,
    idleTimeout,
    scalerType,
    scalerValue,
    executionTimeoutS: executionTimeoutMs / 1000,
    imageName: template?.imageName ?? '',
    readme: template?.readme ?? '',
    command: joinCommand(template?.dockerStartCmd ?? []),
    entrypoint: joinCommand(template?.dockerEntrypoint ?? []),
    env: rowsOf(template?.env ?? {}),
    containerRegistryAuthId: template?.containerRegistryAuthId ?? '',
    containerDiskInGb: template?.containerDiskInGb ?? newSettings.containerDiskInGb,
  };
}

export const isFolder = (values: SettingsValues): boolean => values.imageName.startsWith(FILE_IMAGE_PREFIX);

type TemplateFields = Pick<
  Template,
  | 'imageName'
  | 'readme'
  | 'dockerStartCmd'
  | 'dockerEntrypoint'
  | 'env'
  | 'containerRegistryAuthId'
  | 'containerDiskInGb'
>;
type EndpointFields = Omit<Endpoint, 'id' | 'templateId' | 'createdAt' | 'version' | 'computeType'>;

/** A half-typed number stays text, so that the check names it. */
const times = (value: Entry, factor: number): number =>
  typeof value === 'number' ? Math.round(value * factor) : (value as unknown as number);
const asNumber = (value: Entry): number => times(value, 1);

function templateFields(values: SettingsValues): TemplateFields {
  return {
    imageName: values.imageName.trim(),
    readme: values.readme,
    dockerStartCmd: splitCommand(values.command),
    dockerEntrypoint: splitCommand(values.entrypoint),
    env: Object.fromEntries(values.env.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
    containerRegistryAuthId: values.containerRegistryAuthId,
    containerDiskInGb: asNumber(values.containerDiskInGb),
  };
}

function endpointFields(values: SettingsValues): EndpointFields {
  return {
    name: values.name.trim(),
    type: values.type,
    gpuTypeIds: values.gpuTypeIds,
    gpuCount: asNumber(values.gpuCount),
    networkVolumeIds: values.networkVolumeIds,
    workersMin: asNumber(values.workersMin),
    workersMax: asNumber(values.workersMax),
    idleTimeout: asNumber(values.idleTimeout),
    scalerType: values.scalerType,
    scalerValue: asNumber(values.scalerValue),
    executionTimeoutMs: times(values.executionTimeoutS, 1000),
  };
}

export const toNewEndpoint = (values: SettingsValues): NewEndpoint => ({
  template: { ...templateFields(values), name: values.name.trim(), isServerless: true },
  endpoint: endpointFields(values),
});

const known = {
  gpuCount: ranges.gpuCount,
  workersMin: ranges.workersMin,
  workersMax: ranges.workersMax,
  idleTimeout: ranges.idleTimeoutS,
  scalerValue: ranges.scalerValue,
  executionTimeoutMs: limits.executionTimeoutMs,
};

/** What is wrong, by field of the request, in the words in which the service would refuse it. */
export function problemsOf(values: SettingsValues): Map<string, string> {
  const { template, endpoint } = toNewEndpoint(values);
  const problems = new Map<string, string>();
  const options = { reportInput: true };
  const answers = [
    templateCreateSchema.safeParse(template, options),
    endpointCreateSchema.omit({ templateId: true }).safeParse(endpoint, options),
  ];
  for (const { error } of answers) {
    for (const issue of error?.issues ?? []) {
      const field = String(issue.path[0] ?? '');
      if (!problems.has(field)) {
        problems.set(field, explainIssues({ issues: [issue] } as unknown as typeof error & object, field, known));
      }
    }
  }
  if (template.name === '') problems.set('name', 'Give it a name.');
  if (template.imageName === '') problems.set('imageName', 'Say what it is made of: a folder or an image.');
  const names = values.env.map(({ name }) => name).filter((name) => name !== '');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.set('env', `env has ${twice} twice; each variable has one value.`);
  return problems;
}

export interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

function changed<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const fields = Object.keys(after) as (keyof Fields)[];
  return Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, after[field]]),
  ) as Partial<Fields>;
}

/** What saving would change: as it is sent, and field by field with what was before. */
export function changesOf(
  before: SettingsValues,
  after: SettingsValues,
): { change: EndpointChange; list: Difference[] } {
  const [oldTemplate, oldEndpoint] = [templateFields(before), endpointFields(before)];
  const template = changed(oldTemplate, templateFields(after));
  // The type of an endpoint is fixed.
  const { type: _, ...endpoint } = changed(oldEndpoint, endpointFields(after));
  const old: Record<string, unknown> = { ...oldTemplate, ...oldEndpoint };
  const list = Object.entries({ ...endpoint, ...template }).map(([field, value]) => ({
    field,
    before: old[field],
    after: value,
  }));
  return { change: { template, endpoint }, list };
}
