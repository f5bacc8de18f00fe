/** The current Pods of an account, read again when they change, with their load as their engine sends it while one runs. */
import { hashKey, useQuery } from '@tanstack/react-query';
import type { PodsNow } from '#contract/bridge/pod.ts';
import { useIsPushed } from '../../client/changes/pushed.ts';
import { useSampleMs } from '../../client/changes/samples.ts';
import { usePollMs, useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

const hasLoad = ({ rows }: PodsNow): boolean => rows.some(({ facts }) => facts?.runtime != null);

export function usePodsNow(accountId: string): LiveView<PodsNow> {
  const isPushed = useIsPushed(accountId);
  const pollMs = usePollMs();
  const options = orpc.pods.now.queryOptions({ input: { accountId }, retry: false });
  const { data } = useQuery({ ...options, enabled: false });
  // A Pod that begins to run is a change; its load is measured for each reader.
  const isMeasured = data !== undefined && hasLoad(data);
  const sampleMs = useSampleMs(accountId, 'pods', isMeasured ? pollMs : null);
  const refetchInterval = isPushed && data !== undefined ? sampleMs : pollMs;
  return useLiveView(useQuery({ ...options, refetchInterval }));
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
