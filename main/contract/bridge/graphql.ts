/** The page's access to the GraphQL API of an account; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { limits } from '../core/limits.ts';

export const graphqlContract = {
  /**
   * Sends one operation with the key of the account. Errors of the operation are part of the answer, beside partial
   * data, as in GraphQL.
   */
  ask: oc
    .input(
      z.object({
        accountId: z.string(),
        query: z.string().max(limits.graphql.queryBytes),
        variables: z.record(z.string(), z.unknown()),
      }),
    )
    .output(
      z.object({
        data: z.record(z.string(), z.unknown()).nullable(),
        errors: z.array(z.object({ message: z.string() })),
      }),
    ),
};
