/** What the bridge's event iterators sleep on, and how fast they may go. */

/** At most 30 messages a second reach a window; what happens in between is sent together. */
export const PACE_MS = 33;

/** A flag that one waiter sleeps on; ringing while nobody waits is not lost. */
interface Bell {
  ring(): void;
  stop(): void;
  /** Settles at the next ring, or when the signal is aborted. */
  next(): Promise<void>;
}

export function createBell(signal: AbortSignal): Bell {
  let rung = false;
  let wake: () => void = () => undefined;
  const ring = (): void => {
    rung = true;
    wake();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    // The signal outlives this watcher: a listener left on it would be kept until the app stops.
    stop: () => signal.removeEventListener('abort', ring),
    async next() {
      if (!rung && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
    },
  };
}
