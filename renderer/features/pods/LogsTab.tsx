/** What a Pod writes, and what the service has to say of it. */
import type { Pod } from '#contract/api/pod.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { LogView } from '../../ui/log/LogView.tsx';

export function LogsTab({ accountId, pod }: { accountId: string; pod: Pod }) {
  const feed = useLogFeed(accountId, { podId: pod.id });
  return (
    <LogView
      feed={feed}
      label={`Log of ${pod.name}`}
      writer="source"
      emptyText="What its container writes appears here as it is written."
    />
  );
}
