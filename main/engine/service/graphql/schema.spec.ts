/**
 * The types of the GraphQL API beside the schemas of the contract: what both have is of one kind, and what only one has
 * is listed here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  validateSchema,
  type GraphQLType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { pairs } from '../../../../test/support/graphql/schemaPairs.ts';
import { accountOperations } from './resolvers/account.ts';
import { cloudOnlyOperations } from './resolvers/cloudOnly.ts';
import { endpointOperations } from './resolvers/endpoints.ts';
import { gpuTypeOperations } from './resolvers/gpuTypes.ts';
import { podOperations } from './resolvers/pods.ts';
import { secretOperations } from './resolvers/secrets.ts';
import { templateOperations } from './resolvers/templates.ts';
import { volumeOperations } from './resolvers/volumes.ts';
import { createGraphql } from './schema.ts';

/** Only its types are looked at; nothing is asked of what is behind them. */
const nobody = {} as never;
const { schema } = createGraphql([
  accountOperations(nobody),
  templateOperations(nobody, nobody, nobody),
  endpointOperations(nobody),
  volumeOperations(nobody),
  gpuTypeOperations(nobody),
  podOperations(nobody),
  secretOperations(nobody),
  cloudOnlyOperations(),
]);

interface JsonSchema {
  type?: string | string[];
  enum?: string[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** What cannot be known on one machine, or only a cloud has. */
/** Objects that have a pair of their own. */
const linked = new Set(['cpuType', 'gpuType', 'machine', 'networkVolume', 'template']);

const scalarKinds: Record<string, string> = {
  String: 'string',
  DateTime: 'string',
  Int: 'integer',
  Float: 'number',
  Boolean: 'boolean',
};

/**
 * Both sides of a field as one word or line: `integer`, `[string]`, `{a: integer, b: string}`; enums with their values.
 */
function graphqlKind(graphqlType: GraphQLType): string {
  const type = getNullableType(graphqlType);
  if (isListType(type)) return `[${graphqlKind(type.ofType)}]`;
  if (isScalarType(type)) return scalarKinds[type.name] ?? type.name;
  if (isEnumType(type)) return 'string';
  if (!isObjectType(type) && !isInputObjectType(type)) return 'object';
  const fields = Object.values(type.getFields()).map((field) => [field.name, graphqlKind(field.type)] as const);
  return objectKind(fields);
}

const objectKind = (fields: readonly (readonly [string, string])[]): string =>
  `{${fields
    .map(([name, kind]) => `${name}: ${kind}`)
    .sort()
    .join(', ')}}`;

function contractKind({ type, enum: values, anyOf, items, properties }: JsonSchema): string {
  if (anyOf) {
    const kinds = new Set(anyOf.filter((one) => one.type !== 'null').map(contractKind));
    return [...kinds].join(' or ');
  }
  if (values) return 'string';
  if (type === 'array') return `[${contractKind(items ?? {})}]`;
  if (!properties) {
    return [type ?? 'anything']
      .flat()
      .filter((one) => one !== 'null')
      .join(' or ');
  }
  return objectKind(Object.entries(properties).map(([name, one]) => [name, contractKind(one)] as const));
}

const enumOf = ({ enum: values, anyOf }: JsonSchema): string[] | null =>
  values ?? anyOf?.find((one) => one.enum)?.enum ?? null;

test('the schema is a sound one', () => {
  expect(validateSchema(schema)).toEqual([]);
});

test('the guide to the API names what is always null', () => {
  const always = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields())
          .filter(({ description }) => description?.startsWith('Null here'))
          .map(({ name }) => `${type.name}.${name}`)
      : [],
  );
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/api.md'), 'utf8');
  const [, list = ''] = /null here:\n\n((?:[- ] .*\n)+)/.exec(guide) ?? [];
  const documented = list.split(/^- /m).flatMap((item) => {
    const [type = '', fields = ''] = item.split(':');
    return [...fields.matchAll(/`(\w+)`/g)].map(([, field]) => `${type}.${field}`);
  });
  expect(documented.sort()).toEqual(always.sort());
});

describe.each(Object.entries(pairs))('%s', (_, { type: name, contract, otherwise = {}, without = [], own = [] }) => {
  const type = schema.getType(name);
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`There is no type ${name}.`);
  const fields = type.getFields();
  const io = isInputObjectType(type) ? 'input' : 'output';
  const json = z.toJSONSchema(contract, { io, unrepresentable: 'any' }) as JsonSchema;
  const properties = json.properties ?? {};
  const shared = Object.keys(properties).filter((field) => !(field in otherwise) && !without.includes(field));

  test('has each field of the contract that is not listed as another', () => {
    expect(shared.filter((field) => !(field in fields))).toEqual([]);
    const gone = Object.keys(otherwise).concat(without);
    expect(gone.filter((field) => !(field in properties))).toEqual([]);
  });

  test('has beside them what is listed as its own', () => {
    const besides = Object.keys(fields).filter((field) => !shared.includes(field) && !(field in otherwise));
    expect(besides.sort()).toEqual([...own].sort());
  });

  test('has them as what they are in the contract', () => {
    const differ = shared.flatMap((field) => {
      if (linked.has(field)) return [];
      const ours = fields[field] ? graphqlKind(fields[field].type) : 'nothing';
      const theirs = contractKind(properties[field]!);
      return ours === theirs ? [] : [`${field}: ${ours}, not ${theirs}`];
    });
    expect(differ).toEqual([]);
  });

  test('promises no value where the contract has none, and knows the words of the contract', () => {
    for (const field of shared) {
      const { type: fieldType } = fields[field]!;
      const property = properties[field]!;
      const isNullable = [property, ...(property.anyOf ?? [])].some((one) => [one.type].flat().includes('null'));
      if (isNonNullType(fieldType) && io === 'output') {
        expect([field, isNullable, json.required?.includes(field)]).toEqual([field, false, true]);
      }
      const words = getNullableType(fieldType);
      const allowed = enumOf(property);
      if (!isEnumType(words) || !allowed) continue;
      const known = words.getValues().map((value) => value.name);
      expect(known).toEqual(expect.arrayContaining(allowed));
      if (io === 'input') expect([field, known.sort()]).toEqual([field, allowed.sort()]);
    }
  });
});

test('the schema is made when it is first read, so that the engine starts without it', () => {
  const invalid = createGraphql([{ types: 'type {' }]);
  expect(() => invalid.schema).toThrow('Syntax Error');
});
