/** The body of /run and /runsync, checked against the contract; the same words for bodies of any size. */
import { AppError } from '#contract/errors.ts';
import { explainIssues } from '#contract/explain.ts';
import { jobRequestSchema, type JobRequest } from '#contract/job.ts';
import { parseJson } from '#contract/jsonText.ts';
import { limits } from '#contract/limits.ts';

/** What the rules need to know of a request; its `input` is never looked into. */
export type JobTerms = Partial<Pick<JobRequest, 'input' | 'policy' | 'webhook' | 's3Config'>>;

const policyRanges = { executionTimeout: limits.executionTimeoutMs, ttl: limits.ttlMs };

export const notUtf8 = (): AppError => new AppError('BAD_REQUEST', 'The body is not valid UTF-8 text.');

/** Throws BAD_REQUEST with what is wrong. Fields that are not known are kept for the handler. */
export function parseRequest(text: string): JobRequest {
  const body = parseJson(text, 'The request body');
  const result = jobRequestSchema.safeParse(body, { reportInput: true });
  if (!result.success) {
    throw new AppError('BAD_REQUEST', explainIssues(result.error, 'The request body', policyRanges));
  }
  return result.data;
}
