/** The current templates, volumes and registry credentials of an account, read again when they change. */
import { useQuery } from '@tanstack/react-query';
import type { ResourcesNow } from '#contract/bridge/resource.ts';
import { useStatePollMs } from '../../client/changes/pushed.ts';
import { useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

/** Interval of the polls of an account that does not report their changes. */
const EVERY_MS = 5000;

export function useResources(accountId: string): LiveView<ResourcesNow> {
  const refetchInterval = useStatePollMs(accountId, EVERY_MS, 'resource');
  return useLiveView(
    useQuery(orpc.resources.now.queryOptions({ input: { accountId }, refetchInterval, retry: false })),
  );
}

/** Reads everything again that lists or offers them. */
export async function resourcesChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: orpc.resources.key() }),
    queryClient.invalidateQueries({ queryKey: orpc.endpoints.key() }),
  ]);
}
