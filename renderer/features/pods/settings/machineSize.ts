/** The cores and the memory of a machine, and what a new Pod wants of them. */
import type { Machine } from '#contract/local/machine.ts';
import type { Entry } from '../../../ui/form/entry.ts';
import type { Problems } from '../../../ui/form/schemaProblems.ts';
import { formatMemory } from '../../../ui/text/format.ts';
import { counted, t } from '../../../language/text.ts';

export interface MachineSize {
  cores: number;
  /** Whole GB of 1024³ bytes, as its engine counts them: what a Pod may have at most. */
  memoryGb: number;
  /** All of it, as it is written everywhere: "23.5 GB". */
  memory: string;
}

const GIB = 1024 ** 3;

export const sizeOf = ({ cpu, memory }: Pick<Machine, 'cpu' | 'memory'>): MachineSize => ({
  cores: cpu.cores,
  memoryGb: Math.max(1, Math.floor(memory.totalBytes / GIB)),
  memory: formatMemory(memory.totalBytes),
});

/**
 * The problems of the cores and of the memory that a Pod may use, by field of the request: a whole number that its machine has.
 * Empty text is no limit, and `size` null a machine whose size is not known.
 */
export function sizeProblems(
  { vcpuCount, memoryInGb }: { vcpuCount: Entry; memoryInGb: Entry },
  size: MachineSize | null,
): Problems {
  const problems = new Map<string, string>();
  if (size === null) return problems;
  const { cores, memoryGb, memory } = size;
  if (!fits(vcpuCount, cores)) {
    const has = counted(cores, '{0} core', '{0} cores');
    problems.set('vcpuCount', t`Enter a whole number from 1 to ${cores}: the machine has ${has}.`);
  }
  if (!fits(memoryInGb, memoryGb)) {
    problems.set('memoryInGb', t`Enter a whole number from 1 to ${memoryGb}: the machine has ${memory}.`);
  }
  return problems;
}

const fits = (entry: Entry, most: number): boolean =>
  entry === '' || (typeof entry === 'number' && Number.isInteger(entry) && entry >= 1 && entry <= most);
