/** The CPU and memory usage of a container, as its engine measures it. */
import type { Container } from 'dockerode';
import * as z from 'zod';
import type { WorkerUsage } from '../../../domain/autoscaling/ports.ts';
import type { Logger } from '../../../domain/core/ports.ts';
import { isConnectionLost, isStatus } from './errorMessages.ts';

const NS_PER_MS = 1e6;

/** The used fields of a measurement. For a container that has ended, they are missing. */
export const statsSchema = z.object({
  read: z.string(),
  cpu_stats: z.object({
    cpu_usage: z.object({ total_usage: z.number() }),
    online_cpus: z.number().optional(),
  }),
  memory_stats: z.object({
    usage: z.number().optional(),
    limit: z.number().optional(),
    stats: z.object({ total_inactive_file: z.number().optional(), inactive_file: z.number().optional() }).nullish(),
  }),
  /** By interface. Missing in the network of the machine, and without a network. */
  networks: z
    .record(z.string(), z.object({ rx_bytes: z.number(), tx_bytes: z.number() }))
    .nullish()
    .catch(null),
});
type Stats = z.infer<typeof statsSchema>;

/** The memory without cached files, which the kernel frees on demand. Bytes; null where unknown. */
function memoryOf({ memory_stats: { usage, stats } }: Stats): number | null {
  return usage === undefined ? null : usage - (stats?.total_inactive_file ?? stats?.inactive_file ?? 0);
}

/** One measurement of a running container. */
export interface Sample {
  at: number;
  /** The CPU time of all cores, nanoseconds. */
  busyNs: number;
  memoryBytes: number | null;
  /** The memory limit, bytes; null without one. */
  limitBytes: number | null;
  cores: number;
  /** Received and sent since its start, bytes; null if that is not measured. */
  networkBytes: number | null;
}

export function sampleOf(stats: Stats): Sample {
  const { cpu_stats: cpu, memory_stats: memory, networks } = stats;
  const interfaces = Object.values(networks ?? {});
  return {
    at: Date.parse(stats.read),
    busyNs: cpu.cpu_usage.total_usage,
    memoryBytes: memoryOf(stats),
    limitBytes: memory.limit || null,
    cores: cpu.online_cpus || 1,
    networkBytes:
      interfaces.length === 0 ? null : interfaces.reduce((sum, { rx_bytes, tx_bytes }) => sum + rx_bytes + tx_bytes, 0),
  };
}

/** The CPU usage between two measurements, 100 for one core; null where no time has passed. */
export function cpuBetween(before: Sample, now: Sample): number | null {
  const spanNs = (now.at - before.at) * NS_PER_MS;
  return spanNs > 0 ? ((now.busyNs - before.busyNs) / spanNs) * 100 : null;
}

/**
 * Measures the usage since the previous call. The first call returns no CPU usage. An unknown failure is logged once.
 */
export function createUsage(container: Pick<Container, 'id' | 'stats'>, logger: Logger): () => Promise<WorkerUsage> {
  let isLogged = false;
  let before: Sample | null = null;
  return async () => {
    try {
      const now = sampleOf(statsSchema.parse(await container.stats({ stream: false, 'one-shot': true })));
      const cpuPercent = before === null ? null : cpuBetween(before, now);
      before = now;
      return { cpuPercent, memoryBytes: now.memoryBytes };
    } catch (error) {
      const hasEnded = isStatus(error, 404, 409) || isConnectionLost(error);
      if (!hasEnded && !isLogged) {
        isLogged = true;
        logger.warn({ err: error, container: container.id }, 'the usage of a container could not be read');
      }
      return { cpuPercent: null, memoryBytes: null };
    }
  };
}
