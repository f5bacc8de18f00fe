/** The users of a GPU: Pods and endpoints with workers on it, then other programs. */
import type { WorkerRecord } from '#contract/local/engine.ts';
import { isNotRunning, isUsedByOthers, type MachineGpu } from '#contract/local/machine.ts';
import type { Route } from '../../../state/routePath.ts';
import { formatMemory } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

const NAMED_PROGRAMS = 3;

export interface GpuUser {
  name: string;
  /** Its memory of the GPU as text; null if that is not known. */
  memory: string | null;
  /** Whether it only keeps the GPU: a Pod whose container does not run. */
  isNotRunning: boolean;
  /** Its page; null for other programs, and for an endpoint that is not listed. */
  to: Route | null;
}

const userOf = (name: string, bytes: number | null, to: Route | null = null): GpuUser => ({
  name,
  memory: bytes === null || bytes === 0 ? null : formatMemory(bytes),
  isNotRunning: false,
  to,
});

type GpuProcess = NonNullable<MachineGpu['load']>['processes'][number];
type Holder = MachineGpu['heldBy'][number];

const idOf = (holder: Holder): string => ('podId' in holder ? `pod:${holder.podId}` : `worker:${holder.workerId}`);

/**
 * Whose the processes are: by the ids of `idOf`, or null for other programs. An engine that is older than this page
 * does not tell it: then a worker has the process that the engine started for it.
 */
function holderFinder(heldBy: readonly Holder[], workers: readonly WorkerRecord[]) {
  const byPid = new Map(workers.flatMap(({ id, pid }) => (pid === null ? [] : [[pid, `worker:${id}`] as const])));
  const holders = new Set(heldBy.map(idOf));
  return (process: GpuProcess): string | null => {
    const id = process.heldBy ? idOf(process.heldBy) : byPid.get(process.pid);
    return id !== undefined && holders.has(id) ? id : null;
  };
}

export function gpuUsers(
  gpu: MachineGpu,
  workers: readonly WorkerRecord[],
  endpointNames: ReadonlyMap<string, string>,
): GpuUser[] {
  const { heldBy, load } = gpu;
  const processes = load?.processes ?? [];
  const holderOf = holderFinder(heldBy, workers);
  const bytesOf = (holder: Holder): number =>
    processes.reduce((sum, process) => sum + (holderOf(process) === idOf(holder) ? (process.memoryBytes ?? 0) : 0), 0);
  const endpoints = new Map<string, { workers: number; bytes: number }>();
  const pods: GpuUser[] = [];
  for (const holder of heldBy) {
    if ('podId' in holder) {
      const { podId, podName = podId } = holder;
      const user = userOf(t`Pod ${podName}`, bytesOf(holder), { page: 'pods', podId, tab: 'overview' });
      pods.push({ ...user, isNotRunning: isNotRunning(holder) });
      continue;
    }
    const { endpointId } = holder;
    const known = endpoints.get(endpointId) ?? { workers: 0, bytes: 0 };
    endpoints.set(endpointId, { workers: known.workers + 1, bytes: known.bytes + bytesOf(holder) });
  }
  const ofWorkers = [...endpoints].map(([endpointId, { workers: count, bytes }]) => {
    const known = endpointNames.get(endpointId);
    const name = known ?? endpointId;
    const to: Route | null = known === undefined ? null : { page: 'endpoints', endpointId, tab: 'overview' };
    return userOf(count === 1 ? name : t`${name} (${count} workers)`, bytes, to);
  });
  const programs = processes.filter((process) => holderOf(process) === null);
  const named = programs.slice(0, NAMED_PROGRAMS).map(({ name, memoryBytes }) => userOf(name, memoryBytes));
  const more = programs.length - named.length;
  const users = [...pods, ...ofWorkers, ...named, ...(more > 0 ? [userOf(t`${more} more`, null)] : [])];
  // Drivers name no program of another system, such as one in a virtual machine, and some name none at all.
  return users.length === 0 && isUsedByOthers(gpu) ? [userOf(t`other programs`, null)] : users;
}
