/**
 * The size of a GraphQL document, and the depth and cost of its operations, as a rule of validation that names the
 * limit.
 */
import {
  getNamedType,
  getNullableType,
  GraphQLError,
  GraphQLInt,
  isCompositeType,
  isListType,
  Kind,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { limits } from '#contract/core/limits.ts';

interface Measure {
  depth: number;
  cost: number;
}

const NOTHING: Measure = { depth: 0, cost: 0 };
const introspects = (name: string): boolean => name === '__schema' || name === '__type';

function fieldType(parent: GraphQLCompositeType | null, name: string): GraphQLOutputType | null {
  return parent && 'getFields' in parent ? (parent.getFields()[name]?.type ?? GraphQLInt) : null;
}

/** Measures the operations of a document. Each fragment is measured once, so that nested fragments take no time. */
function createScale(schema: GraphQLSchema, document: DocumentNode): (operation: OperationDefinitionNode) => Measure {
  const fragments = new Map(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  const measured = new Map<string, Measure>();

  function ofFragment(name: string): Measure {
    const before = measured.get(name);
    if (before) return before;
    // A fragment inside itself counts as nothing: another rule refuses it.
    measured.set(name, NOTHING);
    const fragment = fragments.get(name);
    if (!fragment) return NOTHING;
    const measure = ofSelections(fragment.selectionSet, namedComposite(fragment.typeCondition.name.value));
    measured.set(name, measure);
    return measure;
  }

  function namedComposite(name: string): GraphQLCompositeType | null {
    const type = schema.getType(name);
    return isCompositeType(type) ? type : null;
  }

  function ofSelections({ selections }: SelectionSetNode, parent: GraphQLCompositeType | null): Measure {
    let depth = 0;
    let cost = 0;
    for (const selection of selections) {
      const one =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? ofSelections(
                selection.selectionSet,
                selection.typeCondition ? namedComposite(selection.typeCondition.name.value) : parent,
              )
            : ofField(selection.name.value, selection.selectionSet, parent);
      depth = Math.max(depth, one.depth);
      cost += one.cost;
    }
    return { depth, cost };
  }

  function ofField(
    name: string,
    selections: SelectionSetNode | undefined,
    parent: GraphQLCompositeType | null,
  ): Measure {
    if (introspects(name)) return { depth: 1, cost: limits.graphql.introspection };
    if (!selections) return { depth: 1, cost: 1 };
    const type = fieldType(parent, name);
    const named = type ? getNamedType(type) : null;
    const inside = ofSelections(selections, isCompositeType(named) ? named : null);
    const times = type && isListType(getNullableType(type)) ? limits.graphql.listed : 1;
    return { depth: 1 + inside.depth, cost: 1 + times * inside.cost };
  }

  return ({ operation, selectionSet }) => ofSelections(selectionSet, schema.getRootType(operation) ?? null);
}

/** The limit that the text of the document exceeds; null for none. */
function sizeFault(document: DocumentNode): { message: string; node: ASTNode } | null {
  const most = limits.graphql;
  let fields = 0;
  let fragments = 0;
  let fault: { message: string; node: ASTNode } | null = null;
  const names = new Map<string, number>();
  const refuse = (node: ASTNode, message: string): void => {
    fault ??= { message, node };
  };
  visit(document, {
    Field(node) {
      fields += 1;
      if (fields > most.fields)
        refuse(node, `A document may have ${most.fields} fields; this one has more. Ask in parts.`);
      if (!node.selectionSet) return;
      const name = (node.alias ?? node.name).value;
      const times = (names.get(name) ?? 0) + 1;
      names.set(name, times);
      if (times > most.sameName) {
        refuse(node, `"${name}" may be selected ${most.sameName} times in a document; this one does so more often.`);
      }
    },
    FragmentDefinition(node) {
      fragments += 1;
      if (fragments > most.fragments) {
        refuse(node, `A document may have ${most.fragments} fragments; this one has more. Ask in parts.`);
      }
    },
    FragmentSpread(node) {
      fields += 1;
      if (fields > most.fields)
        refuse(node, `A document may have ${most.fields} fields; this one has more. Ask in parts.`);
    },
  });
  return fault;
}

/** Apply this rule first: the others take long for documents that it refuses. */
export const limitsRule: ValidationRule = (context) => ({
  Document(document) {
    const fault = sizeFault(document);
    if (fault) {
      context.reportError(new GraphQLError(fault.message, { nodes: fault.node }));
      return false;
    }
    const measure = createScale(context.getSchema(), document);
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const { depth, cost } = measure(definition);
      const most = limits.graphql;
      if (depth > most.depth) {
        context.reportError(
          new GraphQLError(`Selections may be nested ${most.depth} deep; these are nested ${depth} deep.`, {
            nodes: definition,
          }),
        );
      }
      if (cost > most.cost) {
        context.reportError(
          new GraphQLError(
            `An operation may cost ${most.cost}, a field being 1 and a field of a list ${most.listed}; this one costs ${cost}. Ask for less, or in parts.`,
            { nodes: definition },
          ),
        );
      }
    }
    return false;
  },
});
