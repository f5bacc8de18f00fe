/** What a container uses of the processor and the memory, as its engine measures it. */
import type { Container, ContainerStats } from 'dockerode';
import type { WorkerUsage } from '../../../domain/autoscaling/ports.ts';

const NS_PER_MS = 1e6;

/** Memory without the pages that only cache files: those go when anybody needs the room. */
function memoryOf({ memory_stats: memory }: ContainerStats): number | null {
  if (typeof memory.usage !== 'number') return null;
  const details = memory.stats as unknown as Record<string, number | undefined> | undefined;
  return memory.usage - (details?.['total_inactive_file'] ?? details?.['inactive_file'] ?? 0);
}

/** One look at a container that runs. */
export interface Sample {
  at: number;
  /** Time that all cores together have spent on it. */
  busyNs: number;
  memoryBytes: number | null;
  /** Of the memory, how much it may use. */
  limitBytes: number | null;
  cores: number;
}

export function sampleOf(stats: ContainerStats): Sample {
  const { cpu_stats: cpu, memory_stats: memory } = stats;
  return {
    at: Date.parse(stats.read),
    busyNs: cpu.cpu_usage.total_usage,
    memoryBytes: memoryOf(stats),
    limitBytes: typeof memory.limit === 'number' && memory.limit > 0 ? memory.limit : null,
    cores: cpu.online_cpus > 0 ? cpu.online_cpus : 1,
  };
}

/** Of one core, between two looks; null where no time has passed between them. */
export function cpuBetween(before: Sample, now: Sample): number | null {
  const spanNs = (now.at - before.at) * NS_PER_MS;
  return spanNs > 0 ? ((now.busyNs - before.busyNs) / spanNs) * 100 : null;
}

/** Measures since the call before; the first call has nothing to compare with. */
export function createUsage(container: Container): () => Promise<WorkerUsage> {
  let before: Sample | null = null;
  return async () => {
    try {
      const now = sampleOf(await container.stats({ stream: false, 'one-shot': true }));
      const cpuPercent = before === null ? null : cpuBetween(before, now);
      before = now;
      return { cpuPercent, memoryBytes: now.memoryBytes };
    } catch {
      // It has ended meanwhile, or its engine has.
      return { cpuPercent: null, memoryBytes: null };
    }
  };
}
