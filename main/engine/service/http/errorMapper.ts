/** Errors over HTTP: the one place where a code becomes a status and a body. */
import { errorStatus, toAppError, type AppError } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { BriefResponse } from './fastPath/response.ts';
import { errorBody, isOpenaiPath, openaiErrorBody, reasonPhrase } from './compat.ts';
import type { JobResponse } from './types.ts';
import { graphqlErrorBody, isGraphqlPath } from './errorFormats/graphql.ts';
import { isRestV2Path, problemBody, PROBLEM_TYPE } from './errorFormats/problem.ts';

const JSON_TYPE = 'application/json';

export interface HttpError {
  status: number;
  /** Of the status line. */
  reason: string;
  /** Of the body. */
  type: string;
  body: string;
  headers: Record<string, string>;
}

function bodyFor(error: AppError, url: string | undefined): string {
  const { code, message } = error;
  if (isGraphqlPath(url)) return graphqlErrorBody(code, message);
  if (isRestV2Path(url)) return problemBody(error);
  return isOpenaiPath(url)
    ? openaiErrorBody(errorStatus[code], { message, code: code.toLowerCase() })
    : errorBody(errorStatus[code], message);
}

/**
 * The answer to a thrown error. Logs unexpected errors, once; their answer names no internals.
 *
 * @param url The URL of the request: some paths have an error format of their own.
 */
export function toHttpError(thrown: unknown, logger: Logger, url?: string): HttpError {
  const error = toAppError(thrown);
  if (error.code === 'INTERNAL') logger.error({ err: error.cause ?? error }, 'a request failed');
  const status = errorStatus[error.code];
  return {
    status,
    reason: reasonPhrase(error.message),
    type: isRestV2Path(url) ? PROBLEM_TYPE : JSON_TYPE,
    body: bodyFor(error, url),
    headers:
      error.retryAfterMs === undefined
        ? {}
        : { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))) },
  };
}

const COMMA = 44;

/** Sends JSON text. Does nothing where the caller has gone. */
export function sendJson(response: JobResponse, status: number, text: string): void {
  if (response.destroyed || response.headersSent) return;
  const bytes = Buffer.byteLength(text);
  if (response instanceof BriefResponse) {
    response.sendJson(status, text, bytes);
    return;
  }
  response.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': bytes });
  response.end(text);
}

/** From this length on, texts are joined as bytes. */
const JOINED_LENGTH = 16 * 1024;

/**
 * Sends `before`, the texts with commas between them, and `after`. Many texts are written into one buffer: one long
 * string would be copied four times.
 */
export function sendJoined(response: JobResponse, before: string, texts: readonly string[], after: string): void {
  if (response.destroyed || response.headersSent) return;
  let length = texts.length + before.length + after.length;
  for (const text of texts) length += text.length;
  if (length < JOINED_LENGTH) {
    sendJson(response, 200, before + texts.join(',') + after);
    return;
  }
  const bytes = joined(before, texts, after);
  response.writeHead(200, { 'content-type': JSON_TYPE, 'content-length': bytes.length });
  response.end(bytes);
}

function joined(before: string, texts: readonly string[], after: string): Buffer {
  let length = Buffer.byteLength(before) + Buffer.byteLength(after) + Math.max(0, texts.length - 1);
  for (const text of texts) length += Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(length);
  let at = bytes.write(before);
  for (const [index, text] of texts.entries()) {
    if (index > 0) bytes[at++] = COMMA;
    at += bytes.write(text, at);
  }
  bytes.write(after, at);
  return bytes;
}

export function sendNothing(response: JobResponse): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(204);
  response.end();
}

export function sendError(response: JobResponse, thrown: unknown, logger: Logger): void {
  if (response.destroyed || response.headersSent) return;
  const { status, reason, type, body, headers } = toHttpError(thrown, logger, response.req.url);
  response.writeHead(status, reason, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
