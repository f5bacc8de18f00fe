/** Inspects this machine for the rules of pausing: battery, running programs, and the use of its GPUs by others. */
import type { MachineGpu } from '#contract/local/machine.ts';
import type { OthersUse } from '../../domain/pausing/rules.ts';
import type { InspectMachine } from '../../domain/pausing/factsPolling.ts';
import type { Logger } from '../../domain/core/ports.ts';

/** The used facts about a running program. */
export interface Running {
  readonly pid: number;
  readonly parentPid: number;
  readonly name: string;
  /** The path of the program, as it was started. */
  readonly command: string;
}

export interface MachineProbeOptions {
  logger: Logger;
  /** The GPUs with their last measurement. */
  gpus(): readonly MachineGpu[];
  /** Null where it is unknown. */
  onBattery(): Promise<boolean | null>;
  /** Our workers with their process ids; null where the id is unknown, as in some containers. */
  workers(): readonly { readonly id: string; readonly pid: number | null }[];
}

/** The process ids of `roots` and of all their descendants. */
export function familyOf(roots: Iterable<number>, all: readonly Pick<Running, 'pid' | 'parentPid'>[]): Set<number> {
  const children = new Map<number, number[]>();
  for (const { pid, parentPid } of all) {
    const siblings = children.get(parentPid);
    if (siblings) siblings.push(pid);
    else children.set(parentPid, [pid]);
  }
  const family = new Set<number>(roots);
  for (const pid of family) for (const child of children.get(pid) ?? []) family.add(child);
  return family;
}

/** The names of programs and of their files. A Windows program on Linux is only known by its file. */
export function programNames(all: readonly Running[], ours: ReadonlySet<number>): string[] {
  const names = new Set<string>();
  for (const { pid, name, command } of all) {
    if (ours.has(pid)) continue;
    for (const one of [name, command.split(/[\\/]/).at(-1) ?? '']) if (one !== '') names.add(one);
  }
  return [...names];
}

/**
 * The use of a GPU by programs other than our workers. Drivers report only the load of the whole GPU. It is unknown
 * whose load it is while one of our workers uses the GPU. `unplaced`: workers with unknown process ids.
 */
export function othersUse(gpu: MachineGpu, ours: ReadonlySet<number>, unplaced: ReadonlySet<string>): OthersUse {
  const { index, load } = gpu;
  const unknown: OthersUse = { index, utilPercent: null, memoryBytes: null, names: [] };
  if (!load) return unknown;
  const { processes: using, utilPercent, memoryUsedBytes } = load;
  // The processes in the container of a Pod are unknown.
  if (gpu.heldBy.some((holder) => 'podId' in holder || unplaced.has(holder.workerId))) return unknown;
  // Some drivers list no programs, or not all of them.
  if (gpu.heldBy.length > 0 && using.length === 0) return unknown;
  const others = using.filter(({ pid }) => !ours.has(pid));
  const oursToo = others.length < using.length;
  const sum = others.reduce<number | null>(
    (total, { memoryBytes }) => (total === null || memoryBytes === null ? null : total + memoryBytes),
    0,
  );
  return {
    index,
    utilPercent: !oursToo ? utilPercent : others.length === 0 ? 0 : null,
    memoryBytes: oursToo ? sum : (memoryUsedBytes ?? sum),
    names: others.map(({ name }) => name),
  };
}

export function createMachineInspector({ logger, gpus, onBattery, workers }: MachineProbeOptions): InspectMachine {
  async function running(): Promise<Running[] | null> {
    try {
      // Loaded when it is needed: it is large, and few rules ask for programs.
      const { processes } = await import('systeminformation');
      return (await processes()).list;
    } catch (error) {
      logger.warn({ err: error }, 'the programs that run cannot be listed');
      return null;
    }
  }

  return async (query) => {
    // Disabled GPUs are for the person alone, so their use does not matter.
    const enabledGpus = query.gpus ? gpus().filter(({ enabled }) => enabled) : [];
    const needsFamilies = enabledGpus.some(({ heldBy }) => heldBy.length > 0);
    const [battery, all] = await Promise.all([
      query.onBattery ? onBattery() : null,
      query.programs || needsFamilies ? running() : null,
    ]);
    const own = workers();
    const roots = own.flatMap(({ pid }) => pid ?? []);
    const ours = familyOf([process.pid, ...roots], all ?? []);
    const unplaced = new Set(own.filter(({ pid }) => pid === null || all === null).map(({ id }) => id));
    return {
      onBattery: battery,
      programs: query.programs && all ? programNames(all, ours) : null,
      gpus: query.gpus ? enabledGpus.map((gpu) => othersUse(gpu, ours, unplaced)) : null,
    };
  };
}
