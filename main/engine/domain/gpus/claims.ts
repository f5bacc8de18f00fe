/** Which worker, and which Pod, holds which GPU. */
import type { MachineGpu } from '#contract/local/machine.ts';
import type { Cancel } from '../core/ports.ts';
import type { GpuDevice } from './device.ts';

/** What an endpoint asks for, for each of its workers. */
export interface GpuWish {
  computeType: 'GPU' | 'CPU';
  /** GPU types in the order they are wanted; empty: any, or the CPU where there is none. */
  gpuTypeIds: readonly string[];
  gpuCount: number;
}

export type GpuClaim =
  /** `notice`: for a person, where it got something else than it asked for. */
  | { readonly kind: 'granted'; readonly devices: readonly GpuDevice[]; readonly notice?: string }
  /** For a person: which GPUs were wanted, and who has them; `lacking` without saying who asked. Tried again after a change. */
  | { readonly kind: 'wait'; readonly message: string; readonly lacking: string }
  /** For a person: this machine has no such GPU, and which it has. */
  | { readonly kind: 'never'; readonly message: string; readonly lacking: string };

/** What a worker of an endpoint gets that asks for GPUs this machine does not have. For a person. */
export interface GpuOutlook {
  /** The CPU in their place, or nothing. */
  readonly kind: 'cpu' | 'never';
  readonly message: string;
}

export type GpuHolder = MachineGpu['heldBy'][number];

export interface GpuClaims {
  /** Holds GPUs for a worker or a Pod, all it wants or none; of two that are alike one of `before`, the uuids it had last. */
  claim(holder: GpuHolder, wish: GpuWish, before?: readonly string[]): GpuClaim;
  /** The obstacle to a claim, without making one; null where the GPUs exist, or detection is not finished. */
  outlook(wish: GpuWish): GpuOutlook | null;
  /** What a Pod has held all along, while no engine ran: it is not asked whether it may. */
  keep(podId: string, uuids: readonly string[]): void;
  /** By the id of the worker or Pod. */
  release(holderId: string): void;
  /** Workers that hold a GPU which is not to be used any more. Pods are a person's own: they keep theirs until they are stopped. */
  revokedHolders(): readonly string[];
  list(): readonly MachineGpu[];
  /** A GPU became free, was enabled or disabled, came or went. */
  onChange(listener: () => void): Cancel;
}
