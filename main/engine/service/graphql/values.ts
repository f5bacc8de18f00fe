/**
 * Values that GraphQL writes differently from /v1: variables as pairs, ports and commands as one line, missing fields
 * as null.
 */

import { AppError } from '#contract/core/errors.ts';

export interface EnvironmentVariable {
  key: string;
  value: string;
}

type WithoutNull<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

/** The input without its nulls: clients send null for a field that they leave to the service. */
export const omitNull = <T extends object>(input: T | null | undefined): WithoutNull<T> =>
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the filter leaves the fields of T without null
  Object.fromEntries(
    Object.entries(input ?? {}).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNull<T>;

export const pairsOf = (env: Record<string, string>): EnvironmentVariable[] =>
  Object.entries(env).map(([key, value]) => ({ key, value }));

/** Drops pairs without a name: forms send them for empty rows. */
export const envOf = (pairs: readonly EnvironmentVariable[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ key }) => key !== '').map(({ key, value }) => [key, value]));

/** The items of a list that is written with commas. */
export const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The words as one line that a shell splits into them. */
export const lineOf = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

/** A field of /v1 → the field of GraphQL with the same value. */
export type FieldNames = Readonly<Record<string, string>>;

/**
 * The error with the caller's name of the field at its begin. The index of a list is left out: GraphQL has one line.
 */
function inCallersNames(error: unknown, names: FieldNames): unknown {
  if (!(error instanceof AppError)) return error;
  const [start, field = ''] = /^(\w+)(?:\.\d+)?\b/.exec(error.message) ?? [''];
  if (!Object.hasOwn(names, field)) return error;
  const { code, details, retryAfterMs, cause } = error;
  return new AppError(code, `${names[field]}${error.message.slice(start.length)}`, {
    ...(details !== undefined && { details }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause,
  });
}

/** Runs a check of fields of /v1. Its errors get the names that the caller of GraphQL uses. */
export function namingFields<T>(names: FieldNames, run: () => T): T {
  const rename = (error: unknown): never => {
    throw inCallersNames(error, names);
  };
  try {
    const result = run();
    // oxlint-disable-next-line typescript/consistent-type-assertions -- a promise of T stays one, since `rename` only throws
    return result instanceof Promise ? (result.catch(rename) as T) : result;
  } catch (error) {
    return rename(error);
  }
}
