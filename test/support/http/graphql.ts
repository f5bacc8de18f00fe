import { graphqlAnswerSchema } from '#contract/api/graphql.ts';
import type { TestEngine } from '../engine/engine.ts';
import type { SendOptions } from './client.ts';

export interface GraphqlAnswer {
  readonly status: number;
  readonly data: Record<string, unknown> | null | undefined;
  /** Message and code of each error. */
  readonly errors: readonly { message: string; code: string }[];
}

/** Posts a document, as the tools of the cloud do: with the key in the address. */
export async function askGraphql(
  engine: Pick<TestEngine, 'http' | 'key'>,
  query: string,
  more: { variables?: object; operationName?: string; key?: string | null } & SendOptions = {},
): Promise<GraphqlAnswer> {
  const { variables, operationName, key = engine.key, ...options } = more;
  const path = key === null ? '/graphql' : `/graphql?api_key=${key}`;
  const body = { query, ...(variables && { variables }), ...(operationName !== undefined && { operationName }) };
  const answer = await engine.http.post(path, body, { authorization: null, ...options });
  const { data, errors = [] } = graphqlAnswerSchema.parse(answer.json);
  return {
    status: answer.status,
    data,
    errors: errors.map(({ message, extensions: { code } }) => ({ message, code })),
  };
}

/** What was asked for, after making sure that all of it was answered. */
export async function graphqlData(
  engine: Pick<TestEngine, 'http' | 'key'>,
  query: string,
  variables?: object,
): Promise<Record<string, unknown>> {
  const { status, data, errors } = await askGraphql(engine, query, variables ? { variables } : {});
  if (status !== 200 || errors.length > 0 || !data) {
    throw new Error(`Refused with HTTP ${status}: ${JSON.stringify(errors)}`);
  }
  return data;
}
