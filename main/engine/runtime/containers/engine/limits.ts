/** The limits of a container for CPU and memory. */
import type { ComputeLimits } from '../../../domain/resources/ports.ts';
import type { ContainerEngine } from './discovery.ts';

const GIB = 1024 ** 3;
const NS_PER_S = 1e9;

/** The options of a container. No option for a limit above the resources of the machine, because the engine would refuse it. */
export function computeLimits(
  { vcpuCount, memoryInGb }: ComputeLimits,
  { cores, memoryBytes }: Pick<ContainerEngine, 'cores' | 'memoryBytes'>,
) {
  const limitBytes = memoryInGb * GIB;
  const isLimited = limitBytes > 0 && (memoryBytes === 0 || limitBytes < memoryBytes);
  const usableBytes = isLimited ? limitBytes : memoryBytes;
  return {
    ...(vcpuCount > 0 && vcpuCount < cores ? { NanoCpus: vcpuCount * NS_PER_S } : {}),
    // No additional swap.
    ...(isLimited ? { Memory: limitBytes, MemorySwap: limitBytes } : {}),
    // Processes that load data share their tensors there, and the usual 64 MB end in a bus error. Shared memory is allocated only
    // when it is filled, and counts as memory of the container. The limit is half of the memory, as on Linux itself.
    ...(usableBytes > 0 ? { ShmSize: Math.floor(usableBytes / 2) } : {}),
  };
}

/** The limits of a container as its engine tells them: 0 or absent for none. */
export interface ContainerLimits {
  NanoCpus?: number | undefined;
  Memory?: number | undefined;
}

/** More memory than any machine has, as a limit that limits nothing. */
const ENDLESS_BYTES = 1024 * 1024 * GIB;

/**
 * The change that gives an existing container these limits; null if it has them. A container engine does not remove a limit from
 * a container: the limit becomes all that the machine has.
 */
export function limitsChange(
  wanted: ComputeLimits,
  { cores, memoryBytes }: Pick<ContainerEngine, 'cores' | 'memoryBytes'>,
  has: ContainerLimits,
): { NanoCpus?: number; Memory?: number; MemorySwap?: number } | null {
  const { NanoCpus, Memory } = computeLimits(wanted, { cores, memoryBytes });
  const allCpus = cores * NS_PER_S;
  const allBytes = memoryBytes > 0 ? memoryBytes : ENDLESS_BYTES;
  const sameCpus = (has.NanoCpus || allCpus) === (NanoCpus ?? allCpus);
  const sameBytes = (has.Memory || allBytes) === (Memory ?? allBytes);
  if (sameCpus && sameBytes) return null;
  return {
    ...(!sameCpus && { NanoCpus: NanoCpus ?? allCpus }),
    // Without a limit, the container may swap. Docker passes -1, its word for no limit, only to new containers.
    ...(!sameBytes && { Memory: Memory ?? allBytes, MemorySwap: Memory ?? ENDLESS_BYTES }),
  };
}
