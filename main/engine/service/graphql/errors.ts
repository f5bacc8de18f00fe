/** Errors of the GraphQL API: the codes that its clients know, and the errors of single fields. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { graphqlCodes } from '../http/errorFormats/graphql.ts';

/** An error of the text of a document, or of its variables. */
export const formatError = ({ message, locations, path }: GraphQLError, code: string): GraphQLFormattedError => ({
  message,
  ...(locations && { locations }),
  ...(path && { path }),
  extensions: { code },
});

/** The error of one field. An unexpected error is logged, and its answer names no internals. */
export function formatFieldError(error: GraphQLError, logger: Logger): GraphQLFormattedError {
  const thrown = error.originalError ?? error;
  // An error with a code of its own keeps it: tools compare codes.
  if (thrown instanceof GraphQLError && typeof thrown.extensions['code'] === 'string') {
    return formatError(error, thrown.extensions['code']);
  }
  const appError = thrown instanceof AppError ? thrown : toAppError(thrown);
  if (appError.code === 'INTERNAL')
    logger.error({ err: appError.cause ?? appError }, 'a field of GraphQL could not be answered');
  return { ...formatError(error, graphqlCodes[appError.code]), message: appError.message };
}
