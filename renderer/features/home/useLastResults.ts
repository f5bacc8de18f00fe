/** The jobs of all accounts that were done lately, asked again as others are. */
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobChanges.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

const SINCE_MS = 24 * 60 * 60 * 1000;
const MOST = 200;

/** Asking again with each job of a burst costs more than it tells. */
const PAUSE_MS = 2000;

let due: ReturnType<typeof setTimeout> | null = null;

/** Soon, and once for however many changes come until then. */
function askAgain(queryKey: readonly unknown[]): void {
  due ??= setTimeout(() => {
    due = null;
    void queryClient.invalidateQueries({ queryKey });
  }, PAUSE_MS);
}

export function useLastResults(): readonly LedgerEntry[] {
  const [since] = useState(() => Date.now() - SINCE_MS);
  const options = orpc.jobs.list.queryOptions({
    input: { filter: { statuses: ['COMPLETED'], sentAfter: since }, offset: 0, limit: MOST },
    retry: false,
  });
  const { data } = useQuery(options);
  useMissedChanges(() => askAgain(options.queryKey));
  useJobChanges((changed) => {
    if (changed.some(({ status }) => status === 'COMPLETED')) askAgain(options.queryKey);
  });
  return data?.entries ?? [];
}
