/** Moving a job within its queue. */

/**
 * Before which job the one at `from` has to be put to stand at `to`; null puts it last. `ids` are those known: one more than
 * can be moved, where there are more. Undefined when it stands there already, or cannot be put there.
 */
export function beforeFor(ids: readonly string[], from: number, to: number): string | null | undefined {
  if (from === to || from < 0 || to < 0 || from >= ids.length || to >= ids.length) return undefined;
  return ids[to > from ? to + 1 : to] ?? null;
}

/** The list with the element at `from` standing at `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1));
}
