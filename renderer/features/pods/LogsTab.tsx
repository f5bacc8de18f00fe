/** The output of a Pod, and messages of the service about it. */
import { useMemo } from 'react';
import { skipToken, useQuery } from '@tanstack/react-query';
import type { Pod } from '#contract/api/pod.ts';
import { useAccounts } from '../../client/accounts.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { usePollMs } from '../../client/transport/live.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { LogView } from '../../ui/log/LogView.tsx';
import { t } from '../../language/text.ts';
import { runMarks } from './logRuns.ts';
import { shortProblem } from './podState.ts';

/** Where runs begin, from the events that an engine of Hangar keeps; none of other accounts. */
function useRunMarks(accountId: string, podId: string) {
  const isEngine =
    useAccounts()
      ?.find(({ id }) => id === accountId)
      ?.capabilities.includes('local') === true;
  const refetchInterval = useStatePollMs(accountId, usePollMs());
  const input = isEngine ? { accountId, podId } : skipToken;
  const { data } = useQuery(orpc.pods.events.queryOptions({ input, refetchInterval, retry: false }));
  return useMemo(() => runMarks(data ?? []), [data]);
}

interface LogsTabProps {
  accountId: string;
  pod: Pod;
  /** What the container engine lacks, which the page says already; null if it answers. */
  containerProblem: string | null;
}

export function LogsTab({ accountId, pod, containerProblem }: LogsTabProps) {
  const read = useLogFeed(accountId, { podId: pod.id });
  const feed = { ...read, problem: shortProblem(read.problem, containerProblem) };
  const marks = useRunMarks(accountId, pod.id);
  const isRunning = pod.desiredStatus === 'RUNNING';
  return (
    <LogView
      feed={feed}
      label={t`Log of ${pod.name}`}
      writer="source"
      marks={marks}
      {...(!isRunning && { emptyTitle: t`No output` })}
      emptyText={
        isRunning
          ? t`Output of its container appears here live.`
          : t`The Pod is stopped, and no output is kept. Once it runs, its output appears here.`
      }
    />
  );
}
