/** Restores lost chunks from the final output, because a service sends each chunk only once. */
import { arrayItems } from '#contract/core/jsonScanner.ts';

/** One chunk of the whole stream. `receivedIndex` is its index among the received chunks; null if it was lost. */
export interface WholeChunk {
  text: string;
  receivedIndex: number | null;
}

export type Finding =
  /** Some chunks were lost. `whole` lists all chunks, also the received ones. */
  | { kind: 'lost'; whole: WholeChunk[] }
  /** No chunk was lost. */
  | { kind: 'none' }
  | { kind: 'unknown' };

const same = (one: string, other: string): boolean =>
  one === other || JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));

/**
 * Compares the output with the received chunks. If the output lists all chunks (return_aggregate_stream) and the
 * received chunks are a subsequence of it, the output is the whole stream. `received`: raw JSON of each chunk;
 * `output`: raw JSON, or null.
 */
export function findLost(received: readonly string[], output: string | null): Finding {
  if (output === null) return { kind: 'unknown' };
  if (!output.trimStart().startsWith('[')) return { kind: received.length === 0 ? 'none' : 'unknown' };
  let matched = 0;
  const whole = arrayItems(output).map((text): WholeChunk => {
    const next = received[matched];
    return next !== undefined && same(next, text) ? { text, receivedIndex: matched++ } : { text, receivedIndex: null };
  });
  if (matched < received.length) return { kind: 'unknown' };
  if (whole.length === matched) return { kind: 'none' };
  // A list without any received chunk may be the result of a handler that does not stream.
  return matched === 0 ? { kind: 'unknown' } : { kind: 'lost', whole };
}
