/** The speed of a transfer, from how many bytes were done when. */

/** `doneBytes` were done at `at`, in milliseconds since the epoch. */
export interface ProgressPoint {
  readonly at: number;
  readonly doneBytes: number;
}

/** A speed is that of this time, so that it follows a change and is still calm. */
const WINDOW_MS = 5000;
/** A shorter time says nothing about the speed. */
const LEAST_MS = 700;
/** Without progress for this time, a transfer stands still. */
const STILL_MS = 10_000;

/** `points` with a later one. Drops those that are older than the window, except the one at its beginning. */
export function withPoint(points: readonly ProgressPoint[], point: ProgressPoint): readonly ProgressPoint[] {
  const begin = points.findLastIndex(({ at }) => at <= point.at - WINDOW_MS);
  return [...points.slice(Math.max(0, begin)), point];
}

/** Bytes per second of the last seconds; 0 if the transfer stands still, null if it is too early to say. */
export function speedOf(points: readonly ProgressPoint[], now: number): number | null {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  if (now - last.at >= STILL_MS) return 0;
  const elapsedMs = Math.max(now, last.at) - first.at;
  if (elapsedMs < LEAST_MS || last.doneBytes === first.doneBytes) return null;
  return ((last.doneBytes - first.doneBytes) / elapsedMs) * 1000;
}

/** How long `restBytes` take, in milliseconds; null if the speed says nothing about it. */
export const timeLeftMs = (restBytes: number, bytesPerSecond: number | null): number | null =>
  bytesPerSecond === null || bytesPerSecond === 0 ? null : (restBytes / bytesPerSecond) * 1000;
