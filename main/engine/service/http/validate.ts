/** Checks values that clients send, by the schemas of the contract. Nothing is coerced or filled in. */
import type * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { explainIssues, type Ranges } from '#contract/core/zodMessages.ts';
import { limits } from '#contract/core/limits.ts';
import { settingsRanges } from '#contract/local/settings.ts';

const { nameLength: _, ...endpointRanges } = limits.endpoint;

/** The ranges of numbers by field, so that a message can name both ends. */
export const ranges: Ranges = {
  ...endpointRanges,
  ...settingsRanges,
  idleTimeout: limits.endpoint.idleTimeoutS,
  executionTimeoutMs: limits.executionTimeoutMs,
};

/** Returns the value as the schema has it. Throws BAD_REQUEST, with `subject` at its begin, for any other value. */
export function validate<S extends z.ZodType>(schema: S, value: unknown, subject: string): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new AppError('BAD_REQUEST', explainIssues(result.error, subject, ranges));
}
