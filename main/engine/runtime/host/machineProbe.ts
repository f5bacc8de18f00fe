/** Looks at this machine for the rules of pausing: its battery, the programs that run, and what others use of its GPUs. */
import { processes } from 'systeminformation';
import type { MachineGpu } from '#contract/local/machine.ts';
import type { OthersUse } from '../../domain/pausing/rules.ts';
import type { InspectMachine } from '../../domain/pausing/pausing.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { onBattery } from './battery.ts';

/** A program that runs, as far as it is of interest here. */
export interface Running {
  readonly pid: number;
  readonly parentPid: number;
  readonly name: string;
  /** The program's file, as it was started. */
  readonly command: string;
}

export interface MachineProbeOptions {
  logger: Logger;
  /** The GPUs as they were last measured. */
  gpus(): readonly MachineGpu[];
  /** Process ids of our workers, those in containers too where they are known; null of one whose id is not. */
  workers(): readonly { readonly id: string; readonly pid: number | null }[];
}

/** The processes that `roots` have started, and they themselves. */
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

/** A program goes by its name and by that of its file: a Windows program on Linux has only the latter. */
export function programNames(all: readonly Running[], ours: ReadonlySet<number>): string[] {
  const names = new Set<string>();
  for (const { pid, name, command } of all) {
    if (ours.has(pid)) continue;
    for (const one of [name, command.split(/[\\/]/).at(-1) ?? '']) if (one !== '') names.add(one);
  }
  return [...names];
}

/**
 * What of a GPU is used by others. Drivers tell the load of a GPU as a whole: while a worker of ours is at it as well, nobody can
 * say whose it is. `unplaced`: workers of which it is not known which processes they are.
 */
export function othersUse(gpu: MachineGpu, ours: ReadonlySet<number>, unplaced: ReadonlySet<string>): OthersUse {
  const { index, load } = gpu;
  const unknown: OthersUse = { index, utilPercent: null, memoryBytes: null, names: [] };
  if (!load) return unknown;
  const { processes: using, utilPercent, memoryUsedBytes } = load;
  // The processes of a Pod are those of its container: which they are is not known.
  if (gpu.heldBy.some((holder) => 'podId' in holder || unplaced.has(holder.workerId))) return unknown;
  // Some drivers do not list who uses a GPU, or not all of them.
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

export function createMachineInspector({ logger, gpus, workers }: MachineProbeOptions): InspectMachine {
  async function running(): Promise<Running[] | null> {
    try {
      return (await processes()).list;
    } catch (error) {
      logger.warn({ err: error }, 'the programs that run cannot be listed');
      return null;
    }
  }

  return async (query) => {
    // GPUs that the person keeps for themselves are theirs to use.
    const lent = query.gpus ? gpus().filter(({ enabled }) => enabled) : [];
    const needsFamilies = lent.some(({ heldBy }) => heldBy.length > 0);
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
      gpus: query.gpus ? lent.map((gpu) => othersUse(gpu, ours, unplaced)) : null,
    };
  };
}
