/** What the samplers of all makers have in common: how often they look, and how they give up. */
import type { GpuLoad } from '#contract/local/machine.ts';
import type { KnownGpu } from '../../domain/gpus/allocator.ts';
import type { Clock } from '../../domain/core/ports.ts';

/** The GPUs of one maker. */
export interface VendorGpus {
  /** Null until the first look. */
  list(): readonly KnownGpu[] | null;
  /** Why they are not known, or not measured; null when all is well. */
  problem(): string | null;
  /** Somebody wants to see them: they are measured often for a while. */
  watch(): void;
  /** A fresh sample of the processes on a GPU that ran out of memory. */
  processes(uuid: string): Promise<GpuLoad['processes']>;
  /** Settles once nothing of it runs. */
  stop(): Promise<void>;
}

export interface VendorOptions {
  clock: Clock;
  /** The path of the maker's program. */
  program: string;
  /** The engine's own environment. */
  env: NodeJS.ProcessEnv;
  /** They are known by now, or others than before. */
  onChange(): void;
  pace: SamplingPace;
}

export interface SamplingPace {
  /** Seconds between two samples while somebody watches. */
  readonly watchedS: number;
  /** Seconds between two samples otherwise. */
  readonly unwatchedS: number;
  /** For how long somebody watches who has asked once. */
  readonly watchMs: number;
  /** After the first failures: soon, growing with each. */
  readonly retryMs: number;
  /** How many failures in a row end the tries that come soon. */
  readonly failures: number;
  /** After that. */
  readonly rareRetryMs: number;
}

/** A look at a GPU wakes it and costs some processor time; nobody needs more than this. */
export const usualPace: SamplingPace = {
  watchedS: 2,
  unwatchedS: 15,
  watchMs: 10_000,
  retryMs: 5000,
  failures: 3,
  rareRetryMs: 10 * 60_000,
};

/** Whether two lists name the same GPUs. */
export const sameGpus = (before: readonly KnownGpu[] | null, after: readonly KnownGpu[]): boolean =>
  before !== null &&
  before.length === after.length &&
  before.every(({ uuid, typeId }, place) => uuid === after[place]!.uuid && typeId === after[place]!.typeId);

/** For how long a program may take to answer a single question: a GPU that was asleep wakes in seconds. */
export const ANSWER_TIMEOUT_MS = 20_000;
