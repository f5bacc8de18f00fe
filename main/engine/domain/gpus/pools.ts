/**
 * Pools of GPU types, as clients of the cloud name them for endpoints. `gpuIds` is one line of pools, types and
 * excluded types.
 */
import { AppError } from '#contract/core/errors.ts';

/** Types with similar memory and price, by preference. A worker gets the first free one. */
export const gpuPools: Readonly<Record<string, readonly string[]>> = {
  AMPERE_16: [
    'NVIDIA RTX A4000',
    'NVIDIA RTX A4500',
    'NVIDIA RTX 4000 Ada Generation',
    'NVIDIA RTX 2000 Ada Generation',
  ],
  AMPERE_24: ['NVIDIA RTX A5000', 'NVIDIA L4', 'NVIDIA GeForce RTX 3090'],
  ADA_24: ['NVIDIA GeForce RTX 4090'],
  ADA_32_PRO: ['NVIDIA GeForce RTX 5090'],
  AMPERE_48: ['NVIDIA A40', 'NVIDIA RTX A6000'],
  ADA_48_PRO: ['NVIDIA L40', 'NVIDIA L40S', 'NVIDIA RTX 6000 Ada Generation'],
  AMPERE_80: ['NVIDIA A100 80GB PCIe', 'NVIDIA A100-SXM4-80GB'],
  ADA_80_PRO: ['NVIDIA H100 PCIe', 'NVIDIA H100 80GB HBM3', 'NVIDIA H100 NVL'],
  HOPPER_141: ['NVIDIA H200'],
  BLACKWELL_96: [
    'NVIDIA RTX PRO 6000 Blackwell Server Edition',
    'NVIDIA RTX PRO 6000 Blackwell Workstation Edition',
    'NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition',
  ],
  BLACKWELL_180: ['NVIDIA B200'],
};

/** The format of pool names. It distinguishes an unknown pool from a GPU type. */
const POOL_NAME = /^[A-Z]+_\d+(_PRO)?$/;

function typesOf(name: string, field: string): readonly string[] {
  const types = Object.hasOwn(gpuPools, name) ? gpuPools[name] : undefined;
  if (types) return types;
  if (!POOL_NAME.test(name)) return [name];
  throw new AppError(
    'BAD_REQUEST',
    `${field}: ${JSON.stringify(name)} is no pool of GPUs; there are ${Object.keys(gpuPools).join(', ')}. A GPU type can be named as well.`,
  );
}

/**
 * Parses a line such as `ADA_24,-NVIDIA L4` to GPU types by preference; an empty list means any type. Throws
 * BAD_REQUEST for an unknown pool, and where every type is excluded.
 *
 * @param field The name of the field in the request, for error messages.
 */
export function gpuTypesOf(gpuIds: string, field = 'gpuIds'): string[] {
  const included = new Set<string>();
  const excluded = new Set<string>();
  for (const part of gpuIds.split(',')) {
    const name = part.trim();
    if (name.startsWith('-')) for (const type of typesOf(name.slice(1).trim(), field)) excluded.add(type);
    else if (name !== '') for (const type of typesOf(name, field)) included.add(type);
  }
  const types = [...included].filter((type) => !excluded.has(type));
  if (types.length === 0 && included.size + excluded.size > 0) {
    throw new AppError('BAD_REQUEST', `${field}: ${JSON.stringify(gpuIds)} leaves out every GPU type that it names.`);
  }
  return types;
}

/** The line for these types. It names a pool where all types of the pool follow each other. */
export function gpuIdsOf(gpuTypeIds: readonly string[]): string {
  const names: string[] = [];
  for (let at = 0; at < gpuTypeIds.length;) {
    const pool = Object.entries(gpuPools).find(([, types]) =>
      types.every((type, step) => gpuTypeIds[at + step] === type),
    );
    names.push(...(pool ? [pool[0]] : gpuTypeIds.slice(at, at + 1)));
    at += pool ? pool[1].length : 1;
  }
  return names.join(',');
}

/** The pool that contains a type. A type outside of all pools is its own pool. */
export const poolOf = (typeId: string): string =>
  Object.entries(gpuPools).find(([, types]) => types.includes(typeId))?.[0] ?? typeId;

/**
 * The pools that contain these types, and the other types of those pools. Without types, any type is wanted: returns
 * all pools.
 */
export function poolSelectionOf(gpuTypeIds: readonly string[]): { pools: string[]; excludedTypes: string[] } {
  if (gpuTypeIds.length === 0) return { pools: Object.keys(gpuPools), excludedTypes: [] };
  const pools = [...new Set(gpuTypeIds.map(poolOf))];
  const excludedTypes = pools.flatMap((pool) => (gpuPools[pool] ?? []).filter((type) => !gpuTypeIds.includes(type)));
  return { pools, excludedTypes };
}

/**
 * The types of a selection of pools; empty for any type. Throws BAD_REQUEST, with `field` in the message, for an
 * unknown pool and where every type is excluded.
 */
export function typesOfSelection(pools: readonly string[], excludedTypes: readonly string[], field: string): string[] {
  const isAny = excludedTypes.length === 0 && Object.keys(gpuPools).every((pool) => pools.includes(pool));
  return isAny ? [] : gpuTypesOf([...pools, ...excludedTypes.map((type) => `-${type}`)].join(','), field);
}
