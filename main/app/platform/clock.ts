/** Time for the app: the wall clock and timers, behind a port so that specs can advance it. */

/** Cancels a timer. A second or a late call does nothing. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  after(ms: number, run: () => void): Cancel;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The reason of an aborted signal, as an Error. */
export function abortReason({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Settles after `ms`, or as soon as the signal is aborted; never rejects. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done);
  });
}
