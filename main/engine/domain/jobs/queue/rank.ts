/** The places that jobs have in a queue: by age, except for those that somebody has moved. */
import { requireValue } from '#contract/core/requireValue.ts';
import type { Job } from '../jobRecord.ts';

/** Jobs are in the order of this. */
export const keyOf = ({ rank, seq }: Job): number => rank ?? seq;

/** `count` numbers between two others, in order; null where there is no room for so many. */
function between(low: number, high: number, count: number): number[] | null {
  const keys = Array.from({ length: count }, (_, n) => low + ((high - low) * (n + 1)) / (count + 1));
  let before = low;
  for (const key of [...keys, high]) {
    if (key <= before) return null;
    before = key;
  }
  return keys;
}

/**
 * Gives the job at this place a rank that keeps it there over a restart. If there is no free rank between its
 * neighbours, as few of the jobs after it as possible get a new rank, too. Returns the jobs whose rank has changed.
 * `nextKey` returns a number above the ranks of all jobs.
 */
export function rankAt(jobAt: (place: number) => Job | undefined, place: number, nextKey: () => number): Job[] {
  const before = place > 0 ? jobAt(place - 1) : undefined;
  const moved: Job[] = [];
  for (let at = place; ; at++) {
    const job = jobAt(at);
    if (!job) break;
    moved.push(job);
    const above = jobAt(at + 1);
    if (!above) break;
    const low = before ? keyOf(before) : keyOf(above) - moved.length - 1;
    const keys = between(low, keyOf(above), moved.length);
    if (!keys) continue;
    for (const [n, one] of moved.entries()) one.rank = requireValue(keys[n], 'the rank of a moved job');
    return moved;
  }
  for (const one of moved) one.rank = nextKey();
  return moved;
}
