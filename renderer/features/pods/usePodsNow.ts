/** The Pods of an account as they are now, asked again while somebody looks. */
import { useQuery } from '@tanstack/react-query';
import type { PodsNow } from '#contract/bridge/pod.ts';
import { usePollMs, useLiveView, type LiveView } from '../../client/transport/live.ts';
import { orpc, queryClient } from '../../client/transport/orpc.ts';

export const usePodsNow = (accountId: string): LiveView<PodsNow> =>
  useLiveView(
    useQuery(orpc.pods.now.queryOptions({ input: { accountId }, refetchInterval: usePollMs(), retry: false })),
  );

/** After something was made, changed or removed here, everything that lists Pods, or what is free for them, is asked again. */
export const podsChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.pods.key() });
