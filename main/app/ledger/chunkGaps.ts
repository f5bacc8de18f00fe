/** Finds lost chunks at the end of a job, because a service sends each chunk only once. */
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
 * Compares the received chunks with `whole`: the list of all chunks, or the output. If the output lists all chunks
 * (return_aggregate_stream) and the received chunks are a subsequence of it, the output is the whole stream.
 * `received`: raw JSON of each chunk; the output is raw JSON, or null.
 */
export function findLost(received: readonly string[], whole: readonly string[] | string | null): Finding {
  if (whole === null) return { kind: 'unknown' };
  if (typeof whole !== 'string') return compare(received, whole);
  if (!whole.trimStart().startsWith('[')) return { kind: received.length === 0 ? 'none' : 'unknown' };
  const items = arrayItems(whole);
  // A list without any received chunk may be the result of a handler that does not stream.
  return received.length === 0 && items.length > 0 ? { kind: 'unknown' } : compare(received, items);
}

function compare(received: readonly string[], all: readonly string[]): Finding {
  let matched = 0;
  const whole = all.map((text): WholeChunk => {
    const next = received[matched];
    return next !== undefined && same(next, text) ? { text, receivedIndex: matched++ } : { text, receivedIndex: null };
  });
  if (matched < received.length) return { kind: 'unknown' };
  return whole.length === matched ? { kind: 'none' } : { kind: 'lost', whole };
}
