/** What a job of an endpoint usually takes, from the finished jobs that the ledger has. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { formatSetting } from '../../ui/text/format.ts';

export interface UsualRuns {
  /** Milliseconds of execution: eight of ten jobs are between them. */
  fromMs: number;
  toMs: number;
  runs: number;
}

/** US dollars of a job that takes its usual time; null if nothing of that has a price. `rate`: dollars for each millisecond. */
export const usualCost = (usual: UsualRuns | null, rate: number | undefined): number | null =>
  usual === null || rate === undefined ? null : (rate * (usual.fromMs + usual.toMs)) / 2;

/** Fewer jobs say nothing about the next one. */
const LEAST_RUNS = 3;

/**
 * The usual time of the completed jobs among `entries`; null where there are too few. `runs`: how many there are in all,
 * of which `entries` may be the newest.
 */
export function usualOf(entries: readonly LedgerEntry[], runs: number): UsualRuns | null {
  const times = entries
    .flatMap(({ status, executionTime }) => (status === 'COMPLETED' && executionTime !== null ? [executionTime] : []))
    .toSorted((one, other) => one - other);
  if (times.length < LEAST_RUNS) return null;
  const at = (share: number): number => times[Math.round((times.length - 1) * share)] ?? 0;
  return { fromMs: at(0.1), toMs: at(0.9), runs: Math.max(runs, times.length) };
}

/** "8–14 s": one unit where both have the same. */
export function rangeWords({ fromMs, toMs }: UsualRuns): string {
  const [from, to] = [formatSetting(fromMs), formatSetting(toMs)];
  if (from === to) return to;
  const [[amount = '', unit], [, otherUnit]] = [from.split(' '), to.split(' ')];
  const isPlain = from.split(' ').length === 2 && to.split(' ').length === 2;
  return isPlain && unit === otherUnit ? `${amount}–${to}` : `${from} – ${to}`;
}
