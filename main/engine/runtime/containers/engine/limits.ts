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
