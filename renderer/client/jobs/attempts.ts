/** The earlier attempts of a job. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { orpc } from '../transport/orpc.ts';

/** The query of the list, oldest first. A new attempt is a new list. */
export const attemptsOf = ({ entryId, retries }: Pick<LedgerEntry, 'entryId' | 'retries'>) => {
  const input = { entryId };
  return {
    ...orpc.jobs.attempts.queryOptions({ input }),
    queryKey: [...orpc.jobs.attempts.queryKey({ input }), retries],
  };
};
