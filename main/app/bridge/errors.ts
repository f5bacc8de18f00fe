/** Maps a thrown error to the page's error: code, HTTP status and message, never internals. */
import { AppError, errorStatus, toAppError } from '#contract/core/errors.ts';
import { ORPCError } from '@orpc/server';
import type { Logger } from 'pino';

const isOrpcError = (thrown: unknown): thrown is ORPCError<string, unknown> => thrown instanceof ORPCError;

const isAbort = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'AbortError';

/** Errors of oRPC itself, such as an invalid input, already have the form that the page understands. */
export function toBridgeError(thrown: unknown, logger: Logger): ORPCError<string, unknown> {
  if (isOrpcError(thrown)) {
    if (thrown.code === 'INTERNAL_SERVER_ERROR')
      logger.error({ err: thrown }, 'a result does not fit the bridge contract');
    return thrown;
  }
  const error = toAppError(thrown);
  // A window that closes stops its calls: that is no failure, and nobody receives the answer.
  if (isAbort(thrown)) logger.debug('a call was stopped by its window');
  else if (!(thrown instanceof AppError)) logger.error({ err: thrown }, 'unexpected failure of a procedure');
  return new ORPCError(error.code, {
    status: errorStatus[error.code],
    message: error.message,
    data: {
      ...error.details,
      ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    },
  });
}
