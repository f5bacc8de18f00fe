/**
 * Measures what is used while it is used. What has passed is handed to the store every minute and at each end, as what came on top
 * since: a crash loses a minute at most, and nothing is counted twice. Time is that of a clock which nobody sets; the clock on the
 * wall tells only in which hour it was.
 */
import { limits } from '#contract/core/limits.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import { HOUR_MS, type UsagePiece, type UsageSeries, type UsageStore } from './usage.ts';

export interface Use {
  series: UsageSeries;
  workerId: string;
  /** Whole GB of disk that it takes. */
  gb: number;
  /** Nothing runs: its disk is kept, and its time does not count. */
  diskOnly: boolean;
  /** US dollars an hour, now. */
  perHour(): number;
}

export interface UsageMeter {
  /** From now on, until `end`; in place of what was begun under the same key. */
  begin(key: string, use: Use): void;
  end(key: string): void;
  /** To be called when prices have changed: what has passed keeps the price that it had. */
  pricesChanged(): void;
  /** Hands in what has passed; nothing is measured any more. */
  stop(): void;
}

interface Open {
  readonly use: Use;
  /** Up to where its time is counted. */
  countedTo: number;
  /** The price of the stretch that began there. */
  rate: number;
}

/** Where more has passed between two beats, the machine slept, and nothing was used. */
const LONGEST_STRETCH_MS = 2 * limits.billing.beatMs;

export function createUsageMeter(clock: Clock, store: Pick<UsageStore, 'add'>, logger: Logger): UsageMeter {
  const open = new Map<string, Open>();
  /** What is not handed in, by what it is added to. */
  let unsavedUsage = new Map<string, UsagePiece>();
  let next: Cancel | null = null;
  let stopped = false;

  function owe(piece: UsagePiece): void {
    const { kind, resourceId, templateId, imageName, gpuTypeId } = piece.series;
    const key = JSON.stringify([piece.hour, piece.workerId, kind, resourceId, templateId, imageName, gpuTypeId]);
    const before = unsavedUsage.get(key);
    unsavedUsage.set(
      key,
      before
        ? {
            ...before,
            ms: before.ms + piece.ms,
            gb: Math.max(before.gb, piece.gb),
            amount: before.amount + piece.amount,
          }
        : piece,
    );
  }

  /** What has passed since it was counted last, divided among the hours it was in. */
  function count(one: Open): void {
    const passedMs = Math.floor(clock.elapsed() - one.countedTo);
    one.countedTo += passedMs;
    const { series, workerId, gb, diskOnly } = one.use;
    const end = clock.now();
    let from = end - Math.min(passedMs, LONGEST_STRETCH_MS);
    while (from < end) {
      const hour = Math.floor(from / HOUR_MS);
      const to = Math.min(end, (hour + 1) * HOUR_MS);
      const ms = to - from;
      owe({ series, workerId, hour, ms: diskOnly ? 0 : ms, gb, amount: (ms * one.rate) / HOUR_MS });
      from = to;
    }
    one.rate = one.use.perHour();
  }

  function handIn(): void {
    if (unsavedUsage.size === 0) return;
    const pieces = [...unsavedUsage.values()];
    unsavedUsage = new Map();
    store.add(pieces, (error) => {
      if (!error) return;
      logger.warn({ err: error }, 'what was used could not be kept; it is tried again');
      pieces.forEach(owe);
      arm();
    });
  }

  function beat(): void {
    for (const one of open.values()) count(one);
    handIn();
  }

  /** There is one timer, and none while there is nothing to measure. */
  function arm(): void {
    if (stopped || next !== null || (open.size === 0 && unsavedUsage.size === 0)) return;
    next = clock.after(limits.billing.beatMs, () => {
      next = null;
      beat();
      arm();
    });
  }

  function end(key: string): void {
    const one = open.get(key);
    if (!one) return;
    count(one);
    open.delete(key);
    handIn();
  }

  return {
    begin(key, use) {
      if (stopped) return;
      end(key);
      open.set(key, { use, countedTo: clock.elapsed(), rate: use.perHour() });
      arm();
    },
    end,
    pricesChanged: beat,
    stop() {
      if (stopped) return;
      stopped = true;
      next?.();
      next = null;
      beat();
      open.clear();
    },
  };
}
