/**
 * Reads the files of a repository of the hub: `.runpod/hub.json` for a template and an endpoint, `.runpod/tests.json`
 * for a check.
 */
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { cudaVersions, endpointCpuFlavors } from '#contract/core/cloudNames.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import type { FolderReading } from '#contract/local/folder.ts';
import { limits } from '#contract/core/limits.ts';
import * as z from 'zod';
import { gpuTypesOf } from '../../domain/gpus/pools.ts';
import { isFile } from './handlerFile.ts';
import { parseLenientJson } from './lenientJson.ts';

type Filled = Pick<FolderReading, 'template' | 'endpoint' | 'presets' | 'notices'>;

/** Values of variables may be numbers and booleans. */
const value = z.union([z.string(), z.number(), z.boolean()]);
const staticVariable = z.looseObject({ key: z.string().min(1), value: value.optional() });
const variableSchema = staticVariable.extend({
  input: z
    .looseObject({ default: value.nullish(), trueValue: z.string().optional(), falseValue: z.string().optional() })
    .optional(),
});
const hubSchema = z.looseObject({
  title: z.string().optional(),
  config: z
    .looseObject({
      runsOn: z.string().optional(),
      containerDiskInGb: z.number().optional(),
      gpuCount: z.number().optional(),
      gpuIds: z.string().optional(),
      cpuFlavor: z.string().optional(),
      allowedCudaVersions: z.array(z.string()).optional(),
      env: z.array(variableSchema).optional(),
      presets: z.array(z.looseObject({ name: z.string(), defaults: z.record(z.string(), value) })).optional(),
    })
    .default({}),
});
const testsSchema = z.looseObject({
  tests: z.array(
    z.looseObject({ name: z.string(), input: z.looseObject({}), timeout: z.number().positive().optional() }),
  ),
  config: z.looseObject({ env: z.array(staticVariable).optional() }).optional(),
});
export type HubTests = z.infer<typeof testsSchema>;
type Variable = z.infer<typeof variableSchema>;

/** Null without such a file; a sentence where the file is invalid. */
function read<T>(folder: string, name: string, schema: z.ZodType<T>): T | string | null {
  const file = path.join(folder, '.runpod', name);
  if (!isFile(file)) return null;
  try {
    return schema.parse(parseLenientJson(readFileSync(file, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    return `.runpod/${name} cannot be read: ${reason}`;
  }
}

function textOf(variableValue: z.infer<typeof value>, input: Variable['input']): string {
  if (variableValue === true) return input?.trueValue ?? 'true';
  if (variableValue === false) return input?.falseValue ?? 'false';
  return String(variableValue);
}

/** Skips variables without a value: the person sets them. */
function variables(listed: readonly Variable[]): Record<string, string> {
  return Object.fromEntries(
    listed.flatMap(({ key, value: fixed, input }) => {
      const variableValue = fixed ?? input?.default;
      return variableValue == null ? [] : [[key, textOf(variableValue, input)]];
    }),
  );
}

/** The GPU types of the known pools. Unknown pools of the cloud do not make a folder invalid. */
function typesOf(gpuIds: string): { types: string[]; unknown: string[] } {
  const unknown: string[] = [];
  const names = gpuIds.split(',').filter((name) => {
    const bare = name.trim().replace(/^-/, '');
    try {
      gpuTypesOf(bare);
      return bare !== '';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      unknown.push(bare);
      return false;
    }
  });
  try {
    return { types: gpuTypesOf(names.join(',')), unknown };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The line excludes all types that it names.
    return { types: [], unknown };
  }
}

const within = (number: number, { min, max }: { min: number; max: number }): number =>
  Math.min(max, Math.max(min, Math.round(number)));

export function readHub(folder: string): Filled {
  const hub = read(folder, 'hub.json', hubSchema);
  if (hub === null || typeof hub === 'string') {
    return { template: {}, endpoint: {}, presets: [], notices: hub === null ? [] : [hub] };
  }
  const { runsOn, containerDiskInGb, gpuCount, gpuIds, cpuFlavor, allowedCudaVersions, env, presets } = hub.config;
  const onCpu = runsOn?.toUpperCase() === 'CPU';
  const gpus = onCpu || gpuIds === undefined ? { types: [], unknown: [] } : typesOf(gpuIds);
  const flavor = keysOf(endpointCpuFlavors).find((name) => cpuFlavor?.startsWith(name) === true);
  const cuda = cudaVersions.filter((version) => allowedCudaVersions?.includes(version));
  const byKey = new Map((env ?? []).map((variable) => [variable.key, variable.input]));
  return {
    template: {
      ...(hub.title?.trim() && { name: hub.title.trim().slice(0, limits.endpoint.nameLength) }),
      ...(containerDiskInGb !== undefined && { containerDiskInGb: within(containerDiskInGb, limits.pod.diskGb) }),
      env: variables(env ?? []),
    },
    endpoint: {
      computeType: onCpu ? 'CPU' : 'GPU',
      ...(!onCpu && { gpuTypeIds: gpus.types }),
      ...(!onCpu && gpuCount !== undefined && { gpuCount: within(gpuCount, limits.endpoint.gpuCount) }),
      ...(onCpu && flavor && { cpuFlavorIds: [flavor] }),
      ...(cuda.length > 0 && { allowedCudaVersions: cuda }),
    },
    presets: (presets ?? []).map(({ name, defaults }) => ({
      name,
      env: Object.fromEntries(
        Object.entries(defaults).map(([key, variableValue]) => [key, textOf(variableValue, byKey.get(key))]),
      ),
    })),
    notices: gpus.unknown.map((name) => `.runpod/hub.json names ${name}, which is no pool of GPU types here.`),
  };
}

/** Null without tests; a sentence where the file is invalid. */
export const readTests = (folder: string): HubTests | string | null => read(folder, 'tests.json', testsSchema);

/** The version of a folder without tests. */
export const NO_TESTS = 'none';

/** Differs once the file of the tests is made, written or removed. Never rejects. */
export const testsVersion = (folder: string): Promise<string> =>
  stat(path.join(folder, '.runpod', 'tests.json')).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => NO_TESTS,
  );
