/** The body of /run and /runsync, checked against the contract; the same words for bodies of any size. */
import { AppError } from '#contract/core/errors.ts';
import { explainIssues } from '#contract/core/zodMessages.ts';
import {
  jobRequestSchema,
  jobRequestSchemaWith,
  policyFieldRanges,
  policySchemaFor,
  type JobRequest,
  type PolicyRanges,
} from '#contract/api/job.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import { parseJson } from '#contract/core/jsonScanner.ts';
import { limits } from '#contract/core/limits.ts';

type Range = PolicyRanges['ttlMs'];

/** The fields of a request that the rules read: all of its schema but `input`. */
export const jobTermNames = keysOf(jobRequestSchema.shape).filter((name) => name !== 'input');
export type JobTerms = Partial<Pick<JobRequest, keyof typeof jobRequestSchema.shape>>;

/** The schema of the ranges that were last asked for: they change seldom. */
let last: { executionTimeoutMs: Range; ttlMs: Range; schema: typeof jobRequestSchema } = {
  executionTimeoutMs: limits.executionTimeoutMs,
  ttlMs: limits.ttlMs,
  schema: jobRequestSchema,
};

const same = (one: Range, other: Range): boolean => one === other || (one.min === other.min && one.max === other.max);

function schemaFor({ executionTimeoutMs, ttlMs }: PolicyRanges): typeof jobRequestSchema {
  if (!same(executionTimeoutMs, last.executionTimeoutMs) || !same(ttlMs, last.ttlMs)) {
    const schema = jobRequestSchemaWith(policySchemaFor({ executionTimeoutMs, ttlMs }));
    last = { executionTimeoutMs, ttlMs, schema };
  }
  return last.schema;
}

export const notUtf8 = (): AppError => new AppError('BAD_REQUEST', 'The body is not valid UTF-8 text.');

/** Throws BAD_REQUEST with what is wrong. Fields that are not known are kept for the handler. */
export function parseRequest(text: string, ranges: PolicyRanges = limits): JobRequest {
  const body = parseJson(text, 'The request body');
  const result = schemaFor(ranges).safeParse(body, { reportInput: true });
  if (!result.success) {
    throw new AppError('BAD_REQUEST', explainIssues(result.error, 'The request body', policyFieldRanges(ranges)));
  }
  return result.data;
}
