/** How GraphQL writes what /v1 writes otherwise: variables as pairs, lists of ports and commands as one line, what is not said as null. */

import { AppError } from '#contract/core/errors.ts';

export interface EnvironmentVariable {
  key: string;
  value: string;
}

type WithoutNull<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

/** A null says nothing: clients send it for what they leave to the service. */
export const omitNull = <T extends object>(input: T | null | undefined): WithoutNull<T> =>
  Object.fromEntries(
    Object.entries(input ?? {}).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNull<T>;

export const pairsOf = (env: Record<string, string>): EnvironmentVariable[] =>
  Object.entries(env).map(([key, value]) => ({ key, value }));

/** Those without a name are dropped: forms send them for rows that were left empty. */
export const envOf = (pairs: readonly EnvironmentVariable[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ key }) => key !== '').map(({ key, value }) => [key, value]));

/** The items of a list that is written with commas. */
export const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** One line that a shell would take apart into these words. */
export const lineOf = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');

/** A field of /v1 → the field of GraphQL that said it. */
export type FieldNames = Readonly<Record<string, string>>;

/** The error with the caller's name of the field that its words begin with. GraphQL writes lists as one line, so a place is left out. */
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

/** Runs what checks fields of /v1; what it refuses is named as the caller of GraphQL has named it. */
export function namingFields<T>(names: FieldNames, run: () => T): T {
  const rename = (error: unknown): never => {
    throw inCallersNames(error, names);
  };
  try {
    const result = run();
    return result instanceof Promise ? (result.catch(rename) as T) : result;
  } catch (error) {
    return rename(error);
  }
}
