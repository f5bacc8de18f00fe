/** What a container uses of the processor and the memory, as its engine measures it. */
import type { Container, ContainerStats } from 'dockerode';
import type { WorkerUsage } from '../../domain/ports.ts';

const NS_PER_MS = 1e6;

/** Memory without the pages that only cache files: those go when anybody needs the room. */
function memoryOf({ memory_stats: memory }: ContainerStats): number | null {
  if (typeof memory.usage !== 'number') return null;
  const details = memory.stats as unknown as Record<string, number | undefined> | undefined;
  return memory.usage - (details?.['total_inactive_file'] ?? details?.['inactive_file'] ?? 0);
}

/** Measures since the call before; the first call has nothing to compare with. */
export function createUsage(container: Container): () => Promise<WorkerUsage> {
  let before: { at: number; busyNs: number } | null = null;
  return async () => {
    try {
      const stats = await container.stats({ stream: false, 'one-shot': true });
      const now = { at: Date.parse(stats.read), busyNs: stats.cpu_stats.cpu_usage.total_usage };
      const spanNs = before === null ? 0 : (now.at - before.at) * NS_PER_MS;
      const cpuPercent = before !== null && spanNs > 0 ? ((now.busyNs - before.busyNs) / spanNs) * 100 : null;
      before = now;
      return { cpuPercent, memoryBytes: memoryOf(stats) };
    } catch {
      // It has ended meanwhile, or its engine has.
      return { cpuPercent: null, memoryBytes: null };
    }
  };
}
