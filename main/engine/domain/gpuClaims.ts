/** Which worker holds which GPU. */
import type { MachineGpu } from '#contract/machine.ts';
import type { Cancel, GpuDevice } from './ports.ts';

/** What an endpoint asks for, for each of its workers. */
export interface GpuWish {
  computeType: 'GPU' | 'CPU';
  /** GPU types in the order they are wanted; empty: any, or the CPU where there is none. */
  gpuTypeIds: readonly string[];
  gpuCount: number;
}

export type GpuClaim =
  | { readonly kind: 'granted'; readonly devices: readonly GpuDevice[] }
  /** For a person: which GPUs were wanted, and who has them. Tried again after a change. */
  | { readonly kind: 'wait'; readonly message: string }
  /** For a person: this machine has no such GPU, and which it has. */
  | { readonly kind: 'never'; readonly message: string };

export interface GpuClaims {
  /** Holds GPUs for a worker, all it wants or none. */
  claim(worker: { workerId: string; endpointId: string }, wish: GpuWish): GpuClaim;
  release(workerId: string): void;
  /** Workers that hold a GPU which is not to be used any more. */
  mustLetGo(): readonly string[];
  list(): readonly MachineGpu[];
  /** A GPU became free, was enabled or disabled, came or went. */
  onChange(listener: () => void): Cancel;
}
