/** The work on all data, as the app reports it. */
import { useState } from 'react';
import type { DataState } from '#contract/bridge/data/index.ts';
import { api } from '../../../client/transport/orpc.ts';
import { useSubscription } from '../../../client/transport/subscription.ts';

/** Null until the first state arrives. */
export function useDataState(): [DataState | null, (state: DataState) => void] {
  const [state, setState] = useState<DataState | null>(null);
  useSubscription<DataState>({
    key: 'data',
    ends: 'never',
    open: (signal) => api.data.watch(undefined, { signal }),
    onEvent: setState,
  });
  return [state, setState];
}
