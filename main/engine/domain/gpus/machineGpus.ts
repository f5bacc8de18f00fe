/** The GPUs of this machine, as their drivers report them. */
import type { GpuLoad } from '#contract/local/machine.ts';
import type { Cancel } from '../core/ports.ts';
import type { GpuWish } from './claims.ts';
import type { GpuDevice } from './device.ts';

/** A GPU of this machine, as its driver reports it. */
export interface KnownGpu extends GpuDevice {
  readonly driverVersion: string | null;
  readonly load: GpuLoad | null;
}

/** The GPUs that this machine has. */
export interface GpuSource {
  /** Null while detection is running. */
  list(): readonly KnownGpu[] | null;
  /** Why there are no GPUs, or no measurements; null without a problem. */
  problem(): string | null;
  /** Whether a vendor's tool is installed but fails: the machine may have GPUs then. */
  driverFails(): boolean;
  /** Called when a GPU appears or disappears, and when detection finishes. */
  onChange(listener: () => void): Cancel;
}

/** The form of a GPU type for comparisons: trimmed, in lower case. */
export const asId = (typeId: string): string => typeId.trim().toLowerCase();

/** The facts about a GPU that a worker or Pod gets. */
export const device = ({ uuid, index, vendor, typeId, memoryBytes }: KnownGpu): GpuDevice => ({
  uuid,
  index,
  vendor,
  typeId,
  memoryBytes,
});

/**
 * The types that a wish accepts, in the order in which they are tried: its own ones, by preference. A wish without a
 * type accepts all of this machine, the one with the most memory first.
 */
export const acceptedTypes = (
  { gpuTypeIds }: Pick<GpuWish, 'gpuTypeIds'>,
  gpus: readonly Pick<GpuDevice, 'index' | 'typeId' | 'memoryBytes'>[],
): readonly string[] =>
  gpuTypeIds.length > 0
    ? gpuTypeIds
    : [
        ...new Set(
          [...gpus].sort((a, b) => b.memoryBytes - a.memoryBytes || a.index - b.index).map((gpu) => gpu.typeId),
        ),
      ];
