/** The one error type of Hangar and the list of its codes; each wire maps the codes once. */

/** Code → HTTP status. The codes are for programs; a new one is added here and nowhere else. */
export const errorStatus = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TOO_LARGE: 413,
  /** A request of REST v2 that does not have the shape it must have; its details list what is wrong. */
  UNPROCESSABLE: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  /** The account has no such thing; asking again will not change that. */
  UNSUPPORTED: 501,
  /** The other side answered something that cannot be understood, or refused for a reason of its own. */
  UPSTREAM: 502,
  /** The engine or a remote account cannot be reached now; trying again later may work. */
  UNAVAILABLE: 503,
  /** Kept keys cannot be read or written now: they are locked, or the keychain does not answer. */
  SECRETS_UNAVAILABLE: 503,
  /** The other side took longer than it may. */
  UPSTREAM_TIMEOUT: 504,
  /** The disk is full: nothing was accepted, nothing was lost. */
  STORAGE_FULL: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus) as ErrorCode[];

export interface AppErrorOptions {
  /** Facts for a program, free of secrets. */
  details?: Record<string, unknown>;
  /** When it makes sense to try again. */
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

/** Anything caught, as an AppError; unknown failures become INTERNAL and keep their cause for the log. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('INTERNAL', 'Something went wrong inside Hangar. The log has the details.', { cause: thrown });
}
