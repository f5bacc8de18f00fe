/** urql over the bridge: operations go to the app, which adds the key of the account; the page never sees it. */
import { Client, subscriptionExchange, type CombinedError, type Exchange } from 'urql';
import { api, errorText } from './transport/orpc.ts';

/**
 * Carries queries and mutations of an account over the bridge. This is urql's exchange for transports of one's own; what nobody waits
 * for any more is cancelled. A call that the app refuses is the `networkError` of its result, with a message for a person.
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
          (error: unknown) => observer.error(new Error(errorText(error), { cause: error })),
        );
        return { unsubscribe: () => abort.abort() };
      },
    }),
  });

const clients = new Map<string, Client>();

/** The client of an account. It asks each time: prices and stock are wanted as they are now. */
export function graphqlClient(accountId: string): Client {
  const known = clients.get(accountId);
  if (known) return known;
  // An exchange that ends here reads no address, which urql asks for all the same.
  const client = new Client({ url: 'bridge:', exchanges: [bridgeExchange(accountId)], preferGetMethod: false });
  clients.set(accountId, client);
  return client;
}

/** What was wrong with an operation, for a person: the first error of its answer, or why there is no answer. */
export const graphqlErrorText = ({ graphQLErrors, networkError, message }: CombinedError): string =>
  graphQLErrors[0]?.message ?? networkError?.message ?? message;
