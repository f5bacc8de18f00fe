/** Errors of the GraphQL API: codes as its clients know them, and what a client is told of what went wrong while it was answered. */
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { graphqlCodes } from '../http/errorFormats/graphql.ts';

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
  return { ...told(error, graphqlCodes[known.code]), message: known.message };
}
