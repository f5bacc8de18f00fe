/** The workers of an account's endpoints and their logs, where the account's API has them. */
import type { Lane, LogLine, LogPage, PodLogFilter } from '#contract/local/log.ts';

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
}
