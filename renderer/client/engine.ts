/** The state of the engine, as the app reports it. After a restart of the engine, the page reads everything again. */
import { create } from 'zustand';
import type { EngineStatus } from '#contract/app/account.ts';
import { api, queryClient } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

/** Null until the first state arrives. */
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
