/** Turns refusals, redirects and broken connections into errors with words for a person. */
import { PAGE_REFUSAL } from '#contract/app/pairingLink.ts';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import * as z from 'zod';

/** The error code of each HTTP status of a refusal. */
export const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'FORBIDDEN',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'UPSTREAM_TIMEOUT',
  409: 'CONFLICT',
  410: 'UNSUPPORTED',
  413: 'TOO_LARGE',
  422: 'BAD_REQUEST',
  429: 'TOO_MANY_REQUESTS',
  501: 'UNSUPPORTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
  507: 'STORAGE_FULL',
  // Statuses of proxies in front of a service that took too long or was not reachable.
  520: 'UNAVAILABLE',
  521: 'UNAVAILABLE',
  522: 'UNAVAILABLE',
  523: 'UNAVAILABLE',
  524: 'UPSTREAM_TIMEOUT',
};

/** The shapes of error bodies of services; the first text in them is shown. */
const errorBodySchema = z.looseObject({
  message: z.string().optional(),
  error: z.union([z.string(), z.looseObject({ message: z.string() })]).optional(),
  /** The list of errors of a problem document. */
  detail: z.string().optional(),
  errors: z
    .array(z.union([z.string(), z.looseObject({ message: z.string() }).transform(({ message }) => message)]))
    .optional()
    .catch(undefined),
});

/** Null if the body has none of these shapes, such as a proxy's HTML page, whose text would not help a person. */
function explanation(body: string): string | null {
  const parsed = errorBodySchema.safeParse(parseJsonOrNull(body));
  if (!parsed.success) return null;
  const { message, error, detail, errors = [] } = parsed.data;
  const text = message ?? (typeof error === 'object' ? error.message : error) ?? detail;
  return [...(text ? [text] : []), ...errors].join(' ') || null;
}

/** Connection errors that always occur before anything is sent. */
const nothingSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * The error of a request without an answer. `details.sent` is "maybe" if the service may have received it, and "no" if
 * it certainly did not: only who sends something new says so, because a person reads it of what was sent before.
 */
export function connectionError(thrown: unknown, name: string): AppError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (nothingSent.has(code)) {
    return new AppError('UNAVAILABLE', `Cannot reach ${name} (${code}).`, { details: { sent: 'no' }, cause: thrown });
  }
  if (code.startsWith('UND_ERR_') && code.endsWith('_TIMEOUT')) {
    return new AppError('UNAVAILABLE', `${name} did not answer in time.`, {
      details: { sent: 'maybe' },
      cause: thrown,
    });
  }
  return new AppError('UNAVAILABLE', `The connection to ${name} broke before the answer was complete.`, {
    details: { sent: 'maybe' },
    cause: thrown,
  });
}

/** The message for a redirect. The app does not follow redirects: the other address would get the key, too. */
export function redirected(name: string, from: string, location: string | string[] | undefined): string {
  const sentence = `${name} sends requests on to another address`;
  const url = typeof location === 'string' && URL.canParse(location, from) ? new URL(location, from) : null;
  return `${sentence}${url === null ? '' : `, at ${url.origin}`}. Nothing was sent there. If it is the right one, enter it in place of this one.`;
}

/** Milliseconds to wait for a Retry-After header in seconds or as a date. Undefined if it cannot be parsed. */
export function retryAfterMs(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

export interface Refusal {
  status: number;
  /** The body of the answer. */
  text: string;
  /** Milliseconds after which the service accepts a new request; undefined if it does not say. */
  waitMs: number | undefined;
}

/** The words for an answer that has none of its own. Services refuse a key with an empty answer. */
function unexplained(name: string, status: number): string {
  if (status === 401) return `${name} does not accept the key: it may be wrong, disabled or deleted.`;
  if (status === 403) return `The key may not do this on ${name}.`;
  return `${name} answered ${status} without an explanation.`;
}

const PAGE_ADDRESS = "This is the address of Hangar's page, where no key is accepted.";

/** The error for an answer that is not 2xx. `hide` masks keys in the text of the service. */
export function refusal(name: string, { status, text, waitMs }: Refusal, hide: (text: string) => string): AppError {
  if (status === 401 && text.trim() === PAGE_REFUSAL) {
    // Not a refused key: no API is at this address.
    return new AppError('UNAVAILABLE', `${PAGE_ADDRESS} Enter the address of its API, which its status bar shows.`);
  }
  const reason = explanation(text);
  return new AppError(codeOfStatus[status] ?? 'UPSTREAM', reason === null ? unexplained(name, status) : hide(reason), {
    details: { status },
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  });
}
