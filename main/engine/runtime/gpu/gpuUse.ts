/** Tells the workers and Pods of this engine apart from the other programs on a GPU. */
import { readFileSync } from 'node:fs';
import type { GpuUser } from '#contract/local/gpuHistory.ts';
import { isNotRunning, isUsedByOthers, type GpuLoad, type MachineGpu } from '#contract/local/machine.ts';
import type { FindUse, GpuUse } from '../../domain/gpus/history/ports.ts';
import { bounds } from '../../domain/gpus/history/steps.ts';
import { inOrder } from '../../domain/gpus/history/sums.ts';

type Holder = MachineGpu['heldBy'][number];
type GpuProcess = GpuLoad['processes'][number];

/** What the system tells of a process. */
export interface ProcessFacts {
  /** Null if the process is gone, or if the system does not tell. */
  parentOf(pid: number): number | null;
  /** Whether it runs in a container; null if that is not known. */
  isInContainer(pid: number): boolean | null;
}

export interface HolderOptions {
  /** The workers with their process ids; null where the id is unknown, as in some containers. */
  workers(): readonly { readonly id: string; readonly pid: number | null }[];
  processes?: ProcessFacts;
}

export interface GpuUseOptions extends HolderOptions {
  /** Null for an endpoint that is deleted. */
  endpointName(id: string): string | null;
}

/** Stands for the programs of a loaded GPU whose driver names none, such as those of another system. */
const UNNAMED: GpuUser = { kind: 'program', id: '', name: 'not named by the driver', memoryBytes: null };

/** Longest line of parents that is followed. A pid that was used again could make a circle. */
const MOST_PARENTS = 64;
/** Container engines put the id of a container into the name of its control group. */
const CONTAINER_ID = /[0-9a-f]{64}/;

function readProc(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // The process has ended, or this is not Linux.
    return null;
  }
}

/** Reads /proc, which only Linux has. Elsewhere nothing is known, and a worker is found by its own process alone. */
const procFacts: ProcessFacts = {
  parentOf(pid) {
    // The name of the program stands in parentheses and may contain any character.
    const fields = readProc(pid, 'stat')?.split(')').at(-1)?.trim().split(' ');
    const parent = Number(fields?.[1]);
    return Number.isInteger(parent) && parent > 0 ? parent : null;
  },
  isInContainer(pid) {
    const groups = readProc(pid, 'cgroup');
    return groups === null ? null : CONTAINER_ID.test(groups);
  },
};

const short = (name: string): string => name.slice(0, bounds.nameLength);
const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/**
 * Tells of a process on a GPU to which of its holders it belongs: `program` if to none, `unknown` if the system does
 * not tell.
 */
type FindHolder = (pid: number) => Holder | 'program' | 'unknown';

function createHolderFinder({ workers, processes = procFacts }: HolderOptions) {
  /** The worker that started a process, itself or by others. */
  function workerOf(pid: number, workerIds: ReadonlyMap<number, string>): string | null {
    let current: number | null = pid;
    for (let count = 0; current !== null && count < MOST_PARENTS; count++) {
      const workerId = workerIds.get(current);
      if (workerId !== undefined) return workerId;
      current = processes.parentOf(current);
    }
    return null;
  }

  return (heldBy: readonly Holder[]): FindHolder => {
    const workerIds = new Map(workers().flatMap(({ id, pid }) => (pid === null ? [] : [[pid, id] as const])));
    const placed = new Set(workerIds.values());
    /** Those whose processes are not known: the only one of them has what runs in a container. */
    const unplaced = heldBy.filter((holder) =>
      'podId' in holder ? !isNotRunning(holder) : !placed.has(holder.workerId),
    );
    const [onlyUnplaced] = unplaced.length === 1 ? unplaced : [];

    return (pid) => {
      const workerId = workerOf(pid, workerIds);
      const holder = heldBy.find((one) => 'workerId' in one && one.workerId === workerId);
      if (holder) return holder;
      if (unplaced.length === 0) return 'program';
      const inContainer = processes.isInContainer(pid);
      if (inContainer === false) return 'program';
      return inContainer && onlyUnplaced ? onlyUnplaced : 'unknown';
    };
  };
}

/** Adds to each process on a GPU the worker or Pod that it belongs to, where that is known. */
export function createProcessHolders(options: HolderOptions): (gpu: MachineGpu) => MachineGpu {
  const findHolders = createHolderFinder(options);
  return (gpu) => {
    if (gpu.load === null) return gpu;
    const holderOf = findHolders(gpu.heldBy);
    const processes = gpu.load.processes.map((process) => {
      const holder = holderOf(process.pid);
      return holder === 'unknown' ? process : { ...process, heldBy: holder === 'program' ? null : holder };
    });
    return { ...gpu, load: { ...gpu.load, processes } };
  };
}

export function createGpuUse({ endpointName, ...options }: GpuUseOptions): FindUse {
  const findHolders = createHolderFinder(options);
  const userOf = (holder: Holder): GpuUser =>
    'podId' in holder
      ? {
          kind: 'pod',
          id: holder.podId,
          name: short(holder.podName ?? holder.podId),
          memoryBytes: null,
          ...(isNotRunning(holder) && { isKept: true }),
        }
      : {
          kind: 'endpoint',
          id: holder.endpointId,
          name: short(endpointName(holder.endpointId) ?? holder.endpointId),
          memoryBytes: null,
        };

  return (gpu): GpuUse => {
    const { heldBy, load } = gpu;
    const reported: readonly GpuProcess[] = load?.processes ?? [];
    const holderOf = findHolders(heldBy);
    const users = new Map<string, GpuUser>();
    const seen = new Set<string>();
    const note = (user: GpuUser, bytes: number | null): void => {
      const key = `${user.kind} ${user.id}`;
      const before = seen.has(key) ? users.get(key) : undefined;
      seen.add(key);
      users.set(key, { ...user, memoryBytes: before ? sum(before.memoryBytes, bytes) : bytes });
    };
    for (const holder of heldBy) {
      const user = userOf(holder);
      users.set(`${user.kind} ${user.id}`, user);
    }
    let isUnknown = reported.length === 0 && !heldBy.every(isNotRunning);
    for (const { pid, name, memoryBytes } of reported) {
      const holder = holderOf(pid);
      if (holder === 'unknown') isUnknown = true;
      else if (holder === 'program')
        note({ kind: 'program', id: short(name), name: short(name), memoryBytes }, memoryBytes);
      else note(userOf(holder), memoryBytes);
    }
    if (users.size === 0 && isUsedByOthers(gpu)) note(UNNAMED, load?.memoryUsedBytes ?? null);
    const ofOurs = [...users.entries()].filter(([key, { kind }]) => kind !== 'program' && seen.has(key));
    return {
      users: inOrder(users.values()).slice(0, bounds.users),
      ownMemoryBytes: isUnknown
        ? null
        : ofOurs.reduce<number | null>((total, [, { memoryBytes }]) => sum(total, memoryBytes), 0),
    };
  };
}
