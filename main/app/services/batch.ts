/** The same done to many jobs: a few at a time, each within the rates of its endpoint, and how each went. */
import { toAppError } from '#contract/core/errors.ts';
import type { JobOutcome, LedgerEntry } from '#contract/app/ledger.ts';

/** Enough to fill what the rate of cancelling allows, few enough not to crowd out anything else. */
const AT_ONCE = 8;

/** One outcome for each id, as they come. */
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
    while (underWay.size < AT_ONCE && waiting.length > 0 && !signal.aborted) {
      const entryId = waiting.shift()!;
      underWay.set(entryId, start(entryId));
    }
    const outcome = await Promise.race(underWay.values());
    underWay.delete(outcome.entryId);
    yield outcome;
  }
}
