/** The GraphQL schema, put together of parts: each has its types, and answers the fields that it adds to the root types. */
import {
  buildSchema,
  GraphQLError,
  valueFromASTUntyped,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';

/** How a field is answered. What it returns is asked field by field; functions are called for theirs. */
type Resolver = (args: never, context: unknown, info: GraphQLResolveInfo) => unknown;

/** One subject of the schema. */
export interface GraphqlPart {
  /** In the schema language; extends Query, Mutation and types of other parts. */
  readonly types: string;
  readonly queries?: Record<string, Resolver>;
  readonly mutations?: Record<string, Resolver>;
  /** Fields of User that it adds. */
  readonly user?: Record<string, Resolver>;
  /** Queries that are answered without a key. */
  readonly withoutKey?: readonly string[];
}

export interface Graphql {
  readonly schema: GraphQLSchema;
  /** What operations begin at. */
  readonly root: Record<string, unknown>;
  /** Fields of Query that need no key. */
  readonly withoutKey: ReadonlySet<string>;
}

const base = /* GraphQL */ `
  type Query {
    "Whoever's machine this is."
    myself: User
  }
  type Mutation
  type User

  "Answers nothing."
  scalar Void
  "A moment, as text: 2026-01-31T12:00:00.000Z."
  scalar DateTime

  enum ComputeType {
    CPU
    GPU
  }

  type EnvironmentVariable {
    key: String
    value: String
  }
  input EnvironmentVariableInput {
    key: String!
    value: String!
  }
`;

function moment(value: unknown): string {
  if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value;
  throw new GraphQLError(`${JSON.stringify(value)} is no moment; write it like "2026-01-31T12:00:00Z".`);
}

const scalars: Record<string, Partial<GraphQLScalarType>> = {
  Void: { serialize: () => null },
  DateTime: { parseValue: moment, parseLiteral: (node, variables) => moment(valueFromASTUntyped(node, variables)) },
};

export function createGraphql(parts: readonly GraphqlPart[]): Graphql {
  const schema = buildSchema([base, ...parts.map(({ types }) => types)].join('\n'));
  for (const [name, how] of Object.entries(scalars)) Object.assign(schema.getType(name) as GraphQLScalarType, how);
  return {
    schema,
    root: Object.assign(
      { myself: Object.assign({}, ...parts.map(({ user }) => user)) as unknown },
      ...parts.map(({ queries, mutations }) => ({ ...queries, ...mutations })),
    ) as Record<string, unknown>,
    withoutKey: new Set(['__schema', '__type', '__typename', ...parts.flatMap(({ withoutKey = [] }) => withoutKey)]),
  };
}
