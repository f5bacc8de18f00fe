/** What was used, as it is kept: sums of whole hours, and what they are asked for by. */
import type { Settled } from './ports.ts';

export const usageKinds = ['endpoint', 'pod', 'volume'] as const;
export type UsageKind = (typeof usageKinds)[number];

export const HOUR_MS = 3_600_000;
export const HOURS_OF_DAY = 24;

/** What is billed alike. Texts are empty where there is nothing to name. */
export interface UsageSeries {
  kind: UsageKind;
  /** Of the endpoint, Pod or volume. */
  resourceId: string;
  templateId: string;
  imageName: string;
  gpuTypeId: string;
}

/** What was used of one thing within an hour of UTC. */
export interface UsagePiece {
  series: UsageSeries;
  /** Empty for what is no worker. */
  workerId: string;
  /** Since the epoch. */
  hour: number;
  ms: number;
  /** Of disk, at most. */
  gb: number;
  /** US dollars. */
  amount: number;
}

/** Of several series together; `gb` is the sum of what each had at most. */
export interface UsageTotal {
  /** The hour since the epoch. */
  at: number;
  ms: number;
  gb: number;
  amount: number;
}

export interface UsageSum {
  /** Of the series it is of. */
  seriesId: number;
  /** The hour, or the day, since the epoch. */
  at: number;
  workerId: string;
  ms: number;
  gb: number;
  amount: number;
}

export interface UsageHours {
  seriesIds: readonly number[];
  /** Hours since the epoch; `toHour` is not in it. */
  fromHour: number;
  toHour: number;
}

export interface UsageSumsQuery extends UsageHours {
  unit: 'hour' | 'day';
  /** Of each worker by itself; else `workerId` is empty. */
  perWorker: boolean;
}

export interface UsageStore {
  /** Adds to what is there: all of it, or nothing where `settled` is told an error. */
  add(pieces: readonly UsagePiece[], settled: Settled): void;
  series(kind: UsageKind): (UsageSeries & { id: number })[];
  /** In no order; one series may have several of one time. To be read at once, in one turn of the event loop. */
  sums(query: UsageSumsQuery): Iterable<UsageSum>;
  hourTotals(query: UsageHours): UsageTotal[];
}
