/** Reads again after changes: at once after a calm time, and seldom while changes keep coming. */
import { pause } from '../pause.ts';

/** The pause after a read that soon followed another one, in milliseconds. Each further one doubles it. */
const FIRST_PAUSE_MS = 50;
/**
 * A busy queue changes all the time, and each read takes time of its engine: a fifth of the time at most while reads are
 * fast, and half of it at most if they are slow.
 */
const PAUSE_PER_READ = 4;
/** The longest pause after fast reads, between these two, in milliseconds. */
const LONGEST_PAUSE_MS = { least: 100, most: 500 };
/** After so long without a read the next one is at once again. */
const CALM_MS = 1000;

/**
 * A function that has `read` called soon, but not before `untilWanted` settles. One read at a time: what changes during a
 * read is read after it, so that many changes do not restart it for ever. Neither of the two rejects.
 */
export function createRereads(
  read: () => Promise<unknown>,
  untilWanted: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): () => void {
  let isStale = false;
  let isUnderWay = false;
  let pauseMs = 0;
  let endedAt = -Infinity;
  let tookMs = 0;

  async function run(): Promise<void> {
    isUnderWay = true;
    while (isStale && !signal.aborted) {
      const calmMs = performance.now() - endedAt;
      const { least, most } = LONGEST_PAUSE_MS;
      const longestMs = Math.min(most, Math.max(least, PAUSE_PER_READ * tookMs));
      pauseMs = calmMs > CALM_MS ? 0 : Math.min(longestMs, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
      const waitMs = Math.max(pauseMs, tookMs) - calmMs;
      if (waitMs > 0) await pause(waitMs, signal);
      await untilWanted(signal);
      if (signal.aborted) break;
      isStale = false;
      const beganAt = performance.now();
      await read();
      endedAt = performance.now();
      tookMs = endedAt - beganAt;
    }
    isUnderWay = false;
  }

  return () => {
    isStale = true;
    if (!isUnderWay) void run();
  };
}
