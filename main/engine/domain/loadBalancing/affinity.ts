/** Parses the header X-Runpod-Worker-Id: the worker that a request asks for. */

export interface Affinity {
  workerId: string;
  /** The request waits for this worker and accepts no other. */
  strict: boolean;
}

/** The name of the header. In a request it names the wanted worker, in an answer the worker that answered. */
export const AFFINITY_HEADER = 'X-Runpod-Worker-Id';

/**
 * `<id>` prefers a worker, `strict <id>` requires it. `strict-resume <id>` requires it as well: in the cloud it also
 * wakes a worker that was scaled down, but a stopped worker does not come back here. Null without a usable value.
 */
export function affinityOf(header: string | undefined): Affinity | null {
  const words = header?.trim().split(/\s+/) ?? [];
  const [first = '', second] = words;
  if (first === '' || words.length > 2) return null;
  if (second === undefined) return { workerId: first, strict: false };
  return /^strict(-resume)?$/i.test(first) ? { workerId: second, strict: true } : null;
}
