/** Which fields of answers are secret, said once, at their schemas, and how they are told to those who may not see them. */
import * as z from 'zod';
import { MASK } from './secretPatterns.ts';

/**
 * `values`: an object whose names are told and whose values are not, such as variables. `address`: a URL of which only the host is told:
 * a name, a password or a token may stand anywhere else in it.
 */
export type SecretKind = 'values' | 'address';

const kinds = z.registry<{ kind: SecretKind }>();

/** Marks a schema as one of what only a key with full scope is told. Wherever the schema is used, the mark goes along. */
export const secret = <T extends z.ZodType>(kind: SecretKind, schema: T): T => {
  kinds.add(schema, { kind });
  return schema;
};

/** Null where the schema itself is of nothing secret. */
export const secretKindOf = (schema: z.core.$ZodType): SecretKind | null => kinds.get(schema)?.kind ?? null;

/** The names of variables, without their values. */
const maskedValues = (values: object): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, MASK]));

/** Where an address leads, without what else it says. */
function maskedAddress(address: string): string {
  if (!URL.canParse(address)) return MASK;
  const { protocol, host, pathname, search, hash } = new URL(address);
  return `${protocol}//${host}/${pathname + search + hash === '/' ? '' : MASK}`;
}

/** A secret as it is told to those who may not see it. */
export function maskSecret(kind: SecretKind, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (kind === 'values' && typeof value === 'object') return maskedValues(value);
  if (kind === 'address' && typeof value === 'string') return maskedAddress(value);
  return MASK;
}
