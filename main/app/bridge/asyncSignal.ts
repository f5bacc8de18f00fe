/** The wake-up signal of the bridge's event iterators, and their maximum rate. */

/** A window gets at most 30 messages a second; changes in between are sent together. */
export const PACE_MS = 33;

/** A signal for one waiter. A ring without a waiter is not lost. */
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
    // The signal lives longer than this watcher: without the removal, the listener would stay until the app stops.
    stop: () => signal.removeEventListener('abort', ring),
    async next() {
      if (!rung && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      rung = false;
    },
  };
}
