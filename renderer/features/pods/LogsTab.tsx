/** The output of a Pod, and messages of the service about it. */
import type { Pod } from '#contract/api/pod.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { LogView } from '../../ui/log/LogView.tsx';
import { t } from '../../language/text.ts';

export function LogsTab({ accountId, pod }: { accountId: string; pod: Pod }) {
  const feed = useLogFeed(accountId, { podId: pod.id });
  return (
    <LogView
      feed={feed}
      label={t`Log of ${pod.name}`}
      writer="source"
      emptyText={t`Output of its container appears here live.`}
    />
  );
}
