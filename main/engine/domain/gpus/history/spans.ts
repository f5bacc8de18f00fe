/**
 * Sums of measurements in spans of time, for each length of a span: those that are not stored yet in memory, the others
 * in a file. It has no timer: it stores what it has when measurements come, and at the end.
 */
import type { Clock } from '../../core/ports.ts';
import type { SpanPiece, SpanStore } from './ports.ts';
import { bounds, steps } from './steps.ts';

export interface Spans<Sums> {
  /** The sums of the spans of now, one for each length, to which a measurement is added. `key`: of which GPU or Pod. */
  current(key: string): Sums[];
  /**
   * The sums of the spans of this length that start at `from` or later, by their starts. Milliseconds since the epoch.
   */
  read(key: string, stepMs: number, from: number): Map<number, Sums>;
  /** Stores what is not stored yet, if that was not done in the last minute. */
  beat(): void;
  /** Stores what is not stored yet. */
  flush(): void;
  /** Forgets all others than these. */
  retain(keys: readonly string[]): void;
}

export interface SpansOptions<Sums> {
  clock: Pick<Clock, 'now' | 'elapsed'>;
  store: Pick<SpanStore<Sums>, 'add' | 'read' | 'retain'>;
  newSums(): Sums;
  /** Adds the sums of a later time. */
  addSums(to: Sums, later: Sums): void;
}

/** The start of the span of a moment, milliseconds since the epoch. */
export const spanStart = (at: number, stepMs: number): number => Math.floor(at / stepMs) * stepMs;

export function createSpans<Sums>({ clock, store, newSums, addSums }: SpansOptions<Sums>): Spans<Sums> {
  /** The pieces that are not stored yet, one for each key, step and span. */
  const pieces = new Map<string, SpanPiece<Sums>>();
  let storedAt = clock.elapsed();

  function sumsOf(key: string, stepMs: number, at: number): Sums {
    const name = JSON.stringify([key, stepMs, at]);
    const known = pieces.get(name);
    if (known) return known.sums;
    const sums = newSums();
    pieces.set(name, { key, stepMs, at, sums });
    return sums;
  }

  /** Drops what nobody can ask for any more: memory stays bounded while nothing can be stored. */
  function thin(now: number): void {
    for (const [name, { stepMs, at }] of pieces) {
      const keptMs = steps.find(({ ms }) => ms === stepMs)?.keptMs ?? 0;
      if (at < now - keptMs) pieces.delete(name);
    }
  }

  function flush(): void {
    storedAt = clock.elapsed();
    if (pieces.size === 0) return;
    if (store.add([...pieces.values()], clock.now())) pieces.clear();
    else thin(clock.now());
  }

  return {
    current(key) {
      const now = clock.now();
      return steps.map(({ ms }) => sumsOf(key, ms, spanStart(now, ms)));
    },
    read(key, stepMs, from) {
      const spans = new Map(store.read(key, stepMs, from).map(({ at, sums }) => [at, sums]));
      for (const piece of pieces.values()) {
        if (piece.key !== key || piece.stepMs !== stepMs || piece.at < from) continue;
        const sums = spans.get(piece.at) ?? newSums();
        addSums(sums, piece.sums);
        spans.set(piece.at, sums);
      }
      return spans;
    },
    beat() {
      if (clock.elapsed() - storedAt >= bounds.beatMs) flush();
    },
    flush,
    retain(keys) {
      const known = new Set(keys);
      for (const [name, { key }] of pieces) if (!known.has(key)) pieces.delete(name);
      store.retain(keys);
    },
  };
}
