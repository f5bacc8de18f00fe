/** Errors in the format of OpenAI clients: the error object of the worker, or else the end of the job. */
import type { JobStatus } from '#contract/api/job.ts';
import { rawField } from '#contract/core/jsonScanner.ts';
import { openaiErrorBody } from '../http/compat.ts';

export interface OpenaiError {
  /** HTTP status, 400 to 599. */
  status: number;
  /** JSON text of the answer, or of the event of a stream. */
  body: string;
  /** Whether a repeated request may succeed; otherwise clients do not repeat it by themselves. */
  mayRetry: boolean;
}

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of errors, as `type` or `code`, of workers that send no number. */
const statusWords: [RegExp, number][] = [
  [/not_?found/i, 404],
  [/auth|invalid_api_key/i, 401],
  [/permission|forbidden/i, 403],
  [/rate_?limit|quota|too_?many/i, 429],
  [/overloaded|unavailable/i, 503],
  [/time_?out/i, 504],
  [/invalid|bad_?request|context_length/i, 400],
];

const isErrorStatus = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 400 && value <= 599;

function statusOf({ code, status, type }: Fields): number {
  for (const number of [code, status]) if (isErrorStatus(number)) return number;
  for (const name of [code, type]) {
    if (typeof name !== 'string') continue;
    for (const [word, status] of statusWords) if (word.test(name)) return status;
  }
  return 500;
}

function fromFields(fields: Fields): OpenaiError {
  const { error, message, error_message: thrown, type, object: _kind, ...rest } = fields;
  if (isObject(error)) return fromFields(error);
  const status = statusOf(fields);
  // An exception of our worker has its traceback, which belongs into the log, not into an answer.
  const facts = typeof thrown === 'string' ? {} : rest;
  // `error` names no kind of error; the status does where the worker names none.
  const kind = typeof type === 'string' && type !== 'error' ? { type } : {};
  const text = [error, message, thrown].find((one) => typeof one === 'string') ?? JSON.stringify(fields);
  return { status, body: openaiErrorBody(status, { ...facts, ...kind, message: text }), mayRetry: true };
}

/** The error of a worker: a text, JSON text, or an object with `error`, with `message` or with neither. */
export function errorOfWorker(value: unknown): OpenaiError {
  if (isObject(value)) return fromFields(value);
  const text = String(value);
  if (text.startsWith('{')) {
    try {
      const parsed: unknown = JSON.parse(text);
      if (isObject(parsed)) return fromFields(parsed);
    } catch {
      // The text only looks like JSON: it is the message.
    }
  }
  return fromFields({ message: text });
}

/**
 * The error in an answer; null for any other answer. An error is `{"error": …}`, or `{"object": "error", …}` of older
 * workers. Another answer with a field `error` names its kind in `object`.
 *
 * @param raw Raw JSON of any value.
 */
export function errorInAnswer(raw: string): OpenaiError | null {
  if (!raw.startsWith('{')) return null;
  const kind = rawField(raw, 'object');
  if (kind !== undefined && kind !== '"error"') return null;
  const error = rawField(raw, 'error');
  const has = kind === '"error"' || (error !== undefined && (error.startsWith('{') || /^".+"$/s.test(error)));
  return has ? errorOfWorker(JSON.parse(raw)) : null;
}

const errorAnswer = (status: number, code: string, message: string, mayRetry: boolean): OpenaiError => ({
  status,
  body: openaiErrorBody(status, { code, message }),
  mayRetry,
});

/** The error of a job that ended; null for a completed one. */
export function errorOfJob(job: { status: JobStatus; error: string | null }): OpenaiError | null {
  switch (job.status) {
    case 'FAILED':
      return errorOfWorker(job.error ?? 'The job failed without giving a reason.');
    case 'TIMED_OUT':
      return errorAnswer(504, 'job_timed_out', job.error ?? 'The job ran out of time.', false);
    case 'CANCELLED':
      return errorAnswer(409, 'job_cancelled', job.error ?? 'The job was cancelled.', false);
    default:
      return null;
  }
}

export const jobRemoved = (): OpenaiError =>
  errorAnswer(
    504,
    'job_removed',
    'The job is gone before it ended: its ttl has passed, or its endpoint was deleted.',
    false,
  );

export const noAnswer = (): OpenaiError =>
  errorAnswer(502, 'no_answer', 'The handler neither yielded nor returned anything for this request.', false);

export const resultExpired = (): OpenaiError =>
  errorAnswer(
    504,
    'result_expired',
    'The result is no longer kept: it was not taken in time after the job had ended.',
    true,
  );

export const begunAnew = (): OpenaiError =>
  errorAnswer(
    502,
    'stream_interrupted',
    'The job lost its worker after part of the answer was sent. Another attempt would begin the answer anew, so it was cancelled.',
    true,
  );

export const engineStops = (): OpenaiError => errorAnswer(503, 'engine_stopping', 'Hangar is being stopped.', true);
