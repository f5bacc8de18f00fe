/**
 * Detects a sleep of the machine or a change of its clock: the wall clock moved further, or less, than the time that
 * was waited.
 */
import type { Clock } from './clock.ts';

/** Interval of the checks. */
const EVERY_MS = 5000;
/**
 * Smaller differences are ignored: timers of a busy machine are late. A clock that moves back by a second was changed.
 */
const LATE_MS = 5000;
const BACK_MS = 1000;

/** Calls `onJump` with the size of the jump in milliseconds, until the returned function is called. */
export function watchClock(clock: Clock, onJump: (byMs: number) => void): () => void {
  let cancel: () => void = () => undefined;
  function check(): void {
    const due = clock.now() + EVERY_MS;
    cancel = clock.after(EVERY_MS, () => {
      const byMs = clock.now() - due;
      check();
      if (byMs > LATE_MS || byMs < -BACK_MS) onJump(byMs);
    });
  }
  check();
  return () => cancel();
}
