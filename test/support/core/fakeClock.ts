/** A clock that is advanced by hand, for specs of the app and of the engine alike. */

export interface FakeClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never run backwards. */
  elapsed(): number;
  /** Calls `run` once after `ms` milliseconds; answers how to cancel that. */
  after(ms: number, run: () => void): () => void;
  /** Runs whatever falls due in the next `ms` milliseconds, in order. */
  advance(ms: number): void;
  /** Sets the wall clock forward or back, as a person or a time server does. */
  jump(ms: number): void;
  /** How many timers are set. */
  pending(): number;
}

export function createFakeClock(startAt = 1_800_000_000_000): FakeClock {
  let offset = startAt;
  let elapsed = 1;
  let count = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  return {
    now: () => offset + elapsed - 1,
    elapsed: () => elapsed,
    after(ms, run) {
      const id = count++;
      timers.set(id, { at: elapsed + ms, run });
      return () => timers.delete(id);
    },
    advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        let next: number | null = null;
        let earliest = end;
        for (const [id, { at }] of timers) {
          if (at < earliest || (at === earliest && next === null)) {
            earliest = at;
            next = id;
          }
        }
        if (next === null) break;
        const { at, run } = timers.get(next)!;
        timers.delete(next);
        elapsed = Math.max(elapsed, at);
        run();
      }
      elapsed = end;
    },
    jump(ms) {
      offset += ms;
    },
    pending: () => timers.size,
  };
}
