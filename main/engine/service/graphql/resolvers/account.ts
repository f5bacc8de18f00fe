/**
 * The account of this machine in the GraphQL API, with the SSH key for Pods. Money, teams and notices are only in the
 * cloud.
 */
import type { GraphQLResolveInfo } from 'graphql';
import * as z from 'zod';
import { PERSON, type Account } from '../../../domain/access/owner.ts';
import type { GraphqlPart } from '../schema.ts';

const types = /* GraphQL */ `
  extend type User {
    id: String!
    "The same as id: this machine has one person."
    authId: String
    "SSH keys in the form of authorized_keys, which Pods find in their variable PUBLIC_KEY."
    pubKey: String
    "Null here."
    email: String
    "Null here: this machine takes no payments."
    clientBalance: Float
    "Null here."
    clientLifetimeSpend: Float
    "Null here."
    creditAlertThreshold: Float
    "Null here."
    maxServerlessConcurrency: Int
    "Null here."
    minBalance: Float
    "Null here."
    notifyLowBalance: Boolean
    "Null here."
    notifyPodsGeneral: Boolean
    "Null here."
    notifyPodsStale: Boolean
    "Null here: prices of this machine have no discount."
    serverlessDiscount: ServerlessDiscount
    "Null here."
    spendLimit: Float
    "Null here."
    underBalance: Boolean
  }
  type ServerlessDiscount {
    userId: String
    type: String
    discountFactor: Float
    expirationDate: DateTime
  }
  input UpdateUserSettingsInput {
    pubKey: String
  }
  extend type Mutation {
    updateUserSettings(input: UpdateUserSettingsInput): User
  }
`;

const rootSchema = z.looseObject({ myself: z.unknown() });

export const accountOperations = (account: Account): GraphqlPart => ({
  types,
  mutations: {
    updateUserSettings(
      { input }: { input?: { pubKey?: string | null } | null },
      _context: unknown,
      { rootValue }: GraphQLResolveInfo,
    ) {
      if (typeof input?.pubKey === 'string') account.setPubKey(input.pubKey);
      return rootSchema.parse(rootValue).myself;
    },
  },
  user: { id: () => PERSON, authId: () => PERSON, pubKey: () => account.pubKey() },
});
