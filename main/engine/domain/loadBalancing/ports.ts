/** What load balancing needs from the runtime: a probe for the health of workers. */
import type { Cancel } from '../core/ports.ts';

export interface HealthAnswer {
  /** Null when there was none. */
  status: number | null;
  /** Why there was none, as a part of a sentence. */
  error: string | null;
  /** Nothing came in time. */
  silent: boolean;
}

/** Asks load-balancing workers how they are. */
export interface HealthProbe {
  /** Tells the answer once, within `withinMs`; not any more once it was taken back. Never throws. */
  ask(at: { host: string; port: number; path: string }, withinMs: number, done: (answer: HealthAnswer) => void): Cancel;
}
