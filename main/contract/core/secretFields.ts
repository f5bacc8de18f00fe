/** Marks the secret fields of answers at their schemas, and masks them for callers without full scope. */
import * as z from 'zod';
import { MASK } from './secretPatterns.ts';

/**
 * `values`: an object with public names and secret values, such as variables. `address`: a URL whose host alone is
 * public, because every other part of it may hold a name, a password or a token.
 */
export type SecretKind = 'values' | 'address';

const kinds = z.registry<{ kind: SecretKind }>();

/** Marks a schema as secret: only a key with full scope reads its value. The mark holds wherever the schema is used. */
export const secret = <T extends z.ZodType>(kind: SecretKind, schema: T): T => {
  kinds.add(schema, { kind });
  return schema;
};

/** The mark of a schema; null if the schema itself is not secret. */
export const secretKindOf = (schema: z.core.$ZodType): SecretKind | null => kinds.get(schema)?.kind ?? null;

/** The names of variables, without their values. */
const maskedValues = (values: object): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, MASK]));

/** The host of an address, without its other parts. */
function maskedAddress(address: string): string {
  if (!URL.canParse(address)) return MASK;
  const { protocol, host, pathname, search, hash } = new URL(address);
  return `${protocol}//${host}/${pathname + search + hash === '/' ? '' : MASK}`;
}

/** The masked form of a secret, for callers who may not read it. */
export function maskSecret(kind: SecretKind, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (kind === 'values' && typeof value === 'object') return maskedValues(value);
  if (kind === 'address' && typeof value === 'string') return maskedAddress(value);
  return MASK;
}
