/** The shape of what clients send, by the schemas of the contract: nothing is coerced or filled in. */
import type * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { explainIssues, type Ranges } from '#contract/core/zodMessages.ts';
import { limits } from '#contract/core/limits.ts';
import { settingsRanges } from '#contract/local/settings.ts';

/** By field, so that a message can name both ends. */
export const ranges: Ranges = {
  ...limits.endpoint,
  ...settingsRanges,
  idleTimeout: limits.endpoint.idleTimeoutS,
  executionTimeoutMs: limits.executionTimeoutMs,
} as unknown as Ranges;

/** `value` as the schema has it. BAD_REQUEST, in words that begin with `subject`, where it is something else. */
export function validate<S extends z.ZodType>(schema: S, value: unknown, subject: string): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new AppError('BAD_REQUEST', explainIssues(result.error, subject, ranges));
}
