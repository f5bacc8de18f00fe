/** urql over the bridge: operations go to the app, which adds the key of the account; the page never sees it. */
import { Client, subscriptionExchange, type AnyVariables, type DocumentInput, type Exchange } from 'urql';
import type * as z from 'zod';
import { api, ORPCError } from './transport/orpc.ts';

/**
 * Sends queries and mutations of an account over the bridge, as urql's exchange for custom transports. An operation
 * without subscribers is cancelled. If the app refuses a call, its error is the `networkError` of the result.
 */
const bridgeExchange = (accountId: string): Exchange =>
  subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: ({ query = '', variables = {} }) => ({
      subscribe(observer) {
        const abort = new AbortController();
        api.graphql.ask({ accountId, query, variables: { ...variables } }, { signal: abort.signal }).then(
          ({ data, errors }) => {
            observer.next({ data, ...(errors.length > 0 && { errors }) });
            observer.complete();
          },
          (error: unknown) => observer.error(error),
        );
        return { unsubscribe: () => abort.abort() };
      },
    }),
  });

const clients = new Map<string, Client>();

/** The client of an account. It does not cache, because prices and stock must be current. */
export function graphqlClient(accountId: string): Client {
  const known = clients.get(accountId);
  if (known) return known;
  // This exchange uses no URL, but urql requires one.
  const client = new Client({ url: 'bridge:', exchanges: [bridgeExchange(accountId)], preferGetMethod: false });
  clients.set(accountId, client);
  return client;
}

/**
 * Runs a query on an account, and parses its data by `schema`. Rejects with an ORPCError with a message for a person:
 * why the account was not reached, or the first error of its answer.
 */
export async function readGraphql<Schema extends z.ZodType, Variables extends AnyVariables>(
  accountId: string,
  query: DocumentInput<unknown, Variables>,
  variables: Variables,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { data, error } = await graphqlClient(accountId).query(query, variables).toPromise();
  if (error?.networkError) throw error.networkError;
  if (error) throw new ORPCError('UPSTREAM', { message: error.graphQLErrors[0]?.message ?? error.message });
  return schema.parse(data);
}
