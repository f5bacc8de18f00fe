/** How the benchmark asks for a variant of the engine, and what such an engine tells of its inside. */

/** The variable with a Variant as JSON. */
export const VARIANT = 'BENCH_VARIANT';

export interface Variant {
  /** A transaction of its own for every write. */
  oneByOne: boolean;
  /** When SQLite syncs; FULL, as the engine has it, when left out. */
  synchronous: 'FULL' | 'NORMAL';
}

/** Answer to `{ type: 'inside' }`: since the last time it was asked. */
export interface InsideView {
  writes: number;
  transactions: number;
  /** The longest time that the event loop was late, milliseconds. */
  loopDelayMaxMs: number;
}
