/** The form of an endpoint and its template: its values, their problems, and the requests. */
import { createFormDrafts } from '../../../ui/form/formDrafts.ts';
import type { EndpointChange, EndpointDetail, FolderCheck, NewEndpoint } from '#contract/app/endpointReadModels.ts';
import { PYTHON_VARIABLE } from '#contract/local/folder.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import { limits } from '#contract/core/limits.ts';
import {
  endpointCreateSchema,
  FILE_IMAGE_PREFIX,
  templateCreateSchema,
  type Endpoint,
} from '#contract/api/resources.ts';
import type * as z from 'zod';
import { freeName } from '../../../ui/names/freeName.ts';
import { joinCommand, splitCommand } from '../../../ui/form/commandText.ts';
import { requestNumber, type Entry } from '../../../ui/form/entry.ts';
import { envOf, envRows, repeatedVariable, type EnvRow } from '../../../ui/form/envRows.ts';
import { fieldChanges } from '../../../ui/form/fieldChanges.ts';
import { schemaProblems } from '../../../ui/form/schemaProblems.ts';
import type { FormSchema, ReviewedSchema } from '../../../ui/form/useSchemaForm.ts';
import { endpointWords, templateWords, type EndpointFields, type TemplateFields } from './settingsWords.ts';
import { t } from '../../../language/text.ts';

export interface SettingsValues {
  name: string;
  /** Image, or `file://` address of a folder. */
  imageName: string;
  readme: string;
  command: string;
  entrypoint: string;
  env: EnvRow[];
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

/**
 * The settings that a folder of this name suggests for a new endpoint: its name and what its hub file says. `check` is
 * null where the path leads to no folder.
 */
export function suggestedBy(name: string, check: FolderCheck | null): SettingsValues {
  if (check === null || check.imageName === null) return newSettings;
  const { template, endpoint } = check.reading ?? { template: {}, endpoint: {} };
  const gpuTypeIds = endpoint.computeType === 'CPU' ? [CPU_TYPE] : endpoint.gpuTypeIds;
  return {
    ...newSettings,
    name,
    imageName: check.imageName,
    readme: check.readme ?? '',
    ...(template.env && { env: envRows(template.env) }),
    ...(template.containerDiskInGb !== undefined && { containerDiskInGb: template.containerDiskInGb }),
    ...(gpuTypeIds && { gpuTypeIds }),
    ...(endpoint.gpuCount !== undefined && { gpuCount: endpoint.gpuCount }),
  };
}

/** Replaces the suggestions of the folder before by those of the next one. What a person has entered stays. */
export function withSuggestions(values: SettingsValues, before: SettingsValues, next: SettingsValues): SettingsValues {
  const isEntered = (field: keyof SettingsValues): boolean =>
    values[field] !== '' && JSON.stringify(values[field]) !== JSON.stringify(before[field]);
  const entered = keysOf(values).filter(isEntered);
  return { ...next, ...Object.fromEntries(entered.map((field) => [field, values[field]])) };
}

/** The variables of a preset over those that are there. */
export const withPreset = (values: SettingsValues, env: Readonly<Record<string, string>>): SettingsValues => ({
  ...values,
  env: [...values.env.filter(({ name }) => !Object.hasOwn(env, name)), ...envRows(env)],
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
    env: envRows(template?.env ?? {}),
    containerRegistryAuthId: template?.containerRegistryAuthId ?? '',
    containerDiskInGb: template?.containerDiskInGb ?? newSettings.containerDiskInGb,
  };
}

export const isFolder = (values: SettingsValues): boolean => values.imageName.startsWith(FILE_IMAGE_PREFIX);

function templateFields(values: SettingsValues): TemplateFields {
  return {
    imageName: values.imageName.trim(),
    readme: values.readme,
    dockerStartCmd: splitCommand(values.command),
    dockerEntrypoint: splitCommand(values.entrypoint),
    env: envOf(values.env),
    containerRegistryAuthId: values.containerRegistryAuthId,
    containerDiskInGb: requestNumber(values.containerDiskInGb),
  };
}

function endpointFields(values: SettingsValues): EndpointFields {
  return {
    name: values.name.trim(),
    type: values.type,
    gpuTypeIds: values.gpuTypeIds,
    gpuCount: requestNumber(values.gpuCount),
    networkVolumeIds: values.networkVolumeIds,
    workersMin: requestNumber(values.workersMin),
    workersMax: requestNumber(values.workersMax),
    idleTimeout: requestNumber(values.idleTimeout),
    scalerType: values.scalerType,
    scalerValue: requestNumber(values.scalerValue),
    executionTimeoutMs: requestNumber(values.executionTimeoutS, 1000),
  };
}

export const toNewEndpoint = (values: SettingsValues): NewEndpoint => ({
  template: { ...templateFields(values), name: values.name.trim(), isServerless: true },
  endpoint: endpointFields(values),
});

/** The fields of a new endpoint, and of its template, that no field of the form shows. */
const unshown = {
  endpoint: endpointCreateSchema.pick({
    computeType: true,
    cpuFlavorIds: true,
    vcpuCount: true,
    memoryInGb: true,
    allowedCudaVersions: true,
    minCudaVersion: true,
    dataCenterIds: true,
    flashboot: true,
  }).shape,
  template: templateCreateSchema.pick({ category: true, ports: true, volumeInGb: true, volumeMountPath: true }).shape,
};

/** The values that a request can have: other services have other fields and values. */
const valid = (shape: Readonly<Record<string, z.ZodType>>, record: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([field, schema]) => {
      const value = record[field];
      return value !== undefined && value !== null && schema.safeParse(value).success ? [[field, value]] : [];
    }),
  );

