/**
 * Every field of the root types, asked with whatever its arguments may be: what is wrong is said in words, and nothing
 * fails inside.
 */
import fc from 'fast-check';
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import { expect, test } from 'vitest';
import { startEngine } from '../../support/engine/engine.ts';
import { askGraphql, graphqlData } from '../../support/http/graphql.ts';

/** Of each field. */
const RUNS = 25;
const words = [
  '',
  'x',
  'a/b:c',
  'file:///nowhere',
  '8888/http,22/tcp',
  '80/udp',
  'CPU',
  'AMPERE_16,-NVIDIA L4',
  '2026-01-01T00:00:00Z',
  'cpu3c-2-4',
  'QB',
  'LB',
  "sh -c 'a",
  '\u0000',
  '😀',
];

function valueOf(type: GraphQLInputType): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return valueOf(type.ofType);
  if (isListType(type)) return fc.array(valueOf(type.ofType), { maxLength: 3 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const required = fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name);
    return fc.record(Object.fromEntries(fields.map((field) => [field.name, argumentOf(field.type)])), {
      requiredKeys: required,
    });
  }
  const scalars: Record<string, fc.Arbitrary<unknown>> = {
    Int: fc.oneof(fc.constantFrom(-1, 0, 1, 2, 5, 100), fc.integer()),
    Float: fc.oneof(fc.constantFrom(-1, 0, 0.5), fc.float({ noNaN: true, noDefaultInfinity: true })),
    Boolean: fc.boolean(),
    DateTime: fc.constantFrom('2026-01-01T00:00:00Z', '2100-01-01T00:00:00Z'),
  };
  return scalars[type.name] ?? fc.oneof(fc.constantFrom(...words), fc.string());
}

const argumentOf = (type: GraphQLInputType): fc.Arbitrary<unknown> =>
  isNonNullType(type) ? valueOf(type) : fc.oneof({ weight: 5, arbitrary: valueOf(type) }, fc.constant(null));

/** All that can be asked for without arguments, some levels deep. */
function selectionOf(outputType: GraphQLOutputType, levels: number): string {
  const type = getNamedType(outputType);
  if (!isObjectType(type)) return '';
  const fields = Object.values(type.getFields()).filter((field) =>
    field.args.every((each) => !isNonNullType(each.type)),
  );
  const chosen = fields.flatMap((field) => {
    if (!isObjectType(getNamedType(field.type))) return [field.name];
    return levels > 0 ? [`${field.name}${selectionOf(field.type, levels - 1)}`] : [];
  });
  return ` { ${['__typename', ...chosen].join(' ')} }`;
}

test('every field of the root types answers whatever it is asked with, and fails in words', async () => {
  await using engine = await startEngine();
  const schema = buildClientSchema((await graphqlData(engine, getIntrospectionQuery())) as never);
  const roots = [['query', schema.getQueryType()!] as const, ['mutation', schema.getMutationType()!] as const].flatMap(
    ([kind, type]) => Object.values(type.getFields()).map((field) => ({ kind, field })),
  );
  const argumentsOf = (field: GraphQLField<unknown, unknown>): fc.Arbitrary<Record<string, unknown>> =>
    fc.record(Object.fromEntries(field.args.map(({ name, type }) => [name, argumentOf(type)])));
  expect(roots.length).toBeGreaterThan(25);
  for (const { kind, field } of roots) {
    const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    const argumentTexts = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
    const asks = `${field.name}${argumentTexts && `(${argumentTexts})`}${selectionOf(field.type, 1)}`;
    const query = `${kind}${declared && ` (${declared})`} { ${asks} }`;
    await fc.assert(
      fc.asyncProperty(argumentsOf(field), async (variables) => {
        const { status, errors } = await askGraphql(engine, query, { variables });
        const faults = errors.filter(({ code }) =>
          ['INTERNAL_SERVER_ERROR', 'GRAPHQL_VALIDATION_FAILED'].includes(code),
        );
        expect([status < 500, faults], query).toEqual([true, []]);
      }),
      { numRuns: field.args.length === 0 ? 1 : RUNS },
    );
  }
});
