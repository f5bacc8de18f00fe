/** What a worker posts about a job: its result, its failure, or its progress. */
import { requireValue } from '#contract/core/requireValue.ts';
import { AppError, messageOf } from '#contract/core/errors.ts';
import { topLevelSpans, type Span } from '#contract/core/jsonScanner.ts';
import type { JsonText } from './payloadRef.ts';

export interface WorkerResult {
  /** Still running: `output` is progress, not the result. */
  progress: boolean;
  /** Raw JSON, as the worker wrote it. */
  output: JsonText | null;
  error: string | null;
  /** The worker asks to be replaced by a clean one. */
  stopWorker: boolean;
}

/** A result whose output is not yet cut out of the body. */
export interface ReadResult extends Omit<WorkerResult, 'output'> {
  output: Span | null;
}

/**
 * Reads a job-done body. Workers differ in their content types, so only the text counts. Throws BAD_REQUEST when it is
 * not a JSON object.
 */
export function readWorkerResult(text: string): ReadResult {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new AppError('BAD_REQUEST', `The worker's result is not valid JSON: ${messageOf(cause)}`, { cause });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('BAD_REQUEST', "The worker's result must be a JSON object with `output` or `error`.");
  }
  const { status, error, stopPod }: { status?: unknown; error?: unknown; stopPod?: unknown } = body;
  const hasError = error !== undefined && error !== null && error !== '';
  return {
    progress: status === 'IN_PROGRESS' && !hasError,
    output: 'output' in body ? requireValue(topLevelSpans(text).get('output'), 'the place of the output') : null,
    // Old workers send any type as their error; readers expect a string. Half a character could not be stored.
    error: hasError ? (typeof error === 'string' ? error.toWellFormed() : JSON.stringify(error)) : null,
    stopWorker: stopPod === true,
  };
}

/** The same, with the raw JSON of the output. */
export function parseWorkerResult(text: string): WorkerResult {
  const { progress, output, error, stopWorker } = readWorkerResult(text);
  return { progress, output: output && text.slice(output.start, output.end), error, stopWorker };
}
