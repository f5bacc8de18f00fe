/** urql over the bridge: documents go to the app, which adds the key of the account; the page never sees it. */
import { Client, fetchExchange } from 'urql';
import * as z from 'zod';
import { api, errorText } from './transport/orpc.ts';

const operationSchema = z.object({ query: z.string(), variables: z.record(z.string(), z.unknown()).default({}) });

const clients = new Map<string, Client>();

/** Asks each time: prices and stock are wanted as they are now. */
export function graphqlClient(accountId: string): Client {
  const known = clients.get(accountId);
  if (known) return known;
  const client = new Client({
    // Nothing is fetched from there: what would be sent to it goes over the bridge.
    url: '/graphql',
    exchanges: [fetchExchange],
    preferGetMethod: false,
    fetch: async (_address, init) => {
      const { query, variables } = operationSchema.parse(JSON.parse(init?.body as string));
      try {
        const { data, errors } = await api.graphql.ask({ accountId, query, variables });
        return Response.json({ data, ...(errors.length > 0 && { errors }) });
      } catch (error) {
        // Words for a person come back as an error of the operation.
        return Response.json({ data: null, errors: [{ message: errorText(error) }] });
      }
    },
  });
  clients.set(accountId, client);
  return client;
}
