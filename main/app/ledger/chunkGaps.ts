/** Chunks that were lost on their way, because a service tells each one once: what the final output says of them. */
import { arrayItems } from '#contract/core/jsonScanner.ts';

/** One chunk as it should be: `kept` is its place among those that came, null where it was lost. */
export interface WholeChunk {
  text: string;
  kept: number | null;
}

export type Finding =
  /** All that there were, of which some had been lost. */
  | { kind: 'lost'; whole: WholeChunk[] }
  /** None was lost. */
  | { kind: 'none' }
  | { kind: 'unknown' };

const same = (one: string, other: string): boolean =>
  one === other || JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));

/**
 * Where the output is the list of all chunks (return_aggregate_stream) and those that came are part of it, in their order, it is the
 * whole. `kept`: raw JSON of those that came; `output`: raw JSON, null where there is none.
 */
export function findLost(kept: readonly string[], output: string | null): Finding {
  if (output === null) return { kind: 'unknown' };
  if (!output.trimStart().startsWith('[')) return { kind: kept.length === 0 ? 'none' : 'unknown' };
  let matched = 0;
  const whole = arrayItems(output).map((text): WholeChunk => {
    const next = kept[matched];
    return next !== undefined && same(next, text) ? { text, kept: matched++ } : { text, kept: null };
  });
  if (matched < kept.length) return { kind: 'unknown' };
  if (whole.length === matched) return { kind: 'none' };
  // A list may as well be what a handler answered that streams nothing.
  return matched === 0 ? { kind: 'unknown' } : { kind: 'lost', whole };
}
