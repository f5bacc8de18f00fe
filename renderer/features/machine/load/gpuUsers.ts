/** The users of a GPU in words: Pods and endpoints with workers on it, then other programs. */
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { formatMemory } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

const NAMED_PROGRAMS = 3;

const withMemory = (name: string, bytes: number | null): string =>
  bytes === null || bytes === 0 ? name : `${name} ${formatMemory(bytes)}`;

export function gpuUsers(
  { heldBy, load }: MachineGpu,
  workers: readonly WorkerRecord[],
  endpointNames: ReadonlyMap<string, string>,
): string[] {
  const processes = load?.processes ?? [];
  const pids = new Map(workers.flatMap(({ id, pid }) => (pid === null ? [] : [[id, pid] as const])));
  const ours = new Set<number>();
  const endpoints = new Map<string, { workers: number; bytes: number }>();
  const pods: string[] = [];
  for (const holder of heldBy) {
    if ('podId' in holder) {
      pods.push(t`Pod ${holder.podName ?? holder.podId}`);
      continue;
    }
    const { workerId, endpointId } = holder;
    const name = endpointNames.get(endpointId) ?? endpointId;
    const known = endpoints.get(name) ?? { workers: 0, bytes: 0 };
    const process = processes.find(({ pid }) => pid === pids.get(workerId));
    if (process) ours.add(process.pid);
    endpoints.set(name, { workers: known.workers + 1, bytes: known.bytes + (process?.memoryBytes ?? 0) });
  }
  const workerLabels = [...endpoints].map(([name, { workers: count, bytes }]) =>
    withMemory(count === 1 ? name : t`${name} (${count} workers)`, bytes),
  );
  const programs = processes.filter(({ pid }) => !ours.has(pid));
  const named = programs.slice(0, NAMED_PROGRAMS).map(({ name, memoryBytes }) => withMemory(name, memoryBytes));
  const more = programs.length - named.length;
  return [...pods, ...workerLabels, ...named, ...(more > 0 ? [t`${more} more`] : [])];
}
