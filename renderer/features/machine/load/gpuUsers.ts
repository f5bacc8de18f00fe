/** The users of a GPU: Pods and endpoints with workers on it, then other programs. */
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import type { Route } from '../../../state/routePath.ts';
import { formatMemory } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

const NAMED_PROGRAMS = 3;

export interface GpuUser {
  name: string;
  /** Its memory of the GPU as text; null if that is not known. */
  memory: string | null;
  /** Its page; null for other programs, and for an endpoint that is not listed. */
  to: Route | null;
}

const userOf = (name: string, bytes: number | null, to: Route | null = null): GpuUser => ({
  name,
  memory: bytes === null || bytes === 0 ? null : formatMemory(bytes),
  to,
});

export function gpuUsers(
  { heldBy, load }: MachineGpu,
  workers: readonly WorkerRecord[],
  endpointNames: ReadonlyMap<string, string>,
): GpuUser[] {
  const processes = load?.processes ?? [];
  const pids = new Map(workers.flatMap(({ id, pid }) => (pid === null ? [] : [[id, pid] as const])));
  const ours = new Set<number>();
  const endpoints = new Map<string, { workers: number; bytes: number }>();
  const pods: GpuUser[] = [];
  for (const holder of heldBy) {
    if ('podId' in holder) {
      const { podId, podName = podId } = holder;
      pods.push(userOf(t`Pod ${podName}`, null, { page: 'pods', podId, tab: 'overview' }));
      continue;
    }
    const { workerId, endpointId } = holder;
    const known = endpoints.get(endpointId) ?? { workers: 0, bytes: 0 };
    const process = processes.find(({ pid }) => pid === pids.get(workerId));
    if (process) ours.add(process.pid);
    endpoints.set(endpointId, { workers: known.workers + 1, bytes: known.bytes + (process?.memoryBytes ?? 0) });
  }
  const ofWorkers = [...endpoints].map(([endpointId, { workers: count, bytes }]) => {
    const known = endpointNames.get(endpointId);
    const name = known ?? endpointId;
    const to: Route | null = known === undefined ? null : { page: 'endpoints', endpointId, tab: 'overview' };
    return userOf(count === 1 ? name : t`${name} (${count} workers)`, bytes, to);
  });
  const programs = processes.filter(({ pid }) => !ours.has(pid));
  const named = programs.slice(0, NAMED_PROGRAMS).map(({ name, memoryBytes }) => userOf(name, memoryBytes));
  const more = programs.length - named.length;
  return [...pods, ...ofWorkers, ...named, ...(more > 0 ? [userOf(t`${more} more`, null)] : [])];
}
