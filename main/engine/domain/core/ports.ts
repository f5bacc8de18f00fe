/** What all rules need from the world: time, ids and a log. Folders of the domain have further ports of their own. */

/** Cancels what was scheduled; calling it twice, or late, does nothing. */
export type Cancel = () => void;

export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never run backwards; for elapsed time only. */
  elapsed(): number;
  /** Calls `run` once after `ms` milliseconds (any length up to years). */
  after(ms: number, run: () => void): Cancel;
}

export interface Ids {
  /** `bytes` random bytes as lower-case hexadecimal. */
  random(bytes: number): string;
  /** A one-way digest of a secret, for comparing without keeping it. */
  digest(secret: string): string;
}

export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
