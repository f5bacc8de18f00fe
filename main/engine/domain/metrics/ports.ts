/** Where the metrics of endpoints are stored. */
import type { CommitCallback } from '../core/commits.ts';
import type { MetricSums } from './sums.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** The sums of one endpoint in one minute, to be added to those that are stored. */
export interface MetricPiece {
  readonly endpointId: string;
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly sums: MetricSums;
}

export type MetricUnit = 'minute' | 'hour';

export interface MetricsStore {
  /** Adds each piece to its minute and to its hour. It stores all pieces, or none and passes an error to `settled`. */
  add(pieces: readonly MetricPiece[], settled: CommitCallback): void;
  /**
   * Calls `take` with the stored sums of each minute or hour, oldest first. `from`, `to`: units since the epoch; `to`
   * is exclusive.
   */
  read(
    endpointId: string,
    unit: MetricUnit,
    from: number,
    to: number,
    take: (at: number, sums: MetricSums) => void,
  ): void;
  /** Deletes everything about an endpoint. */
  remove(endpointId: string, settled: CommitCallback): void;
  /** Deletes minutes and hours before these, and everything about endpoints that are not among `endpointIds`. */
  thin(
    before: { readonly minute: number; readonly hour: number },
    endpointIds: readonly string[],
    settled: CommitCallback,
  ): void;
}
