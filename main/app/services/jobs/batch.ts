/**
 * Applies one operation to many jobs: a few at a time, each within the rates of its endpoint, with one result for each.
 */
import { toAppError } from '#contract/core/errors.ts';
import type { JobOutcome, LedgerEntry } from '#contract/app/ledger.ts';

/** Enough to use the full rate of cancels, and few enough to leave room for other requests. */
const AT_ONCE = 8;

/** Yields one outcome for each id, in the order of completion. */
export async function* doToAll(
  entryIds: readonly string[],
  act: (entryId: string) => Promise<LedgerEntry>,
  signal: AbortSignal,
): AsyncGenerator<JobOutcome, void, void> {
  const waiting = [...new Set(entryIds)];
  const underWay = new Map<string, Promise<JobOutcome>>();
  const start = async (entryId: string): Promise<JobOutcome> => {
    try {
      return { entryId, entry: await act(entryId), problem: null };
    } catch (thrown) {
      return { entryId, entry: null, problem: toAppError(thrown).message };
    }
  };
  while ((waiting.length > 0 && !signal.aborted) || underWay.size > 0) {
    while (underWay.size < AT_ONCE && !signal.aborted) {
      const entryId = waiting.shift();
      if (entryId === undefined) break;
      underWay.set(entryId, start(entryId));
    }
    const outcome = await Promise.race(underWay.values());
    underWay.delete(outcome.entryId);
    yield outcome;
  }
}
