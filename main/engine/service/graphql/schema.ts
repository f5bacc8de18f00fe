/** The GraphQL schema, made of parts. Each part has types, and resolvers for the root fields that it adds. */
import {
  buildSchema,
  defaultFieldResolver,
  GraphQLError,
  isObjectType,
  isScalarType,
  valueFromASTUntyped,
  type GraphQLResolveInfo,
  type GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';
import { MASK } from '#contract/core/secretPatterns.ts';

/** The rights of the caller. */
export interface GraphqlContext {
  readonly seesSecrets: boolean;
}

/** The resolver of a field. GraphQL reads the fields of its result, and calls those that are functions. */
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
  /** Made when it is first read: that takes 0.1 s, and the engine starts without it. */
  readonly schema: GraphQLSchema;
  /** The root value of operations. */
  readonly root: Record<string, unknown>;
  /** Fields of Query that need no key. */
  readonly withoutKey: ReadonlySet<string>;
}

const base = /* GraphQL */ `
  "Told to keys with full scope alone; others get a mask. Of a list of KEY=VALUE they are told the keys."
  directive @secret on FIELD_DEFINITION

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
  "Any JSON value."
  scalar JSON

  enum ComputeType {
    CPU
    GPU
  }

  type EnvironmentVariable {
    key: String
    value: String @secret
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

function masked(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  return Array.isArray(value) ? value.map((pair) => `${String(pair).split('=')[0]}=${MASK}`) : MASK;
}

/** Makes secret fields answer a mask to callers without full keys. */
function maskSecrets(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.astNode?.directives?.some(({ name }) => name.value === 'secret')) continue;
      field.resolve = async (
        source: unknown,
        args: Record<string, unknown>,
        context: GraphqlContext | undefined,
        info,
      ) => {
        const value: unknown = await defaultFieldResolver(source, args, context, info);
        return context?.seesSecrets ? value : masked(value);
      };
    }
  }
}

function schemaOf(parts: readonly GraphqlPart[]): GraphQLSchema {
  const schema = buildSchema([base, ...parts.map(({ types }) => types)].join('\n'));
  maskSecrets(schema);
  for (const [name, definition] of Object.entries(scalars)) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, definition);
  }
  return schema;
}

/** Reading `schema` throws if the types of the parts are not valid. */
export function createGraphql(parts: readonly GraphqlPart[]): Graphql {
  let schema: GraphQLSchema | null = null;
  const myself: Record<string, unknown> = {};
  const root: Record<string, unknown> = { myself };
  for (const { user, queries, mutations } of parts) {
    Object.assign(myself, user);
    Object.assign(root, queries, mutations);
  }
  return {
    get schema() {
      return (schema ??= schemaOf(parts));
    },
    root,
    withoutKey: new Set(['__schema', '__type', '__typename', ...parts.flatMap(({ withoutKey = [] }) => withoutKey)]),
  };
}
