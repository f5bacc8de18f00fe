/** Finds the published numbers of a GPU type by its id or by its name. */
import { GPU_SPECS, type GpuSpec } from './specTable.ts';

/** What all names of a vendor share, or what only some lists write. */
const DROPPED = /nvidia|geforce|tesla|amd|instinct|generation|tensor core gpu|[^a-z0-9]/g;
const simplified = (name: string): string => name.toLowerCase().replaceAll(DROPPED, '');

/** Drivers reserve some of the memory: an L4 of 24 GB reports 22.5 GB. */
const LEAST_SHARE = 0.9;

const byName = new Map(GPU_SPECS.flatMap((spec) => spec.names.map((name) => [simplified(name), spec] as const)));

interface NamedGpu {
  id: string;
  name: string;
  /** 0 if it is not known. */
  memoryInGb: number;
}

/** The data of a GPU; null if the table does not have it, or has it with another size of memory. */
export function findSpec({ id, name, memoryInGb }: NamedGpu): GpuSpec | null {
  const spec = byName.get(simplified(id)) ?? byName.get(simplified(name));
  if (spec === undefined) return null;
  const share = Math.min(memoryInGb, spec.memoryGb) / Math.max(memoryInGb, spec.memoryGb);
  return memoryInGb === 0 || share >= LEAST_SHARE ? spec : null;
}
