/** The error body of GraphQL, and the paths that have it. */
import type { ErrorCode } from '#contract/core/errors.ts';

/** The code of each error for clients of GraphQL. */
export const graphqlCodes: Record<ErrorCode, string> = {
  BAD_REQUEST: 'BAD_USER_INPUT',
  UNAUTHORIZED: 'UNAUTHENTICATED',
  FORBIDDEN: 'FORBIDDEN',
  NOT_FOUND: 'NOT_FOUND',
  METHOD_NOT_ALLOWED: 'METHOD_NOT_ALLOWED',
  CONFLICT: 'CONFLICT',
  TOO_LARGE: 'TOO_LARGE',
  UNPROCESSABLE: 'BAD_USER_INPUT',
  TOO_MANY_REQUESTS: 'TOO_MANY_REQUESTS',
  INTERNAL: 'INTERNAL_SERVER_ERROR',
  UNSUPPORTED: 'UNSUPPORTED',
  UPSTREAM: 'UPSTREAM',
  UNAVAILABLE: 'UNAVAILABLE',
  SECRETS_UNAVAILABLE: 'UNAVAILABLE',
  UPSTREAM_TIMEOUT: 'UPSTREAM_TIMEOUT',
  STORAGE_FULL: 'STORAGE_FULL',
};

export const GRAPHQL_PATH = '/graphql';

export const isGraphqlPath = (url: string | undefined): boolean =>
  url !== undefined && (url === GRAPHQL_PATH || url.startsWith(`${GRAPHQL_PATH}?`));

/** The error body; clients of GraphQL read only `errors`. */
export const graphqlErrorBody = (code: ErrorCode, message: string): string =>
  JSON.stringify({ errors: [{ message, extensions: { code: graphqlCodes[code] } }] });
