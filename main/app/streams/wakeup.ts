/**
 * Ends waits early after a sleep of the machine or a change of its clock: the awaited event may have happened already.
 */
import type { Clock } from '../platform/clock.ts';

export interface Wakeup {
  on(listener: () => void): () => void;
  ring(): void;
}

export function createWakeup(): Wakeup {
  const listeners = new Set<() => void>();
  return {
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ring() {
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Settles after `ms`, at the next wake-up, or when the signal is aborted; never rejects. */
export function restUntil(clock: Clock, ms: number, signal: AbortSignal, wakeup: Wakeup): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      leave();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    const leave = wakeup.on(done);
    signal.addEventListener('abort', done);
  });
}
