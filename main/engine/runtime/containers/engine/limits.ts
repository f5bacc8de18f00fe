/** What a container may use of the processor and the memory. */
import type { ComputeLimits } from '../../../domain/resources/ports.ts';
import type { ContainerEngine } from './discovery.ts';

const GIB = 1024 ** 3;
const NS_PER_S = 1e9;

/** Nothing where that is all there is: an engine refuses more than it has. */
export function computeLimits(
  { vcpuCount, memoryInGb }: ComputeLimits,
  { cores, memoryBytes }: Pick<ContainerEngine, 'cores' | 'memoryBytes'>,
) {
  const limitBytes = memoryInGb * GIB;
  const isLimited = limitBytes > 0 && (memoryBytes === 0 || limitBytes < memoryBytes);
  const usableBytes = isLimited ? limitBytes : memoryBytes;
  return {
    ...(vcpuCount > 0 && vcpuCount < cores ? { NanoCpus: vcpuCount * NS_PER_S } : {}),
    // Without swap on top of it.
    ...(isLimited ? { Memory: limitBytes, MemorySwap: limitBytes } : {}),
    // Processes that load data share their tensors there; the usual 64 MB end in a bus error. It takes memory only as it is
    // filled, and counts as the container's own, so half of that is the ceiling, as Linux has it for itself.
    ...(usableBytes > 0 ? { ShmSize: Math.floor(usableBytes / 2) } : {}),
  };
}
