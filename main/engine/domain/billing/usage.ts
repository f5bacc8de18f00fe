/** Stored usage: sums of whole hours, and the query that reads them. */
import type { CommitCallback } from '../core/commits.ts';

export const usageKinds = ['endpoint', 'pod', 'volume'] as const;
export type UsageKind = (typeof usageKinds)[number];

export const HOUR_MS = 3_600_000;
export const HOURS_OF_DAY = 24;

/** The properties by which usage is billed. A property without a value is an empty text. */
export interface UsageSeries {
  kind: UsageKind;
  /** The id of the endpoint, Pod or volume. */
  resourceId: string;
  templateId: string;
  imageName: string;
  gpuTypeId: string;
}

/** The usage of one resource within one hour of UTC. */
export interface UsagePiece {
  series: UsageSeries;
  /** The id of the worker; empty for Pods and volumes. */
  workerId: string;
  /** Hours since the epoch. */
  hour: number;
  ms: number;
  /** The maximum disk, GB. */
  gb: number;
  /** US dollars. */
  amount: number;
}

export interface UsageSum {
  /** The id of its series. */
  seriesId: number;
  /** Hours or days since the epoch, by the unit of the query. */
  at: number;
  workerId: string;
  ms: number;
  gb: number;
  amount: number;
}

export interface UsageSumsQuery {
  /** Ids without duplicates. */
  seriesIds: readonly number[];
  /** Hours since the epoch; `toHour` is exclusive. */
  fromHour: number;
  toHour: number;
  unit: 'hour' | 'day';
  /** Separate sums for each worker, and of workers only. Otherwise `workerId` is empty. */
  perWorker: boolean;
}

export interface UsageStore {
  /** Adds to the stored sums. It stores all pieces, or none and passes an error to `settled`. */
  add(pieces: readonly UsagePiece[], settled: CommitCallback): void;
  /** With all pieces that were added before. */
  series(kind: UsageKind): (UsageSeries & { id: number })[];
  /**
   * Calls `take` with each sum. Without `perWorker` the sums of one series follow each other, in the order of
   * `seriesIds`; a series may have several sums for the same time. Sums of workers have no `gb`. An exception of `take`
   * ends the query and is rethrown.
   */
  sums(query: UsageSumsQuery, take: (sum: UsageSum) => void): void;
}
