/** The output of a Pod, and messages of the service about it. */
import type { Pod } from '#contract/api/pod.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { LogView } from '../../ui/log/LogView.tsx';
import { t } from '../../language/text.ts';

export function LogsTab({ accountId, pod }: { accountId: string; pod: Pod }) {
  const feed = useLogFeed(accountId, { podId: pod.id });
  const isRunning = pod.desiredStatus === 'RUNNING';
  return (
    <LogView
      feed={feed}
      label={t`Log of ${pod.name}`}
      writer="source"
      {...(!isRunning && { emptyTitle: t`No output` })}
      emptyText={
        isRunning
          ? t`Output of its container appears here live.`
          : t`The Pod is stopped, and no output is kept. Once it runs, its output appears here.`
      }
    />
  );
}
