/** The workers of an account's endpoints and their logs, where the account's API has them. */
import type { Lane, LogGap, LogLine, LogPage, PodLogFilter } from '#contract/local/log.ts';

export interface WorkersApi {
  /**
   * The states of each worker of an endpoint in the last `sinceMs` milliseconds; only the current state if there is no
   * history.
   */
  lanes(endpointId: string, sinceMs: number): Promise<Lane[]>;
}

export interface LogsApi {
  page(filter: PodLogFilter, page: { before?: number | undefined; limit: number }): Promise<LogPage>;
  /** Every line after the line with number `after`, until the stream ends or breaks. */
  follow(filter: PodLogFilter, after: number, signal: AbortSignal): AsyncGenerator<LogLine, void, void>;
  /**
   * Every kept line that was there at the call, oldest first. It ends by itself, and returns what is missing of the
   * log; null if nothing is. Throws UNAVAILABLE where the log cannot be read to its end.
   */
  whole(filter: PodLogFilter, signal: AbortSignal): AsyncGenerator<LogLine, LogGap | null, void>;
}
