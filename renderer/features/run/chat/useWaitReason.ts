/** Why no answer has begun yet: what the job of the request waits for, or how many workers the endpoint has. */
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Health } from '#contract/api/job.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { useJobChanges } from '../../../client/jobs/jobChanges.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import { formatCount } from '../../../ui/text/format.ts';
import type { Place } from './chatAnswers.ts';
import { t } from '../../../language/text.ts';

const EVERY_MS = 2000;
/** Clocks of the engine and of the page differ by less. */
const CLOCK_MS = 2000;

/** What the numbers of an endpoint say about a request that waits. */
export function healthWords({ workers, jobs }: Pick<Health, 'workers' | 'jobs'>): string {
  const { idle, running, initializing, ready, throttled } = workers;
  if (initializing > 0 && idle + running + ready === 0) return t`A worker is starting.`;
  if (idle + running + ready === 0) {
    return throttled > 0
      ? t`No workers are running: the service has no free machine. Wait, or stop and try later.`
      : t`No workers are running yet. If none starts, check the endpoint: it may be paused.`;
  }
  if (idle === 0 && jobs.inQueue > 0) return t`All workers are busy, and ${formatCount(jobs.inQueue)} jobs wait.`;
  return t`A worker is running it.`;
}

/** `sentAt`: when the request was sent; null while none waits, and then the reason is null too. */
export function useWaitReason({ accountId, endpointId }: Place, sentAt: number | null): string | null {
  const [job, setJob] = useState<LedgerEntry | null>(null);
  useJobChanges((changed) => {
    const ours = changed.findLast(
      (entry) =>
        entry.accountId === accountId &&
        entry.endpointId === endpointId &&
        sentAt !== null &&
        entry.sentAt >= sentAt - CLOCK_MS,
    );
    if (ours) setJob(ours);
  });
  const { data } = useQuery(
    orpc.endpoints.health.queryOptions({
      input: { accountId, endpointId },
      enabled: sentAt !== null,
      refetchInterval: useStatePollMs(accountId, EVERY_MS),
      retry: false,
    }),
  );
  if (sentAt === null) return null;
  const current = job !== null && job.sentAt >= sentAt - CLOCK_MS ? job : null;
  if (current?.status === 'IN_PROGRESS') return t`A worker is running it.`;
  return current?.waiting ?? (data ? healthWords(data) : null);
}
