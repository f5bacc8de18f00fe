/** The problems of a form, found by the schema of its request. */
import type * as z from 'zod';
import { explainIssues, type Ranges } from '#contract/core/zodMessages.ts';
import { fieldProblem } from '../text/fieldLabels.ts';

/** Sentences by field of the request. */
export type Problems = ReadonlyMap<string, string>;

/**
 * The first problem of each field, in the service's words; of a number, the range that is allowed. `ranges`: limits of
 * which a message names both ends.
 */
export function schemaProblems(schema: z.ZodType, request: unknown, ranges: Ranges = {}): Map<string, string> {
  const problems = new Map<string, string>();
  const { error } = schema.safeParse(request, { reportInput: true });
  for (const issue of error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    if (!problems.has(field)) problems.set(field, fieldProblem(explainIssues({ issues: [issue] }, field, ranges)));
  }
  return problems;
}
