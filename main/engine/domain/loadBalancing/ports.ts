/** The interface that load balancing needs from the runtime: a probe for the health of workers. */
import type { Cancel } from '../core/ports.ts';

export interface HealthAnswer {
  /** The HTTP status; null without an answer. */
  status: number | null;
  /** Why there was no answer, as a part of a sentence; null with an answer. */
  error: string | null;
  /** No answer arrived within the time limit. */
  silent: boolean;
}

/** Sends health checks to load-balancing workers. */
export interface HealthProbe {
  /** Calls `done` once, within `withinMs` milliseconds. The returned function cancels the check. Never throws. */
  ask(at: { host: string; port: number; path: string }, withinMs: number, done: (answer: HealthAnswer) => void): Cancel;
}
