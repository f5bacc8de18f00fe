/** The current Pods of an account, polled while the page is visible. */
import { useQuery } from '@tanstack/react-query';
import type { PodsNow } from '#contract/bridge/pod.ts';
import { usePollMs, useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

export const usePodsNow = (accountId: string): LiveView<PodsNow> =>
  useLiveView(
    useQuery(orpc.pods.now.queryOptions({ input: { accountId }, refetchInterval: usePollMs(), retry: false })),
  );

/** The names of the Pods that are known now, without a read of its own. */
export const podNamesOf = (accountId: string): string[] =>
  queryClient
    .getQueryData<PodsNow>(orpc.pods.now.queryKey({ input: { accountId } }))
    ?.rows.map(({ pod }) => pod.name) ?? [];

/** Reads all lists of Pods and free hardware again after a change here. */
export const podsChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.pods.key() });
