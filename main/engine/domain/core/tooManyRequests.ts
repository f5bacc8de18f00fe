/** The refusal of one request too many: every 429 of the engine. */
import { AppError } from '#contract/core/errors.ts';

interface Excess {
  /** The operation with the rate, if the limit is one of its numbers. */
  readonly operation?: string;
  readonly limit: number;
  readonly seen: number;
}

/** @param message names the limit, what was seen, and what to do */
export const tooManyRequests = (message: string, retryAfterMs: number, { operation, limit, seen }: Excess): AppError =>
  new AppError('TOO_MANY_REQUESTS', message, {
    retryAfterMs,
    details: operation === undefined ? { limit, seen } : { operation, limit, seen },
  });
