/** The current Pods of an account, read again when they change, and while one runs for its load. */
import { hashKey, useQuery } from '@tanstack/react-query';
import type { PodsNow } from '#contract/bridge/pod.ts';
import { useIsPushed } from '../../client/changes/pushed.ts';
import { usePollMs, useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

const hasLoad = (pods: PodsNow | undefined): boolean =>
  pods === undefined || pods.rows.some(({ facts }) => facts?.runtime != null);

export function usePodsNow(accountId: string): LiveView<PodsNow> {
  const isPushed = useIsPushed(accountId);
  const pollMs = usePollMs();
  return useLiveView(
    useQuery(
      orpc.pods.now.queryOptions({
        input: { accountId },
        // The load of a Pod is measured when it is read.
        refetchInterval: ({ state }) => (isPushed && !hasLoad(state.data) ? false : pollMs),
        retry: false,
      }),
    ),
  );
}

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
