/** The workers of an account's endpoints and their logs, where the account's API has them. */
import type { Lane, LogLine, LogPage, ToldLogFilter } from '#contract/local/log.ts';

export interface WorkersApi {
  /** What each worker of an endpoint was, from `sinceMs` ago on; where that is not told, what it is now. */
  lanes(endpointId: string, sinceMs: number): Promise<Lane[]>;
}

export interface LogsApi {
  page(filter: ToldLogFilter, page: { before?: number | undefined; limit: number }): Promise<LogPage>;
  /** Every line after the one numbered `after`, until the stream ends or breaks. */
  follow(filter: ToldLogFilter, after: number, signal: AbortSignal): AsyncGenerator<LogLine, void, void>;
}
