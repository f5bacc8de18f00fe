/** What the histories of GPUs and Pods need: a place to store them, and who uses a GPU. */
import type { GpuUser } from '#contract/local/gpuHistory.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import type { GpuSums } from './sums.ts';

/** The sums of one GPU, or of one Pod, in one span. */
export interface SpanPiece<Sums> {
  /** The uuid of the GPU, or the id of the Pod. */
  readonly key: string;
  readonly stepMs: number;
  /** The start of the span, milliseconds since the epoch: a multiple of `stepMs`. */
  readonly at: number;
  readonly sums: Sums;
}
export type GpuPiece = SpanPiece<GpuSums>;

/** Methods do not throw: a fault of this file must not stop an engine. */
export interface SpanStore<Sums> {
  /**
   * Adds the pieces to those of the same spans, and deletes what is older than its step is kept. False: nothing was
   * stored.
   */
  add(pieces: readonly SpanPiece<Sums>[], now: number): boolean;
  /** The spans that start at `from` or later, oldest first; empty where the file cannot be read. */
  read(key: string, stepMs: number, from: number): readonly Pick<SpanPiece<Sums>, 'at' | 'sums'>[];
  /** Deletes the spans of all keys except these. If that fails, the spans are deleted when they are too old. */
  retain(keys: readonly string[]): void;
  /** Sentences for a person: the file was damaged and begins anew, or cannot be written. */
  notices(): string[];
  close(): void;
}
export type GpuHistoryStore = SpanStore<GpuSums>;

export interface GpuUse {
  readonly users: readonly GpuUser[];
  /** The memory that the workers and Pods of this engine have on it; null if that is not known. */
  readonly ownMemoryBytes: number | null;
}

/** Finds who uses a GPU, by its last measurement. */
export type FindUse = (gpu: MachineGpu) => GpuUse;
