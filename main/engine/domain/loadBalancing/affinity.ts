/** Which worker a request asks for, by its header X-Runpod-Worker-Id. */

export interface Affinity {
  workerId: string;
  /** It waits for this worker, and goes to no other. */
  strict: boolean;
}

/** The name of the header: of an answer it tells who gave it, of a request who is wanted. */
export const AFFINITY_HEADER = 'X-Runpod-Worker-Id';

/**
 * `<id>` is a wish, `strict <id>` insists. `strict-resume <id>`, which in the cloud also wakes a worker that was scaled down, insists
 * as well: a worker that was stopped here is gone for good.
 */
export function affinityOf(header: string | undefined): Affinity | null {
  const words = header?.trim().split(/\s+/) ?? [];
  const [first = '', second] = words;
  if (first === '' || words.length > 2) return null;
  if (second === undefined) return { workerId: first, strict: false };
  return /^strict(-resume)?$/i.test(first) ? { workerId: second, strict: true } : null;
}
