/** What the history of GPUs needs: a place to store it, and who uses a GPU. */
import type { GpuUser } from '#contract/local/gpuHistory.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import type { GpuSums } from './sums.ts';

/** The sums of one GPU in one span. */
export interface GpuPiece {
  readonly uuid: string;
  readonly stepMs: number;
  /** The start of the span, milliseconds since the epoch: a multiple of `stepMs`. */
  readonly at: number;
  readonly sums: GpuSums;
}

/** Methods do not throw: a fault of this file must not stop an engine. */
export interface GpuHistoryStore {
  /** Adds the pieces to those of the same spans, and deletes what is older than its step is kept. False: nothing was stored. */
  add(pieces: readonly GpuPiece[], now: number): boolean;
  /** The spans that start at `from` or later, oldest first; empty where the file cannot be read. */
  read(uuid: string, stepMs: number, from: number): readonly Pick<GpuPiece, 'at' | 'sums'>[];
  /** Sentences for a person: the file was damaged and begins anew, or cannot be written. */
  notices(): string[];
  close(): void;
}

export interface GpuUse {
  readonly users: readonly GpuUser[];
  /** The memory that the workers and Pods of this engine have on it; null if that is not known. */
  readonly ownMemoryBytes: number | null;
}

/** Finds who uses a GPU, by its last measurement. */
export type FindUse = (gpu: MachineGpu) => GpuUse;
