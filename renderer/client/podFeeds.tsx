/** Reads the Pods of an account again as soon as its engine reports a change. */
import { useRef } from 'react';
import { isAway, useAccounts } from './accounts.ts';
import { api, orpc, queryClient } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

/** One feed for each reachable account that reports changes; mounted once. */
export function PodFeeds() {
  const reporting = (useAccounts() ?? []).filter(
    (account) => account.capabilities.includes('local') && account.capabilities.includes('pods') && !isAway(account),
  );
  return reporting.map(({ id }) => <PodFeed key={id} accountId={id} />);
}

function PodFeed({ accountId }: { accountId: string }) {
  const reading = useRef({ isUnderWay: false, isStale: false });

  /** One read at a time: a change during a read is read after it, so that many changes do not restart it for ever. */
  async function readAgain(): Promise<void> {
    const state = reading.current;
    state.isStale = true;
    if (state.isUnderWay) return;
    state.isUnderWay = true;
    try {
      while (state.isStale) {
        state.isStale = false;
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: orpc.pods.now.key({ input: { accountId } }) }),
          queryClient.invalidateQueries({ queryKey: orpc.pods.events.key({ input: { accountId } }) }),
        ]);
      }
    } finally {
      state.isUnderWay = false;
    }
  }

  useSubscription({
    key: accountId,
    ends: 'never',
    open: (signal) => api.pods.changes({ accountId }, { signal }),
    onEvent: () => void readAgain(),
  });
  return null;
}
