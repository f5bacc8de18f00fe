/** The lines of the small charts: what was measured in the period of the page, up to now. */
import type { GpuHistory } from '#contract/local/gpuHistory.ts';

/** Times in milliseconds since the epoch, oldest first; null marks a missing measurement. */
export interface Track {
  readonly at: readonly number[];
  readonly values: readonly (number | null)[];
}

export const noTrack: Track = { at: [], values: [] };

/** A chart is at least as long as this, so that its first measurements are a line and no dot. */
const SHORTEST_MS = 60_000;

type History<Point> = Pick<GpuHistory, 'stepMs' | 'to'> & { readonly points: readonly Point[] };

/**
 * The means of a quantity, each in the middle of its span, and the value of now. It begins with the first measurement:
 * the time before would be an empty part of the chart. `history` is undefined until it is read.
 */
export function trackOf<Point extends { at: string }>(
  history: History<Point> | undefined,
  valueOf: (point: Point) => number | null,
  now: { at: number; value: number | null },
): Track {
  if (history === undefined) return noTrack;
  const { points, stepMs, to } = history;
  const past = points
    // A span that is not over yet is left out.
    .filter(({ at }) => Date.parse(at) + stepMs <= Math.min(Date.parse(to), now.at))
    .map((point) => ({ at: Date.parse(point.at) + stepMs / 2, value: valueOf(point) }));
  const all = [...past, now];
  const start = all.findIndex(({ value }) => value !== null);
  const shown = start === -1 ? [] : all.slice(start);
  return { at: shown.map(({ at }) => at), values: shown.map(({ value }) => value) };
}

/** The first and the last moment of its chart. */
export function boundsOf({ at }: Track): { start: number; end: number } {
  const end = at.at(-1) ?? 0;
  return { start: Math.min(at[0] ?? end, end - SHORTEST_MS), end };
}

/** The smallest and largest value; null without measurements. */
export function spanOf({ values }: Track): { least: number; greatest: number } | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { least: Math.min(...known), greatest: Math.max(...known) };
}
