/** Reads again after changes: at once after a calm time, and seldom while changes keep coming. */
import { pause } from '../pause.ts';

/** While changes keep coming, reads take at most this share of the time: each read takes time of its engine. */
const SHARE = 1 / 5;
/** Reads of so many milliseconds together do not wait after a calm time: what a person does is shown at once. */
const FREE_MS = 200;
/** A read counts as so long at least, in milliseconds: ten reads a second at most. */
const LEAST_MS = 20;
/** The longest pause after a read that took less, in milliseconds. After a slower one, the pause is as long as the read. */
const LONGEST_PAUSE_MS = 500;
/** No pause is longer, in milliseconds: after a read that waited for the network or through a sleep of the computer, too. */
const LIMIT_OF_PAUSE_MS = 5000;

/**
 * A function that has `read` called soon, but not before `untilWanted` settles. One read at a time: what changes during a
 * read is read after it, so that many changes do not restart it for ever. Neither of the two rejects. `spacingMs`: the least
 * time from the end of one read to the next.
 */
export function createRereads(
  read: () => Promise<unknown>,
  untilWanted: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  spacingMs = 0,
): () => void {
  let isStale = false;
  let isUnderWay = false;
  let endedAt = -Infinity;
  let pauseMs = 0;
  /** How long reads may take now without a pause, in milliseconds; negative while there is one. */
  let freeMs = FREE_MS;

  function ended(tookMs: number): void {
    endedAt = performance.now();
    freeMs = Math.max(freeMs + SHARE * tookMs - Math.max(LEAST_MS, tookMs), -SHARE * LONGEST_PAUSE_MS);
    pauseMs = freeMs >= 0 ? 0 : Math.min(LIMIT_OF_PAUSE_MS, Math.max(tookMs, -freeMs / SHARE));
  }

  async function run(): Promise<void> {
    isUnderWay = true;
    while (isStale && !signal.aborted) {
      const waitMs = endedAt + Math.max(pauseMs, spacingMs) - performance.now();
      if (waitMs > 0) await pause(waitMs, signal);
      await untilWanted(signal);
      if (signal.aborted) break;
      isStale = false;
      const beganAt = performance.now();
      freeMs = Math.min(FREE_MS, freeMs + SHARE * (beganAt - endedAt));
      await read();
      ended(performance.now() - beganAt);
    }
    isUnderWay = false;
  }

  return () => {
    isStale = true;
    if (!isUnderWay) void run();
  };
}
