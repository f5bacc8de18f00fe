/**
 * Measures usage while it happens.
 *
 * Every minute, when a use ends and when a report is read, the meter adds the new usage to the store. A crash therefore
 * loses at most one minute, and nothing is counted twice. Durations come from the monotonic clock; the wall clock only
 * decides to which hour they belong.
 */
import { limits } from '#contract/core/limits.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import { HOUR_MS, type UsagePiece, type UsageSeries, type UsageStore } from './usage.ts';

export interface Use {
  series: UsageSeries;
  workerId: string;
  /** Disk in use, whole GB. */
  gb: number;
  /** Nothing runs and only the disk is occupied: its time does not count. */
  diskOnly: boolean;
  /** The current price, US dollars per hour. */
  perHour(): number;
}

export interface UsageMeter {
  /** Measures from now until `end`. Replaces an earlier use with the same key. */
  begin(key: string, use: Use): void;
  end(key: string): void;
  /** The price of this use since its last count, US dollars per hour; null if nothing is measured under this key. */
  priceOf(key: string): number | null;
  /** What the workers of endpoints cost at this moment, US dollars per hour. */
  workersPerHour(): number;
  /** Counts all usage up to now, so that its observer has it. It is saved with the next beat. */
  count(): void;
  /** Counts all usage up to now and adds it to the store. */
  save(): void;
  /** Call this after a change of prices. Usage before the change keeps the old price. */
  pricesChanged(): void;
  /** Saves the usage so far and measures nothing any more. */
  stop(): void;
}

interface Open {
  readonly use: Use;
  /** The usage before this moment is counted. Monotonic milliseconds. */
  countedTo: number;
  /** The price since `countedTo`. */
  rate: number;
}

/** A longer gap between two beats means that the machine slept. Nothing was used in that gap. */
const LONGEST_STRETCH_MS = 2 * limits.billing.beatMs;

/** Gets each counted stretch of a use: from and to, milliseconds since the epoch, and its price in US dollars. */
export type UsageObserver = (series: UsageSeries, from: number, to: number, amount: number) => void;

export function createUsageMeter(
  clock: Clock,
  store: Pick<UsageStore, 'add'>,
  logger: Logger,
  observe: UsageObserver = () => undefined,
): UsageMeter {
  const open = new Map<string, Open>();
  /** Usage that is not saved yet, by the series, hour and worker that it is added to. */
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

  /** Counts the usage since the last count, divided among the hours of UTC. */
  function count(one: Open): void {
    const passedMs = Math.floor(clock.elapsed() - one.countedTo);
    one.countedTo += passedMs;
    const { series, workerId, gb, diskOnly } = one.use;
    const end = clock.now();
    let from = end - Math.min(passedMs, LONGEST_STRETCH_MS);
    observe(series, from, end, ((end - from) * one.rate) / HOUR_MS);
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
      logger.warn({ err: error }, 'the usage could not be stored; the next minute tries again');
      pieces.forEach(owe);
      arm();
    });
  }

  function countAll(): void {
    for (const one of open.values()) count(one);
  }

  function beat(): void {
    countAll();
    handIn();
  }

  /** Runs one timer, and none while nothing is measured. */
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
    workersPerHour: () =>
      [...open.values()].reduce((sum, { use, rate }) => sum + (use.series.kind === 'endpoint' ? rate : 0), 0),
    priceOf: (key) => open.get(key)?.rate ?? null,
    count: countAll,
    save: beat,
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
