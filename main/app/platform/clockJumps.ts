/** Notices that the machine has slept, or that its clock was set: the wall clock went further, or back, than the time that was waited. */
import type { Clock } from './clock.ts';

/** Between two looks. */
const EVERY_MS = 5000;
/** A busy machine calls late; one that was set back by a second was set. */
const LATE_MS = 5000;
const BACK_MS = 1000;

/** Calls `onJump` with by how many milliseconds it jumped, until the answer is called. */
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
