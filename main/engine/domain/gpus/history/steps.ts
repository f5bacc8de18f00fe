/** The steps in which the history of GPUs is thinned with age, and the periods that can be asked for. */
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Bounds of the history. */
export const bounds = {
  /** Measurements are stored this often: a crash loses at most that much. */
  beatMs: MINUTE_MS,
  /** The most users of one point, and of all points of an answer. */
  users: 8,
  usersOfAnswer: 50,
  /** Of the name of a user, characters. */
  nameLength: 80,
};

interface Step {
  /** The length of a span, milliseconds. */
  readonly ms: number;
  /** For how long spans of this length are kept, milliseconds. */
  readonly keptMs: number;
}

/**
 * A span is longer than the pause between two measurements that nobody watches: none is empty while the driver reports.
 */
const halfMinutes: Step = { ms: 30 * SECOND_MS, keptMs: HOUR_MS };
const twoMinutes: Step = { ms: 2 * MINUTE_MS, keptMs: 6 * HOUR_MS };
const fiveMinutes: Step = { ms: 5 * MINUTE_MS, keptMs: 24 * HOUR_MS };
export const steps: readonly Step[] = [halfMinutes, twoMinutes, fiveMinutes];

/** `points`: how many spans of `stepMs` the period has. */
export const periods: Readonly<Record<GpuPeriod, { readonly stepMs: number; readonly points: number }>> = {
  '15m': { stepMs: halfMinutes.ms, points: 30 },
  '1h': { stepMs: halfMinutes.ms, points: 120 },
  '6h': { stepMs: twoMinutes.ms, points: 180 },
  '24h': { stepMs: fiveMinutes.ms, points: 288 },
};
export const defaultPeriod: GpuPeriod = '1h';
