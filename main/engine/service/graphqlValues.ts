/** How GraphQL writes what /v1 writes otherwise: variables as pairs, lists of ports and commands as one line, what is not said as null. */

export interface EnvironmentVariable {
  key: string;
  value: string;
}

type Said<T> = { [K in keyof T]?: Exclude<T[K], null | undefined> };

/** A null says nothing: clients send it for what they leave to the service. */
export const said = <T extends object>(input: T | null | undefined): Said<T> =>
  Object.fromEntries(
    Object.entries(input ?? {}).filter(([, value]) => value !== null && value !== undefined),
  ) as Said<T>;

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
