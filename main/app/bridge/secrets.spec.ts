/** No result of the bridge has a field that could hold a secret: walks every result schema of the contract. */
import { getEventIteratorSchemaDetails, isContractProcedure } from '@orpc/contract';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { bridgeContract } from '#contract/bridge/index.ts';
import { secretField } from '../platform/redaction.ts';

/**
 * Whether a value of this schema is a record of named fields, or null: what it says is in these fields, which are
 * looked at themselves.
 */
function isRecord(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('anyOf' in schema) return (schema.anyOf as unknown[]).every(isRecord);
  if ('type' in schema && schema.type === 'null') return true;
  return 'properties' in schema && 'additionalProperties' in schema && schema.additionalProperties === false;
}

/** Every field name in a JSON schema that stands for a value of its own. */
function fieldNames(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.entries(schema).flatMap(([key, value]) => fieldNames(value, at === '' ? key : `${at}.${key}`));
  const properties = 'properties' in schema ? Object.entries(schema.properties as object) : [];
  return [...properties.filter(([, value]) => !isRecord(value)).map(([name]) => name), ...inside];
}

function procedures(router: object, path = ''): [string, z.ZodType][] {
  return Object.entries(router).flatMap(([name, value]: [string, unknown]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (!isContractProcedure(value)) return procedures(value as object, here);
    const { outputSchema } = value['~orpc'];
    const schema = getEventIteratorSchemaDetails(outputSchema)?.yields ?? outputSchema;
    return [[here, schema as z.ZodType]];
  });
}

describe('results of the bridge', () => {
  const all = procedures(bridgeContract);

  it('are all looked at', () => {
    expect(all.length).toBeGreaterThanOrEqual(14);
  });

  it.each(all)('%s has no field that could hold a secret', (_, schema) => {
    const json = z.toJSONSchema(schema, { unrepresentable: 'any' });
    expect(fieldNames(json, '').filter((name) => secretField.test(name))).toEqual([]);
  });

  it('would be caught if they had one', () => {
    const leaky = z.object({ account: z.array(z.object({ apiKey: z.string() })) });
    expect(fieldNames(z.toJSONSchema(leaky), '').filter((name) => secretField.test(name))).toEqual(['apiKey']);
    const open = z.object({ key: z.looseObject({ last4: z.string() }).nullable() });
    expect(fieldNames(z.toJSONSchema(open), '').filter((name) => secretField.test(name))).toEqual(['key']);
  });
});
