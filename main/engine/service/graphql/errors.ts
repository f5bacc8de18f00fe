/** Errors of the GraphQL API: codes as its clients know them, and what a client is told of what went wrong while it was answered. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError, toAppError, type ErrorCode } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';

const codes: Record<ErrorCode, string> = {
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

/** Clients of this path read the message from `errors` and nowhere else. */
export const graphqlErrorBody = (code: ErrorCode, message: string): string =>
  JSON.stringify({ errors: [{ message, extensions: { code: codes[code] } }] });

/** An error of the text of a document, or of its variables. */
export const told = ({ message, locations, path }: GraphQLError, code: string): GraphQLFormattedError => ({
  message,
  ...(locations && { locations }),
  ...(path && { path }),
  extensions: { code },
});

/** An error that a field was answered with. What is unexpected is logged, and told without its insides. */
export function toldOfField(error: GraphQLError, logger: Logger): GraphQLFormattedError {
  const thrown = error.originalError ?? error;
  // What tools compare has its code already.
  if (thrown instanceof GraphQLError && typeof thrown.extensions['code'] === 'string') {
    return told(error, thrown.extensions['code']);
  }
  const known = thrown instanceof AppError ? thrown : toAppError(thrown);
  if (known.code === 'INTERNAL')
    logger.error({ err: known.cause ?? known }, 'a field of GraphQL could not be answered');
  return { ...told(error, codes[known.code]), message: known.message };
}
