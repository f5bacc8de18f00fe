/** What an OpenAI client asks, as the input of a job: the path, and the request body as it was sent. */
import { AppError } from '#contract/core/errors.ts';
import { parseJson } from '#contract/core/jsonScanner.ts';
import type { JsonText } from './payloadRef.ts';

export interface OpenaiRequest {
  /** Whether the answer is to be streamed. */
  streamed: boolean;
  /** The body of the job. */
  body: JsonText;
}

/** Checks a request body. Throws BAD_REQUEST where it is not a JSON object. */
export function parseOpenaiRequest(text: string): Pick<OpenaiRequest, 'streamed'> {
  const body = parseJson(text, 'The request body');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('BAD_REQUEST', 'The request body must be a JSON object.');
  }
  return { streamed: 'stream' in body && body.stream === true };
}

/** What stands before and after the request body in the body of its job. */
export const openaiFrame = (route: string): { before: string; after: string } => ({
  before: `{"input":{"openai_route":${JSON.stringify(route)},"openai_input":`,
  after: '}}',
});

/** The body of a job for a request that has none of its own. */
export const openaiJobWithoutInput = (route: string): string => `{"input":{"openai_route":${JSON.stringify(route)}}}`;
