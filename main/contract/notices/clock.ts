/** Time for what watches Pods: the wall clock and timers, which the host or the page brings. */

/** Cancels a timer. A second or a late call does nothing. */
export type Cancel = () => void;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  after(ms: number, run: () => void): Cancel;
}
