/** Parses and checks GraphQL documents. A cache keeps the frequent ones. */
import {
  GraphQLError,
  Kind,
  NoUnusedVariablesRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { limitsRule } from './limits.ts';

export interface Operation {
  readonly kind: OperationTypeNode;
  /** The fields of the root type in the operation and its fragments, without aliases. */
  readonly rootFields: ReadonlySet<string>;
}

/** A checked document. With `errors` of its text, nothing is executed. */
export type CheckedDocument =
  | { readonly document: DocumentNode; readonly operations: ReadonlyMap<string, Operation> }
  | { readonly errors: readonly GraphQLError[]; readonly code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' };

/** The rules, without the one against unused variables: public tools declare such variables. */
const rules = specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule);

function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): Set<string> {
  const names = new Set<string>();
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        for (const definition of document.definitions) {
          if (definition.kind !== Kind.FRAGMENT_DEFINITION || definition.name.value !== selection.name.value) continue;
          collect(definition.selectionSet);
        }
      }
    }
  };
  collect(operation.selectionSet);
  return names;
}

/** Explains the error of the library for too many fields of one name; only its message identifies it. */
const inWords = (error: GraphQLError): GraphQLError =>
  error.message === 'Validation aborted.'
    ? new GraphQLError('Fields of one name are selected too often in one place to be compared; ask for each once.')
    : error;

function check(schema: GraphQLSchema, query: string): CheckedDocument {
  let document: DocumentNode;
  try {
    document = parse(query, { maxLexicalTokens: limits.graphql.tokens });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error], code: 'GRAPHQL_PARSE_FAILED' };
    // The document is too deep to parse.
    if (error instanceof RangeError) {
      const message = `Selections and values may be nested ${limits.graphql.depth} deep; these cannot be followed.`;
      return { errors: [new GraphQLError(message)], code: 'GRAPHQL_PARSE_FAILED' };
    }
    throw error;
  }
  const tooMuch = validate(schema, document, [limitsRule]);
  const errors = (tooMuch.length > 0 ? tooMuch : validate(schema, document, rules, { maxErrors: 20 })).map(inWords);
  if (errors.length > 0) return { errors, code: 'GRAPHQL_VALIDATION_FAILED' };
  const operations = new Map<string, Operation>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    operations.set(definition.name?.value ?? '', {
      kind: definition.operation,
      rootFields: rootFieldsOf(document, definition),
    });
  }
  return { document, operations };
}

export interface Documents {
  check(query: string): CheckedDocument;
}

/** Caches the latest documents; long texts are not cached. `graphql`: its schema is read at the first check. */
export function createDocuments(graphql: { readonly schema: GraphQLSchema }): Documents {
  const cache = new Map<string, CheckedDocument>();
  return {
    check(query) {
      const before = cache.get(query);
      if (before) {
        cache.delete(query);
        cache.set(query, before);
        return before;
      }
      const checked = check(graphql.schema, query);
      if (query.length > limits.graphql.cachedLength) return checked;
      cache.set(query, checked);
      const [oldest] = cache.keys();
      if (oldest !== undefined && cache.size > limits.graphql.cachedDocuments) cache.delete(oldest);
      return checked;
    },
  };
}

/** The operation to run. Throws BAD_REQUEST for several operations without a name. */
export function operationOf(operations: ReadonlyMap<string, Operation>, name: string | null): Operation {
  const names = [...operations.keys()];
  if (name !== null) {
    const operation = operations.get(name);
    if (operation) return operation;
    throw new AppError(
      'BAD_REQUEST',
      `The document has no operation ${JSON.stringify(name)}; it has ${quotedList(names)}.`,
    );
  }
  const [only, ...others] = operations.values();
  if (!only) throw new AppError('BAD_REQUEST', 'The document has no operation, only fragments.');
  if (others.length === 0) return only;
  throw new AppError('BAD_REQUEST', `The document has ${quotedList(names)}; say by operationName which is to run.`);
}

const quotedList = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map((name) => JSON.stringify(name)).join(', ');
