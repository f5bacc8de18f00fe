/** The templates, volumes and registry credentials of an account as they are now, asked again while somebody looks. */
import { useQuery } from '@tanstack/react-query';
import type { ResourcesNow } from '#contract/bridge/resource.ts';
import { useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

/** They change by hands alone, which may be those of a program. */
const EVERY_MS = 5000;

export const useResources = (accountId: string): LiveView<ResourcesNow> =>
  useLiveView(
    useQuery(orpc.resources.now.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS, retry: false })),
  );

/** Everything that lists or offers them is asked again. */
export async function resourcesChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: orpc.resources.key() }),
    queryClient.invalidateQueries({ queryKey: orpc.endpoints.key() }),
  ]);
}
