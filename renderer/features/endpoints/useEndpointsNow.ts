/** The endpoints of an account as they are now, asked again while somebody looks. */
import { useQuery } from '@tanstack/react-query';
import type { EndpointsNow } from '#contract/endpointViews.ts';
import { useEngine } from '../../client/engine.ts';
import { errorText, orpc, queryClient, useConnection } from '../../client/orpc.ts';

/** Only while the window is to be seen. */
export const POLL_MS = 2000;

export interface EndpointsView {
  /** Undefined until the first answer. */
  now: EndpointsNow | undefined;
  /** When it came, milliseconds since the epoch. */
  at: number;
  /** Why what is shown may be out of date, or why there is nothing; null while all is well. */
  problem: string | null;
  retry: () => void;
}

export function useEndpointsNow(accountId: string): EndpointsView {
  const query = useQuery(
    orpc.endpoints.now.queryOptions({ input: { accountId }, refetchInterval: POLL_MS, retry: false }),
  );
  const connected = useConnection((status) => status.state === 'open');
  const engine = useEngine((state) => state.status?.state ?? 'ready');
  const away = !connected ? 'Hangar cannot be reached.' : engine !== 'ready' ? 'The engine cannot be reached.' : null;
  return {
    now: query.data,
    at: query.dataUpdatedAt,
    problem: query.isError ? errorText(query.error) : query.data ? away : null,
    retry: () => void query.refetch(),
  };
}

/** After something was made, changed or removed here, everything that lists endpoints is asked again. */
export const endpointsChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.endpoints.key() });
