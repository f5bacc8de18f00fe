/** How many jobs run, wait and were sent today, live. */
import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { JobCounts } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges, useOpenJobs } from './jobChanges.ts';
import { orpc, queryClient } from '../transport/orpc.ts';

/** Delay of a count after a change, so that a burst of jobs causes few counts. */
const PAUSE_MS = 250;
const MINUTE_MS = 60_000;

const startOfDay = (): number => new Date().setHours(0, 0, 0, 0);

/** Known states, so that the chunks of a stream do not cause a new count. */
const seen = new Map<string, string>();
const MOST_SEEN = 5000;
let due: ReturnType<typeof setTimeout> | null = null;

function recount(): void {
  due ??= setTimeout(() => {
    due = null;
    void queryClient.invalidateQueries({ queryKey: orpc.jobs.counts.key() });
  }, PAUSE_MS);
}

export interface CountedJobs {
  /** Undefined until the first answer. */
  counts: JobCounts | undefined;
  /** Whether the last count failed. */
  isUnread: boolean;
}

/** The counts of an account, or of all. */
export function useJobCounts(accountId?: string): CountedJobs {
  const [since, setSince] = useState(startOfDay);
  useEffect(() => {
    const timer = setInterval(() => setSince(startOfDay()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  const { data, isError } = useQuery(
    orpc.jobs.counts.queryOptions({
      input: { since, ...(accountId !== undefined && { accountId }) },
      placeholderData: (before) => before,
      retry: false,
    }),
  );
  useMissedChanges(recount);
  useJobChanges((changed) => {
    const moved = changed.filter(({ entryId, status }) => seen.get(entryId) !== status);
    if (seen.size > MOST_SEEN) seen.clear();
    for (const { entryId, status } of moved) seen.set(entryId, status);
    if (moved.length > 0) recount();
  });
  const open = useOpenJobs();
  // What comes with the changes is as new as the lists; the counts that are read follow a moment later.
  const counts = data && open !== null && accountId === undefined ? { ...data, ...open } : data;
  return { counts, isUnread: isError };
}
