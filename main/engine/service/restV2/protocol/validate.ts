/** What clients of REST v2 send, by its schemas: whatever does not fit is a 422 that names every field that is wrong. */
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { explainIssues } from '#contract/core/zodMessages.ts';
import { ranges } from '../../http/validate.ts';
import type { QueryTable } from './operation.ts';

function wordsOf(issue: z.core.$ZodIssue): string[] {
  const at = (name?: string): string => [...issue.path, ...(name === undefined ? [] : [name])].join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `unexpected property: ${at(key)}`);
  const sentence = explainIssues(new z.ZodError([issue]), 'the request', ranges).replace(/\.$/, '');
  // The name of the field alone would not tell which of several objects it is in.
  return [sentence];
}

/** `value` as the schema has it; nothing is filled in. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap(wordsOf);
  throw new AppError('UNPROCESSABLE', `The request is not valid: ${errors.join('; ')}.`, { details: { errors } });
}

/** Parameters that are not known are ignored, as the published description has it. */
export const querySchema = (query: QueryTable): z.ZodType =>
  z.object(Object.fromEntries(Object.entries(query).map(([name, { schema }]) => [name, schema])));
