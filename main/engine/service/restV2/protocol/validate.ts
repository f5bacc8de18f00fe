/** Checks requests of REST v2 by their schemas. Errors are a 422 that names every wrong field. */
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { explainIssues } from '#contract/core/zodMessages.ts';
import { ranges } from '../../http/validate.ts';
import type { QueryTable } from './operation.ts';

function wordsOf(issue: z.core.$ZodIssue): string[] {
  const at = (name?: string): string => [...issue.path, ...(name === undefined ? [] : [name])].join('.');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `unexpected property: ${at(key)}`);
  const sentence = explainIssues(new z.ZodError([issue]), 'the request', ranges).replace(/\.$/, '');
  // The whole path of the field: several objects may have a field of this name.
  return [sentence];
}

/** Returns the value as the schema has it. Throws UNPROCESSABLE with every fault. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap(wordsOf);
  throw new AppError('UNPROCESSABLE', `The request is not valid: ${errors.join('; ')}.`, { details: { errors } });
}

/** The schema of a query. It ignores unknown parameters, as the published description does. */
export const querySchema = (query: QueryTable): z.ZodType =>
  z.object(Object.fromEntries(Object.entries(query).map(([name, { schema }]) => [name, schema])));
