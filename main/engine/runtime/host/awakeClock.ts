/**
 * A clock that does not count the time in which the machine slept, so that a sleep uses up no time-out. On macOS and
 * Windows the monotonic clock of the system counts it; on Linux it does not.
 */
import type { Clock } from '../../domain/core/ports.ts';

/** While the machine is said to sleep, this often the clock looks whether it really does. */
const LOOK_MS = 1000;
/**
 * So many looks in a row are only possible awake: a sleep was announced that never came, or its end was not reported.
 */
const AWAKE_LOOKS = 30;

export interface AwakeClock extends Clock {
  /**
   * The machine is about to sleep: `elapsed` stands still until `resume`, or until it is clear that the machine is
   * awake.
   */
  suspend(): void;
  /** Without a `suspend` before, it does nothing. */
  resume(): void;
}

export function createAwakeClock(clock: Clock): AwakeClock {
  /** Milliseconds of sleep so far. */
  let slept = 0;
  /** The time at which the clock stands still; null while it runs. */
  let stoppedAt: number | null = null;
  let cancelWait = (): void => undefined;

  const elapsed = (): number => stoppedAt ?? clock.elapsed() - slept;

  function resume(): void {
    cancelWait();
    if (stoppedAt === null) return;
    slept = clock.elapsed() - stoppedAt;
    stoppedAt = null;
  }

  function waitAwake(left: number): void {
    cancelWait = clock.after(LOOK_MS, () => {
      if (left === 1) resume();
      else waitAwake(left - 1);
    });
  }

  return {
    now: clock.now,
    after: clock.after,
    elapsed,
    suspend() {
      if (stoppedAt !== null) return;
      stoppedAt = elapsed();
      waitAwake(AWAKE_LOOKS);
    },
    resume,
  };
}
