/**
 * Differences between the service description and its real clients: the answer by default, the exceptions, the reasons.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { StreamAnswer } from '#contract/local/settings.ts';

/** The public SDKs read `stream` of an envelope; the description has a bare array. SDKs get the envelope. */
const SDK_AGENTS = /RunPod-(JS|Python)-SDK|runpod-cli|runpod-go|runpod-mcp-server/i;

/**
 * Some clients of the cloud send the name of their HTTP library: the blocking client of the Python SDK (requests),
 * clients on aiohttp, and the cloud's MCP server (Node's fetch). These clients send a content type with every request;
 * other scripts on these libraries send none with a GET.
 */
const LIBRARIES = /^(?:python-requests\/|Python\/[\d.]+ aiohttp\/|node$|undici$)/;
const isQuietClient = ({ 'user-agent': agent, 'content-type': type }: IncomingHttpHeaders): boolean =>
  LIBRARIES.test(agent ?? '') && /^application\/json\b/i.test(type ?? '');

/**
 * Whether the answer has the chunks in an envelope with the status of the job. `?envelope=` decides for one request,
 * `answer` for the machine; `auto` decides by the client.
 */
export function wantsStreamEnvelope(
  headers: IncomingHttpHeaders,
  query: Pick<URLSearchParams, 'get'> | null,
  answer: StreamAnswer,
): boolean {
  const envelope = query?.get('envelope') ?? null;
  if (envelope !== null) return envelope === 'true' || envelope === '1';
  if (answer !== 'auto') return answer === 'envelope';
  return SDK_AGENTS.test(headers['user-agent'] ?? '') || isQuietClient(headers);
}

/** The status of the job, for readers of the bare list: it shows them when to stop. */
export const JOB_STATUS_HEADER = 'x-hangar-job-status';

/** The version of the public Python SDK in a worker's user agent; null for another program. */
export const publicSdkOf = (agent: string | undefined): string | null =>
  /^RunPod-Python-SDK\/([\w.+-]{1,40})/i.exec(agent ?? '')?.[1] ?? null;

/** The key of an Authorization header: with the bearer scheme, or bare as tools of the cloud send it. */
export function keyOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const key = /^bearer /i.test(authorization) ? authorization.slice(7).trim() : authorization.trim();
  return key === '' ? null : key;
}

/** The paths on which OpenAI clients parse only their own error format. */
export const isOpenaiPath = (url: string | undefined): boolean =>
  url !== undefined && /^\/v2\/[^/?]+\/openai(?=[/?]|$)/.test(url);

/** The error types of OpenAI's service by status. `openaiErrorBody` names those of other statuses. */
const openaiTypes: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

export interface OpenaiErrorFields {
  message: string;
  type?: unknown;
  param?: unknown;
  code?: unknown;
}

/**
 * The error body of an OpenAI client: `error` is an object, beside `message` and `status`. Other fields of a worker
 * stay.
 */
export function openaiErrorBody(status: number, fields: OpenaiErrorFields): string {
  const type = openaiTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const error = { type, param: null, code: null, ...fields };
  return JSON.stringify({ error, message: fields.message, status });
}

const REASON_CHARACTERS = 150;
const HEADER_CHARACTERS = 1000;

/** One line of ASCII of at most so many characters. */
function asciiLine(message: string, most: number): string {
  const line = message.replace(/[^\x20-\x7e]+/g, '?');
  return line.length > most ? `${line.slice(0, most - 3)}...` : line;
}

/**
 * The header with the reason why a job waits: a code, such as `cannot-run`, and a sentence. Clients of the cloud ignore
 * it.
 */
export const WAITING_HEADER = 'x-hangar-waiting';
/** The header with notices about an endpoint: why it cannot run, or what it gets in place of its settings. */
export const NOTICE_HEADER = 'x-hangar-notice';

/** A sentence as the value of a header. */
export const headerText = (message: string): string => asciiLine(message, HEADER_CHARACTERS);

/**
 * The reason phrase of a refusal. The public JavaScript SDK shows its callers the status line and not the body, so the
 * reason stands there too: one line of ASCII of limited length.
 */
export const reasonPhrase = (message: string): string => asciiLine(message, REASON_CHARACTERS);

/** The JSON of an error. Clients read `error`, `message` or `detail`, by their age; the body has all of them. */
export const errorBody = (status: number, message: string): string =>
  JSON.stringify({ error: message, message, status });
