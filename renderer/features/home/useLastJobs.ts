/** The last jobs of all accounts, live. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';

const SHOWN = 8;
const options = orpc.jobs.list.queryOptions({ input: { filter: {}, offset: 0, limit: SHOWN }, retry: false });

export interface LastJobs {
  /** Newest first; undefined until the first answer. */
  entries: readonly LedgerEntry[] | undefined;
  problem: string | null;
  retry: () => void;
}

export function useLastJobs(): LastJobs {
  const queries = useQueryClient();
  const { data, isError, error, refetch } = useQuery(options);
  useMissedChanges(() => void refetch());
  useJobChanges((changed) => {
    queries.setQueryData(options.queryKey, (page) => page && { ...page, entries: merged(page.entries, changed) });
  });
  return {
    entries: data?.entries,
    problem: isError ? errorText(error) : null,
    retry: () => void queries.invalidateQueries({ queryKey: orpc.jobs.key() }),
  };
}

function merged(entries: readonly LedgerEntry[], changed: readonly LedgerEntry[]): LedgerEntry[] {
  const byId = new Map([...entries, ...changed].map((entry) => [entry.entryId, entry]));
  return [...byId.values()].toSorted((one, other) => other.sentAt - one.sentAt).slice(0, SHOWN);
}
