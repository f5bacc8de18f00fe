/** Jobs of all accounts in one state, sent within a day; updated when a job enters or leaves the state. */
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';
import { stateFilters } from '../../state/jobsFilter.ts';

const SINCE_MS = 24 * 60 * 60 * 1000;
const MOST = 200;
type Watched = 'done' | 'failed' | 'queued';

/** Delay of an update, so that a burst of jobs causes few of them. */
const PAUSE_MS = 2000;

const due = new Map<Watched, ReturnType<typeof setTimeout>>();

/** Schedules one update for all changes until then. */
function askAgain(state: Watched, queryKey: readonly unknown[]): void {
  if (due.has(state)) return;
  due.set(
    state,
    setTimeout(() => {
      due.delete(state);
      void queryClient.invalidateQueries({ queryKey });
    }, PAUSE_MS),
  );
}

/** At most the newest 200. */
export function useRecent(state: Watched): readonly LedgerEntry[] {
  const [since] = useState(() => Date.now() - SINCE_MS);
  const statuses = [...stateFilters[state].statuses];
  const options = orpc.jobs.list.queryOptions({
    input: { filter: { statuses, sentAfter: since }, offset: 0, limit: MOST },
    retry: false,
  });
  const { data } = useQuery(options);
  useMissedChanges(() => askAgain(state, options.queryKey));
  useJobChanges((changed) => {
    const isShown = (entryId: string): boolean => data?.entries.some((entry) => entry.entryId === entryId) === true;
    const concerns = changed.some(
      (entry) => isShown(entry.entryId) || statuses.some((status) => status === entry.status),
    );
    if (concerns) askAgain(state, options.queryKey);
  });
  return data?.entries ?? [];
}
