/** Compares two lists of names so that a failure says what to do: `expect(differences(…)).toEqual([])`. */

export interface Advice {
  /** What to do about a name that the actual list lacks. */
  missing: (name: string) => string;
  /** What to do about a name that the actual list has, but should not have. */
  extra: (name: string) => string;
}

/**
 * One sentence for each name that is in only one of the lists, or in one of them more often. Empty when they agree in
 * any order.
 */
export function differences(actual: readonly string[], expected: readonly string[], advice: Advice): string[] {
  const extra = [...actual];
  const missing = expected.filter((name) => {
    const at = extra.indexOf(name);
    if (at >= 0) extra.splice(at, 1);
    return at < 0;
  });
  return [...missing.sort().map(advice.missing), ...extra.sort().map(advice.extra)];
}
