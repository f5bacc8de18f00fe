/** Secrets in the GraphQL API: made, listed without their values, and deleted. */
import { AppError } from '#contract/core/errors.ts';
import { PERSON } from '../../../domain/access/owner.ts';
import type { Secret, Secrets } from '../../../domain/resources/secrets.ts';
import type { GraphqlPart } from '../schema.ts';

const types = /* GraphQL */ `
  "What variables refer to as {{ RUNPOD_SECRET_name }}. Its value is written once and never answered."
  type Secret {
    id: String!
    name: String!
    description: String
    createdAt: DateTime
    userId: String
  }
  input SecretCreateInput {
    name: String!
    value: String!
    description: String
  }
  extend type Mutation {
    secretCreate(input: SecretCreateInput): Secret
    secretDelete(id: String): Void
  }
  extend type User {
    secrets: [Secret!]
  }
`;

interface CreateInput {
  name: string;
  value: string;
  description?: string | null;
}

const answered = (secret: Secret) => ({ ...secret, userId: PERSON });

export const secretOperations = (secrets: Secrets): GraphqlPart => ({
  types,
  mutations: {
    secretCreate({ input }: { input?: CreateInput | null }) {
      if (!input) throw new AppError('BAD_REQUEST', 'input is needed: the name and the value of the secret.');
      const { name, value, description } = input;
      return answered(secrets.create({ name, value, description: description ?? undefined }));
    },
    secretDelete({ id }: { id?: string | null }) {
      secrets.delete(id ?? '');
    },
  },
  user: { secrets: () => secrets.list().map(answered) },
});
