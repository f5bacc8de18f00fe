/** How many jobs are in each state that a person asks for first, of all accounts; asked again when one changes its state. */
import { useState } from 'react';
import { useQueries } from '@tanstack/react-query';
import { useJobChanges, useMissedChanges } from '../../client/jobChanges.ts';
import { errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { stateFilters, type StateFilter } from '../../state/jobsFilter.ts';

const counted = ['running', 'queued', 'failed'] as const satisfies readonly StateFilter[];

/** Counting again while a burst of jobs runs costs more than it tells. */
const PAUSE_MS = 500;

const startOfDay = (): number => new Date().setHours(0, 0, 0, 0);

const queryOf = (name: (typeof counted)[number], since: number) =>
  orpc.jobs.list.queryOptions({
    input: {
      filter: {
        statuses: [...stateFilters[name].statuses],
        // What runs or waits may have been sent on any day.
        ...(name === 'failed' && { sentAfter: since }),
      },
      offset: 0,
      limit: 1,
    },
    retry: false,
  });

const seen = new Map<string, string>();
let due: ReturnType<typeof setTimeout> | null = null;

/** Soon, and once for however many changes come until then. */
function recount(since: number): void {
  due ??= setTimeout(() => {
    due = null;
    for (const name of counted) void queryClient.invalidateQueries({ queryKey: queryOf(name, since).queryKey });
  }, PAUSE_MS);
}

export function useCounts() {
  const [since] = useState(startOfDay);
  const answers = useQueries({ queries: counted.map((name) => queryOf(name, since)) });
  useMissedChanges(() => recount(since));
  useJobChanges((changed) => {
    const moved = changed.filter(({ entryId, status }) => seen.get(entryId) !== status);
    for (const { entryId, status } of moved) seen.set(entryId, status);
    if (moved.length > 0) recount(since);
  });
  const failure = answers.find(({ isError }) => isError)?.error;
  const [running, queued, failed] = answers.map(({ data }) => data?.matching);
  return {
    counts: { running, queued, failed },
    since,
    problem: failure ? errorText(failure) : null,
    retry: () => recount(since),
  };
}
