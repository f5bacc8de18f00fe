/** Whether a request that came to nothing here may have been heard at the other side all the same. */
import type { AppError } from '#contract/core/errors.ts';

/** Answers of what stands before a service that leave open what the service itself has done. */
const LEAVES_OPEN: ReadonlySet<unknown> = new Set([502, 504, 520, 524]);

export const mayHaveExecuted = ({ details }: AppError): boolean =>
  details?.['sent'] === 'maybe' || LEAVES_OPEN.has(details?.['status']);
