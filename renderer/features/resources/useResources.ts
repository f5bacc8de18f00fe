/** The current templates, volumes and registry credentials of an account, polled while the page is visible. */
import { useQuery } from '@tanstack/react-query';
import type { ResourcesNow } from '#contract/bridge/resource.ts';
import { useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

/** Only people and their programs change them. */
const EVERY_MS = 5000;

export const useResources = (accountId: string): LiveView<ResourcesNow> =>
  useLiveView(
    useQuery(orpc.resources.now.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS, retry: false })),
  );

/** Reads everything again that lists or offers them. */
export async function resourcesChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: orpc.resources.key() }),
    queryClient.invalidateQueries({ queryKey: orpc.endpoints.key() }),
  ]);
}
