/** The assignment of GPUs to workers and Pods. */
import type { MachineGpu } from '#contract/local/machine.ts';
import type { Cancel } from '../core/ports.ts';
import type { GpuDevice } from './device.ts';

/** The GPUs that each worker of an endpoint, or a Pod, asks for. */
export interface GpuWish {
  computeType: 'GPU' | 'CPU';
  /** GPU types by preference. Empty: any type, or the CPU on a machine without GPUs. */
  gpuTypeIds: readonly string[];
  gpuCount: number;
}

export type GpuClaim =
  /** `notice`: for a person, where the grant differs from the wish. */
  | { readonly kind: 'granted'; readonly devices: readonly GpuDevice[]; readonly notice?: string }
  /**
   * `message`, for a person: the wanted GPUs and their holders. `lacking`: the same without the name of the requester.
   * Try again after a change.
   */
  | { readonly kind: 'wait'; readonly message: string; readonly lacking: string }
  /** `message`, for a person: the machine has no such GPU, and a list of its GPUs. */
  | { readonly kind: 'never'; readonly message: string; readonly lacking: string };

/** The prospect of an endpoint whose GPU types this machine does not have. For a person. */
export interface GpuOutlook {
  /** Workers get the CPU instead, or never start. */
  readonly kind: 'cpu' | 'never';
  readonly message: string;
}

export type GpuHolder = MachineGpu['heldBy'][number];

/** What the claims need to know about Pods. */
export interface PodGpus {
  /** Whether the container of this Pod runs. */
  isRunning(podId: string): boolean;
  /** The stopped Pods whose containers were made for GPUs: with another GPU, they lose their containers. */
  stopped(): readonly { podId: string; podName: string; uuids: readonly string[] }[];
}

export interface GpuClaims {
  /** Reads the Pods from now on. Until then, each Pod counts as running. */
  readPods(pods: PodGpus): void;
  /**
   * Assigns GPUs to a worker or Pod: all that the wish needs, or none. Among equal GPUs it prefers `before`, the uuids
   * of the last assignment, and takes those that a stopped Pod had last.
   */
  claim(holder: GpuHolder, wish: GpuWish, before?: readonly string[]): GpuClaim;
  /** The obstacle to a claim, without making the claim; null where the GPUs exist, or while detection is running. */
  outlook(wish: GpuWish): GpuOutlook | null;
  /** Records the GPUs of a Pod that ran while no engine did. Does not check whether they are free or enabled. */
  keep(pod: Extract<GpuHolder, { podId: string }>, uuids: readonly string[]): void;
  /** `holderId`: the id of the worker or Pod. */
  release(holderId: string): void;
  /**
   * Workers with a GPU that they may not use any more. Pods belong to the person: they keep their GPUs until they stop.
   */
  revokedHolders(): readonly string[];
  list(): readonly MachineGpu[];
  /** Called when a GPU becomes free, is enabled or disabled, appears or disappears. */
  onChange(listener: () => void): Cancel;
}
