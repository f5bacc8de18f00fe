/** Which jobs are shown as they were known last, because nobody can be asked about them now. */
import { useCallback } from 'react';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAwayOf } from '../away.ts';

/**
 * Says of a job that has not ended whether it may have gone on meanwhile. The same function until an answer may change.
 */
export function useIsLastKnown(): (entry: Pick<LedgerEntry, 'status' | 'trouble' | 'accountId'>) => boolean {
  const awayOf = useAwayOf();
  return useCallback(
    (entry) => !isOver(entry) && (entry.trouble !== null || awayOf(entry.accountId) !== null),
    [awayOf],
  );
}
