/** The GraphQL API of an account: one operation a request. */
import { graphqlAnswerSchema } from '#contract/api/graphql.ts';
import { readJson } from './http/parsers.ts';
import type { Outbound } from './http/outbound.ts';

export interface GraphqlApi {
  /** Resolves with the errors of the operation as well; rejects where it was not executed at all. */
  ask(
    query: string,
    variables: Record<string, unknown>,
  ): Promise<{ data: Record<string, unknown> | null; errors: { message: string }[] }>;
}

export const createGraphqlApi = (outbound: Outbound): GraphqlApi => ({
  async ask(query, variables) {
    const body = JSON.stringify({ query, variables });
    const answer = await outbound.send({ method: 'POST', path: '/graphql', body });
    const { data = null, errors = [] } = readJson('graphql', answer, graphqlAnswerSchema);
    return { data, errors: errors.map(({ message }) => ({ message })) };
  },
});
