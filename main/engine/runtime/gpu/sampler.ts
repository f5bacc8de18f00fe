/** The common interface of all vendors' samplers: their pace, and how they react to failures. */
import type { GpuLoad } from '#contract/local/machine.ts';
import type { KnownGpu } from '../../domain/gpus/machineGpus.ts';
import type { Clock } from '../../domain/core/ports.ts';

/** The GPUs of one vendor. */
export interface VendorGpus {
  /** Null before the first sample. */
  list(): readonly KnownGpu[] | null;
  /** Why they are unknown or not measured; null without a problem. */
  problem(): string | null;
  /** Reports that a client watches: they are measured often for a while. */
  watch(): void;
  /** Reports whether a worker or Pod has a GPU: they are measured more often then, so that short jobs are seen. */
  setUsed(isUsed: boolean): void;
  /** A new sample of the processes on a GPU that ran out of memory. */
  processes(uuid: string): Promise<GpuLoad['processes']>;
  /** Resolves once no tool runs. */
  stop(): Promise<void>;
}

export interface VendorOptions {
  clock: Clock;
  /** The path of the vendor's tool. */
  program: string;
  /** The environment of the engine. */
  env: NodeJS.ProcessEnv;
  /** Called when the GPUs become known, and when they change. */
  onChange(): void;
  /** Called after each measurement. */
  onMeasured(): void;
  pace: SamplingPace;
}

export interface SamplingPace {
  /** Seconds between two samples while a client watches. */
  readonly watchedS: number;
  /** Seconds between two samples while a worker or Pod has a GPU, and nobody watches. */
  readonly usedS: number;
  /** Seconds between two samples otherwise. */
  readonly unwatchedS: number;
  /** How long one call of `watch` lasts, milliseconds. */
  readonly watchMs: number;
  /** The delay after a first failure, milliseconds. It grows with each failure in a row. */
  readonly retryMs: number;
  /** The number of failures in a row after which retries become rare. */
  readonly failures: number;
  /** The delay after that, milliseconds. */
  readonly rareRetryMs: number;
}

/** A sample wakes the GPU and costs CPU time. A higher rate is never useful. */
export const usualPace: SamplingPace = {
  watchedS: 2,
  usedS: 5,
  unwatchedS: 15,
  watchMs: 10_000,
  retryMs: 5000,
  failures: 3,
  rareRetryMs: 10 * 60_000,
};

export interface PaceKeeper {
  watch(): void;
  setUsed(isUsed: boolean): void;
  /** The wanted pause between two samples now, seconds. */
  seconds(): number;
}

/**
 * Chooses the pace. The end of a use or a watch counts after `watchMs`: workers that come and go do not change it each
 * time.
 */
export function createPaceKeeper(clock: Clock, pace: SamplingPace): PaceKeeper {
  let watchedUntil = -Infinity;
  let usedUntil = -Infinity;
  return {
    watch: () => void (watchedUntil = clock.elapsed() + pace.watchMs),
    setUsed(isUsed) {
      if (isUsed) usedUntil = Infinity;
      else if (usedUntil === Infinity) usedUntil = clock.elapsed() + pace.watchMs;
    },
    seconds() {
      if (clock.elapsed() < watchedUntil) return pace.watchedS;
      return clock.elapsed() < usedUntil ? pace.usedS : pace.unwatchedS;
    },
  };
}

/** Whether two lists contain the same GPUs. */
export const sameGpus = (before: readonly KnownGpu[] | null, after: readonly KnownGpu[]): boolean =>
  before !== null &&
  before.length === after.length &&
  before.every(({ uuid, typeId }, place) => uuid === after[place]?.uuid && typeId === after[place].typeId);

/** The time limit of a single query, milliseconds: a GPU that sleeps takes seconds to wake. */
export const ANSWER_TIMEOUT_MS = 20_000;
