/** POST /graphql: checks the key and the document, runs the operation, and answers with the status that fits. */
import type { IncomingMessage } from 'node:http';
import { execute, GraphQLError, OperationTypeNode, type GraphQLFormattedError } from 'graphql';
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import { graphqlAnswerSchema, graphqlRequestSchema } from '#contract/api/graphql.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { maySeeSecrets, type RequiredScope } from '../http/auth.ts';
import { keyOf } from '../http/compat.ts';
import { createDocuments, operationOf, type Operation } from './documents.ts';
import { formatError, formatFieldError } from './errors.ts';
import { GRAPHQL_PATH } from '../http/errorFormats/graphql.ts';
import type { Graphql, GraphqlContext } from './schema.ts';
import type { Admit } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

export interface GraphqlRouteOptions {
  admit: Admit;
  logger: Logger;
  graphql: Graphql;
}

const bodySchema = z
  .unknown()
  .superRefine((body, context) => {
    if (!Array.isArray(body)) return;
    const message = 'is a list: several operations in one request are not served. Send one request for each';
    context.addIssue({ code: 'custom', message });
  })
  .pipe(graphqlRequestSchema);

const answerShape = named('GraphqlAnswer', graphqlAnswerSchema);
const description = operation({
  id: 'graphql',
  group: 'graphql',
  // The route checks the key itself: the scope depends on the operation.
  need: null,
  summary:
    'Runs one GraphQL operation. Queries need a key of the scope `read` or more and mutations one of the scope `all`; what GPU types there are is told without one. The schema is told by introspection.',
  query: { api_key: { schema: z.string(), words: 'The key, where it is not sent as a header.' } },
  requestBody: { shape: named('GraphqlRequest', graphqlRequestSchema) },
  answers: {
    200: { words: 'What was asked for, or with errors as much of it as there is.', shape: answerShape },
    400: { words: 'The document cannot be read, does not fit the schema, or is too much.', shape: answerShape },
    401: { words: 'There is no API key, or it is unknown or disabled.', shape: answerShape },
    403: { words: 'The API key is good for less than this operation.', shape: answerShape },
    413: { words: 'The body or the query is too large.', shape: answerShape },
  },
});

/** The key of the header or of the address; tools of the cloud use either. */
function keyIn({ headers, url = '' }: IncomingMessage): string | null {
  const inHeader = keyOf(headers.authorization);
  if (inHeader !== null) return inHeader;
  const mark = url.indexOf('?');
  return mark === -1 ? null : keyOf(new URLSearchParams(url.slice(mark + 1)).get('api_key') ?? undefined);
}

const KEY_NEEDED =
  'An API key is needed: send it as "Authorization: Bearer <key>", or in the address as ?api_key=<key>. Only what GPU types there are is told without one.';

export function registerGraphqlRoute(api: Api, { admit, logger, graphql }: GraphqlRouteOptions): void {
  const { root, withoutKey } = graphql;
  const documents = createDocuments(graphql);

  /** The scope that an operation needs: a mutation needs more than a query. Null where it needs no key. */
  function needOf({ kind, rootFields }: Operation): RequiredScope | null {
    if (kind !== OperationTypeNode.QUERY) return 'all';
    return [...rootFields].every((name) => withoutKey.has(name)) ? null : 'read';
  }

  const refusal = (errors: readonly GraphQLError[], code: string): { errors: GraphQLFormattedError[] } => ({
    errors: errors.map((error) => formatError(error, code)),
  });

  api.post(
    GRAPHQL_PATH,
    {
      ...description,
      schema: { body: bodySchema },
      onRequest: async (request, reply) => {
        // A bad key is refused first, also where no key is needed.
        const key = keyIn(request.raw);
        if (key !== null) request.caller = admit(request, reply, { key, need: 'read', place: null });
      },
    },
    async (request, reply) => {
      const { raw, body, caller } = request;
      const { query, variables, operationName } = body;
      if (Buffer.byteLength(query) > limits.graphql.queryBytes) {
        throw new AppError(
          'TOO_LARGE',
          `A query may have ${limits.graphql.queryBytes} bytes; this one has ${Buffer.byteLength(query)}. Send what is long as variables.`,
        );
      }
      const checked = documents.check(query);
      const name = operationName === undefined || operationName === '' ? null : operationName;
      if ('errors' in checked) return reply.code(400).send(refusal(checked.errors, checked.code));
      const need = needOf(operationOf(checked.operations, name));
      const key = keyIn(raw);
      if (key === null && need !== null) throw new AppError('UNAUTHORIZED', KEY_NEEDED);
      if (key !== null && need === 'all') admit(request, reply, { key, need, place: null });
      const contextValue: GraphqlContext = { seesSecrets: maySeeSecrets(caller) };
      const result = await execute({
        schema: graphql.schema,
        document: checked.document,
        rootValue: root,
        contextValue,
        ...(variables && { variableValues: variables }),
        ...(name !== null && { operationName: name }),
      });
      const { data, errors } = result;
      // Without data nothing was executed: the variables do not fit.
      if (data === undefined) return reply.code(400).send(refusal(errors ?? [], 'BAD_USER_INPUT'));
      return reply.send({ ...(errors && { errors: errors.map((error) => formatFieldError(error, logger)) }), data });
    },
  );
}
