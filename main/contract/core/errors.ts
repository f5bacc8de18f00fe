/** The one error type of Hangar and the list of its codes. Each protocol maps the codes in one place. */
import { keysOf } from './keysOf.ts';

/** Code → HTTP status. Programs read the codes. New codes are added only here. */
export const errorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TOO_LARGE: 413,
  /** A request of REST v2 has the wrong shape; `details` list the faults. */
  UNPROCESSABLE: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  /** The account lacks this part of the API; another try does not change that. */
  UNSUPPORTED: 501,
  /** The other side sent an answer that cannot be understood, or refused for a reason of its own. */
  UPSTREAM: 502,
  /** The engine or a remote account cannot be reached now; trying again later may work. */
  UNAVAILABLE: 503,
  /** Stored keys cannot be read or written now: they are locked, or the keychain does not answer. */
  SECRETS_UNAVAILABLE: 503,
  /** The other side did not answer in time. */
  UPSTREAM_TIMEOUT: 504,
  /** The disk is full: nothing was accepted and nothing was lost. */
  STORAGE_FULL: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = keysOf(errorStatus);

export interface AppErrorOptions {
  /** Facts for a program, free of secrets. */
  details?: Record<string, unknown>;
  /** Milliseconds after which another try makes sense. */
  retryAfterMs?: number;
  /** For the log only; never sent. */
  cause?: unknown;
}

/** An expected failure. `message` is for a person: what was wrong, the limit, what to do. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Turns any thrown value into an AppError. An unknown failure becomes INTERNAL and keeps its cause for the log. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('INTERNAL', 'Something went wrong inside Hangar. The log has the details.', { cause: thrown });
}

/** The message of any thrown value, such as an error of a parser or of the operating system. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const LACKING: ReadonlySet<ErrorCode> = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'UNSUPPORTED']);

/** Whether a failed request says that the account lacks that part of the API. */
export const isUnsupported = (thrown: unknown): boolean => thrown instanceof AppError && LACKING.has(thrown.code);

/** Statuses of proxies in front of a service. They do not show whether the service executed the request. */
const STATUSES_OF_PROXIES: ReadonlySet<unknown> = new Set([502, 504, 520, 524]);

/**
 * Whether the other side may have executed a request that failed here. `details` are the details of an `AppError`, also
 * after they crossed the bridge as `data`. `sent: 'maybe'` marks a lost answer; `changed: true` marks a change that was
 * made only in part.
 */
export function mayHaveExecuted({ details }: { details?: Record<string, unknown> | undefined }): boolean {
  return details?.['sent'] === 'maybe' || details?.['changed'] === true || STATUSES_OF_PROXIES.has(details?.['status']);
}

/** The error with the name of the field of the request that it is about. A name that it has already stays. */
export function aboutField(field: string, thrown: unknown): AppError {
  const { code, message, details, retryAfterMs } = toAppError(thrown);
  return new AppError(code, message, {
    details: { field, ...details },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause: thrown,
  });
}
