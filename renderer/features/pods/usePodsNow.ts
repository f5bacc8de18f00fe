/** The current Pods of an account, polled while the page is visible. */
import { hashKey, useQuery } from '@tanstack/react-query';
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

/** Reads the Pods of an account again, and then what else may have changed with them. Resolves with the Pods; never rejects. */
export async function podMade(accountId: string): Promise<void> {
  const { queryKey } = orpc.pods.now.queryOptions({ input: { accountId } });
  await queryClient.invalidateQueries({ queryKey });
  void queryClient.invalidateQueries({
    queryKey: orpc.pods.key(),
    predicate: (query) => query.queryHash !== hashKey(queryKey),
  });
}

/** Reads all lists of Pods and free hardware again after a change here. */
export const podsChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.pods.key() });
