/** The fields of an update that were sent at all. */

/** `input` without fields whose value is undefined, so that spreading it over a record changes only what was given. */
export function given<T extends object>(input: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
