/** The engine's state as the app tells it, and what the page asks again once the engine is back. */
import { create } from 'zustand';
import type { EngineStatus } from '#contract/app/account.ts';
import { api, queryClient } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

/** Null until the app has told it for the first time. */
export const useEngine = create<{ status: EngineStatus | null }>(() => ({ status: null }));

/** Follows the engine; mounted once. */
export function useEngineFeed(): void {
  useSubscription<EngineStatus>({
    key: 'engine',
    ends: 'never',
    open: (signal) => api.engine.watch(undefined, { signal }),
    onEvent: (status) => {
      const before = useEngine.getState().status;
      useEngine.setState({ status });
      if (status.state === 'ready' && before !== null && before.state !== 'ready') void queryClient.invalidateQueries();
    },
  });
}

export async function restartEngine(): Promise<void> {
  useEngine.setState({ status: await api.engine.restart() });
}
