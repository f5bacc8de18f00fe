/** The state of the engine, as the app reports it. After a restart of the engine, the page reads everything again. */
import { create } from 'zustand';
import { THIS_MACHINE, type EngineStatus } from '#contract/app/account.ts';
import { askBeforeRestart, type InterruptedWork } from '../state/overlays.ts';
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

/**
 * What a restart would interrupt now. An engine that does not run has no work; the terminals of one that hangs are not
 * known.
 */
async function interruptedWork(): Promise<InterruptedWork> {
  const { status } = useEngine.getState();
  if (status !== null && status.state !== 'ready') return { jobs: 0, terminals: 0 };
  const [{ running }, terminals] = await Promise.all([
    api.jobs.counts({ accountId: THIS_MACHINE, since: Date.now() }),
    (status?.silentSince ?? null) === null ? api.terminals.list({ accountId: THIS_MACHINE }) : [],
  ]);
  // Shells of the computer belong to the app, which is not restarted.
  const ending = terminals.filter(({ kind }) => kind === 'pod' || kind === 'worker');
  return { jobs: running, terminals: ending.length };
}

/** Restarts the engine, or asks first if that interrupts work. Rejects if neither is possible. */
export async function requestRestart(): Promise<void> {
  const work = await interruptedWork();
  if (work.jobs + work.terminals > 0) askBeforeRestart(work);
  else await restartEngine();
}

export async function restartEngine(): Promise<void> {
  useEngine.setState({ status: await api.engine.restart() });
}
