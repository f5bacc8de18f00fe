/** The defined fields of an update. */

/** `input` without the fields whose value is undefined: spread over a record, it changes only the other fields. */
export function omitUndefined<T extends object>(input: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the filter leaves the fields of T without undefined
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
