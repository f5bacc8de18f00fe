/** Errors of changes that were made only in part. */
import { AppError, toAppError } from '#contract/core/errors.ts';

/**
 * The error of a failure after a change: `thrown` with `state` after its message, a sentence about the change that
 * remains. `details.changed` is true, so that no message claims that nothing was changed.
 */
export function partialChange(thrown: unknown, state: string, cause: unknown = thrown): AppError {
  const { code, message, details, retryAfterMs } = toAppError(thrown);
  return new AppError(code, `${message} ${state}`, {
    details: { ...details, changed: true },
    cause,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Runs a step after a change. Its failure also contains `state`, as in `partialChange`. */
export async function afterChange<T>(state: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (thrown) {
    throw partialChange(thrown, state);
  }
}
