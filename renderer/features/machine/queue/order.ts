/** Moving a job within its queue. */

/**
 * The job before which the job at `from` must be placed to get to `to`; null: the end. `ids` are the known jobs: one
 * more than can move, if there are more. Undefined if the job is already there, or cannot be placed there.
 */
export function beforeFor(ids: readonly string[], from: number, to: number): string | null | undefined {
  if (from === to || from < 0 || to < 0 || from >= ids.length || to >= ids.length) return undefined;
  return ids[to > from ? to + 1 : to] ?? null;
}

/** The list after the move of the element at `from` to `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1));
}
