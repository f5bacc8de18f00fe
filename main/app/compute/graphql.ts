/** The GraphQL API of an account: one operation for each request. */
import { AppError } from '#contract/core/errors.ts';
import { lenientGraphqlAnswerSchema } from '#contract/api/lenient.ts';
import type * as z from 'zod';
import { readJson } from './http/parsers.ts';
import type { Outbound } from './http/outbound.ts';

export interface GraphqlApi {
  /** Resolves also if the operation has errors. Rejects if it was not executed at all. */
  ask(
    query: string,
    variables: Record<string, unknown>,
  ): Promise<{ data: Record<string, unknown> | null; errors: { message: string }[] }>;
  /** The data of a query, parsed by its schema. Rejects with UPSTREAM if the answer has an error or other data. */
  read<S extends z.ZodType>(
    question: string,
    query: string,
    variables: Record<string, unknown>,
    schema: S,
  ): Promise<z.output<S>>;
}

export function createGraphqlApi(outbound: Outbound): GraphqlApi {
  const ask: GraphqlApi['ask'] = async (query, variables) => {
    const body = JSON.stringify({ query, variables });
    const answer = await outbound.send({ method: 'POST', path: '/graphql', body });
    const { data, errors } = readJson('graphql', answer, lenientGraphqlAnswerSchema);
    return { data: data ?? null, errors: (errors ?? []).map(({ message }) => ({ message })) };
  };
  return {
    ask,
    async read(question, query, variables, schema) {
      const { data, errors } = await ask(query, variables);
      if (errors[0]) throw new AppError('UPSTREAM', errors[0].message);
      return readJson(question, JSON.stringify(data), schema);
    },
  };
}
