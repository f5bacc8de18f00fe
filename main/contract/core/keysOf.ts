/** Functions that preserve the types of keys. The functions of JavaScript itself type each key as a string. */

/**
 * The keys of a literal object, whose type names all of them. Do not use it for data from outside: that may have more
 * keys.
 */
export const keysOf = <Fields extends object>(literal: Fields) =>
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the caller answers for it
  Object.keys(literal) as (keyof Fields & string)[];

/** The object that has exactly these keys, in their order, each with the value that `valueOf` returns for it. */
export function fromKeys<Fields extends object, Key extends keyof Fields = keyof Fields>(
  keys: readonly Key[],
  valueOf: (key: Key) => Fields[Key],
): Pick<Fields, Key> {
  const fields: Partial<Pick<Fields, Key>> = {};
  for (const key of keys) fields[key] = valueOf(key);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the loop sets each key
  return fields as Pick<Fields, Key>;
}