/**
 * The values of the form for a copy of an endpoint. `taken`: names that the copy cannot have. The copy of a paused
 * endpoint is not paused.
 */
export function copyOf(like: EndpointDetail, taken: readonly string[]): SettingsValues {
  const values = valuesOf(like);
  return {
    ...values,
    name: freeName(values.name, taken),
    ...(values.workersMax === 0 && { workersMin: newSettings.workersMin, workersMax: newSettings.workersMax }),
  };
}

/** The request for a copy, with what the form does not show. */
export function toCopy({ endpoint, template }: EndpointDetail, values: SettingsValues): NewEndpoint {
  const made = toNewEndpoint(values);
  return {
    template: { ...valid(unshown.template, template ?? {}), ...made.template },
    endpoint: { ...valid(unshown.endpoint, endpoint), ...made.endpoint },
  };
}

const known = {
  gpuCount: ranges.gpuCount,
  workersMin: ranges.workersMin,
  workersMax: ranges.workersMax,
  idleTimeout: ranges.idleTimeoutS,
  scalerValue: ranges.scalerValue,
  executionTimeoutMs: limits.executionTimeoutMs,
};
const endpointSchema = endpointCreateSchema.omit({ templateId: true });

/** What is wrong, by field of the two requests. */
export function problemsOf(values: SettingsValues): Map<string, string> {
  const { template, endpoint } = toNewEndpoint(values);
  const problems = new Map([
    ...schemaProblems(endpointSchema, endpoint, known),
    ...schemaProblems(templateCreateSchema, template, known),
  ]);
  if (template.name === '') problems.set('name', t`Enter a name.`);
  if (template.imageName === '') problems.set('imageName', t`Enter a folder or an image.`);
  const repeated = repeatedVariable(values.env);
  if (repeated !== null) problems.set('env', repeated);
  return problems;
}

/** The form of a new endpoint. `needsCommand`: it is of a folder without a handler file. */
export const newEndpointForm = (source: 'folder' | 'image', needsCommand: boolean): FormSchema<SettingsValues> => ({
  emptyAtFirst: ['name', 'imageName', 'dockerStartCmd'],
  problemsOf(values) {
    const problems = problemsOf(values);
    if (values.imageName.trim() === '') {
      problems.set('imageName', source === 'folder' ? t`Enter a folder.` : t`Enter an image.`);
    }
    if (needsCommand && values.command.trim() === '') {
      problems.set('dockerStartCmd', t`This folder has no handler file. Enter the command that starts its worker.`);
    }
    return problems;
  },
});

/** The form of the changes of an endpoint, and of its template. The type of an endpoint is fixed. */
export const settingsForm: ReviewedSchema<SettingsValues, EndpointChange> = {
  problemsOf,
  changesOf(before, after) {
    const endpoint = fieldChanges(endpointWords, endpointFields(before), endpointFields(after));
    const template = fieldChanges(templateWords, templateFields(before), templateFields(after));
    return {
      change: { template: template.change, endpoint: endpoint.change },
      list: [...endpoint.list, ...template.list],
    };
  },
};

/** Unsaved changes, by account and endpoint. */
export const settingsDrafts = createFormDrafts<SettingsValues>();
