/** Where the service description and its real clients differ: what is served by default, what to whom else, and why. */
import type { IncomingHttpHeaders } from 'node:http';
import type { StreamAnswer } from '#contract/local/settings.ts';

/** The public SDKs iterate `stream` of an envelope; the description says a bare array. So SDKs are served what they parse. */
const SDK_AGENTS = /RunPod-(JS|Python)-SDK|runpod-cli|runpod-go|runpod-mcp-server/i;

/**
 * Some clients of the cloud do not say who they are, but go by the name of the library they use: the blocking client of the Python
 * SDK (requests), clients on aiohttp, and the cloud's MCP server (Node's fetch). Other scripts on these libraries do not give a GET a
 * content type; these clients give one to every request.
 */
const LIBRARIES = /^(?:python-requests\/|Python\/[\d.]+ aiohttp\/|node$|undici$)/;
const isQuietClient = ({ 'user-agent': agent, 'content-type': type }: IncomingHttpHeaders): boolean =>
  LIBRARIES.test(agent ?? '') && /^application\/json\b/i.test(type ?? '');

/**
 * Whether chunks are answered in an envelope with the status of the job. `?envelope=` of a request says it for this request, `answer`
 * for the machine; `auto` goes by who asks.
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

/** Tells the status of the job beside the chunks, for readers of the list: without it they cannot see when to stop. */
export const JOB_STATUS_HEADER = 'x-hangar-job-status';

/** The version of the public Python SDK that a worker's request names; null where another program made it. */
export const publicSdkOf = (agent: string | undefined): string | null =>
  /^RunPod-Python-SDK\/([\w.+-]{1,40})/i.exec(agent ?? '')?.[1] ?? null;

/** Tools of the cloud send the bare key where the description declares the bearer scheme; both are keys here. */
export function keyOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const key = /^bearer /i.test(authorization) ? authorization.slice(7).trim() : authorization.trim();
  return key === '' ? null : key;
}

/** OpenAI clients parse nothing else on these paths. */
export const isOpenaiPath = (url: string | undefined): boolean =>
  url !== undefined && /^\/v2\/[^/?]+\/openai(?=[/?]|$)/.test(url);

/** The kinds that OpenAI's service names, by status; anything above is the server's. */
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

/** `error` is an object here; `message` and `status` stand beside it as in every other error. What a worker said besides stays. */
export function openaiErrorBody(status: number, fields: OpenaiErrorFields): string {
  const type = openaiTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error');
  const error = { type, param: null, code: null, ...fields };
  return JSON.stringify({ error, message: fields.message, status });
}

const REASON_CHARACTERS = 150;
const HEADER_CHARACTERS = 1000;

/** One line of ASCII, cut where it gets longer. */
function asciiLine(message: string, most: number): string {
  const line = message.replace(/[^\x20-\x7e]+/g, '?');
  return line.length > most ? `${line.slice(0, most - 3)}...` : line;
}

/** Why a job waits: its code, such as `cannot-run`, and a sentence for a person. Clients of the cloud read no other field of ours. */
export const WAITING_HEADER = 'x-hangar-waiting';
/** What a person should know of an endpoint: why it cannot run, or what it gets in place of what it asked for. */
export const NOTICE_HEADER = 'x-hangar-notice';

/** A text for a person as the value of a header. */
export const headerText = (message: string): string => asciiLine(message, HEADER_CHARACTERS);

/**
 * The words in the status line of a refusal. The public JavaScript SDK hands its callers the status line and not the body, so
 * the reason stands there too: one line of ASCII, cut where it gets long.
 */
export const reasonPhrase = (message: string): string => asciiLine(message, REASON_CHARACTERS);

/** Clients take their message from `error`, `message` or `detail`, by their age; each error carries what all of them read. */
export const errorBody = (status: number, message: string): string =>
  JSON.stringify({ error: message, message, status });
