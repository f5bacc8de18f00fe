/** The jobs of all accounts that failed within a day or cannot start, counted; updated when such a job changes. */
import { useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { JobsToAttend, LedgerEntry } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

const SINCE_MS = 24 * 60 * 60 * 1000;

/** The shortest and the longest delay of an update, so that a burst of jobs causes few of them. */
const PAUSE_MS = { least: 2000, most: 60_000 };
/** The delay in times of what the last update took: 100,000 jobs take about a second, in the thread that serves the page. */
const PAUSE_PER_UPDATE = 20;
const MOST_SEEN = 5000;

let due: ReturnType<typeof setTimeout> | null = null;
let pauseMs = PAUSE_MS.least;

async function update(): Promise<void> {
  const startedAt = performance.now();
  await queryClient.invalidateQueries({ queryKey: orpc.jobs.toAttend.key() });
  const tookMs = performance.now() - startedAt;
  pauseMs = Math.min(Math.max(tookMs * PAUSE_PER_UPDATE, PAUSE_MS.least), PAUSE_MS.most);
}

/** Schedules one update for all changes until then. */
function askAgain(): void {
  due ??= setTimeout(() => {
    due = null;
    void update();
  }, pauseMs);
}

/** What the counts depend on, so that the chunks of a stream do not cause an update. */
const stateOf = ({ status, waiting, trouble }: LedgerEntry): string => JSON.stringify([status, waiting, trouble]);

/**
 * `dismissed`: when a person dismissed the failures of an endpoint, by `failureKey`, in milliseconds since the epoch.
 * Returns undefined until the first answer.
 */
export function useJobsToAttend(dismissed: Readonly<Record<string, number>>): JobsToAttend | undefined {
  const [since] = useState(() => Date.now() - SINCE_MS);
  const known = useRef(new Map<string, string>());
  const { data } = useQuery(
    orpc.jobs.toAttend.queryOptions({
      input: { since, dismissed: Object.fromEntries(Object.entries(dismissed).filter(([, at]) => at > since)) },
      placeholderData: (before) => before,
      retry: false,
    }),
  );
  useMissedChanges(askAgain);
  useJobChanges((changed) => {
    const moved = changed.filter((entry) => known.current.get(entry.entryId) !== stateOf(entry));
    if (known.current.size > MOST_SEEN) known.current.clear();
    for (const entry of moved) known.current.set(entry.entryId, stateOf(entry));
    if (moved.length > 0) askAgain();
  });
  return data;
}
