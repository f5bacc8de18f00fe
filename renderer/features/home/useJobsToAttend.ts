/** The jobs of all accounts that failed within a day or cannot start, counted; updated when such a job changes. */
import { useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { JobsToAttend, LedgerEntry } from '#contract/app/ledger.ts';
import { useJobChanges, useMissedChanges } from '../../client/jobs/jobChanges.ts';
import { errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { SINCE_MS } from './homeSettings.ts';

/** Time from one count to the next, so that a burst of jobs causes few counts. The first change is counted at once. */
const PAUSE_MS = 2000;
const MOST_SEEN = 5000;
/** The counts begin at a whole ten minutes, so that Home shows the last ones when a person comes back to it soon. */
const STEP_MS = 600_000;

let due: ReturnType<typeof setTimeout> | null = null;
let askedAt = -Infinity;

/** Counts once for all changes until then, after the count that runs now. */
function askAgain(): void {
  due ??= setTimeout(
    () => {
      due = null;
      const queryKey = orpc.jobs.toAttend.key();
      const isFetching = queryClient.isFetching({ queryKey }) > 0;
      askedAt = performance.now();
      if (isFetching) askAgain();
      else void queryClient.invalidateQueries({ queryKey });
    },
    Math.max(0, askedAt + PAUSE_MS - performance.now()),
  );
}

/** What the counts depend on, so that the chunks of a stream do not cause an update. */
const stateOf = ({ status, waiting, trouble, webhookProblem }: LedgerEntry): string =>
  JSON.stringify([status, waiting, trouble, webhookProblem]);

export interface CountedJobs {
  /** Undefined until the first answer. */
  jobs: JobsToAttend | undefined;
  /** Why they could not be counted; null if they were. */
  problem: string | null;
  retry: () => void;
}

/**
 * `dismissed`: until when a person dismissed failures, by `failureKey` or `OTHER_FAILURES`, in milliseconds since the
 * epoch.
 */
export function useJobsToAttend(dismissed: Readonly<Record<string, number>>): CountedJobs {
  const [since] = useState(() => Math.floor((Date.now() - SINCE_MS) / STEP_MS) * STEP_MS);
  const known = useRef(new Map<string, string>());
  const { data, isError, error, refetch } = useQuery(
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
  return { jobs: data, problem: isError ? errorText(error) : null, retry: () => void refetch() };
}
