/** The state of the engine, as the app reports it. After a restart of the engine, the page reads everything again. */
import * as z from 'zod';
import { create } from 'zustand';
import { THIS_MACHINE, type EngineStatus } from '#contract/app/account.ts';
import { askBeforeRestart, type InterruptedWork } from '../state/overlays.ts';
import type { Query } from '@tanstack/react-query';
import { api, ORPCError, queryClient } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';
import { t } from '../language/text.ts';

/** Null until the first state arrives. */
export const useEngine = create<{ status: EngineStatus | null }>(() => ({ status: null }));

/** Whether the engine of this computer can be asked nothing now: it does not run, or it hangs. */
export const isEngineAway = ({ state, silentSince }: EngineStatus): boolean =>
  state !== 'ready' || silentSince !== null;

/** The part of a query's key that names the account it asks. */
const ofThisMachine = z.tuple([z.unknown(), z.object({ input: z.object({ accountId: z.literal(THIS_MACHINE) }) })]);

/**
 * A query of this computer that has no data has its error while the engine is away, as `failWithoutApp` of the
 * transport does it while the app is away. An engine that hangs answers nothing until the limit of a request, which is
 * long. The read is not ended, and its answer is shown if it comes.
 */
function failWithoutEngine(query: Pick<Query, 'state' | 'setState' | 'queryKey'>): void {
  const { status: engine } = useEngine.getState();
  if (engine === null || !isEngineAway(engine) || query.state.status !== 'pending') return;
  if (query.state.fetchStatus === 'idle' || !ofThisMachine.safeParse(query.queryKey).success) return;
  const message = t`The local service does not answer. Hangar keeps trying.`;
  query.setState({ status: 'error', error: new ORPCError('SERVICE_UNAVAILABLE', { message }) });
}
const queries = queryClient.getQueryCache();
queries.subscribe((event) => {
  if (event.type === 'updated') failWithoutEngine(event.query);
});
useEngine.subscribe(() => {
  for (const query of queries.getAll()) failWithoutEngine(query);
});

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
