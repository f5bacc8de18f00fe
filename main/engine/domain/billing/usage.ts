/** What was used, as it is kept: sums of whole hours, and what they are asked for by. */
import type { CommitCallback } from '../core/commits.ts';

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

export interface UsageSumsQuery {
  /** Each once. */
  seriesIds: readonly number[];
  /** Hours since the epoch; `toHour` is not in it. */
  fromHour: number;
  toHour: number;
  unit: 'hour' | 'day';
  /** Of each worker by itself, and of workers alone; else `workerId` is empty. */
  perWorker: boolean;
}

export interface UsageStore {
  /** Adds to what is there: all of it, or nothing where `settled` is told an error. */
  add(pieces: readonly UsagePiece[], settled: CommitCallback): void;
  series(kind: UsageKind): (UsageSeries & { id: number })[];
  /**
   * Without `perWorker` all of one series is told before the next, in the order of `seriesIds`; one may have several sums of one
   * time. Workers have no `gb`. What `take` throws ends it.
   */
  sums(query: UsageSumsQuery, take: (sum: UsageSum) => void): void;
}
