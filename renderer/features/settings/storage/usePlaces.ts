/** The places of all data. Sizes grow while they are counted. */
import { useQuery } from '@tanstack/react-query';
import type { Places } from '#contract/bridge/data/places.ts';
import { api, orpc, queryClient } from '../../../client/transport/orpc.ts';

const queryKey = orpc.data.places.key();

async function count(signal: AbortSignal): Promise<Places> {
  let last: Places | null = null;
  for await (const places of await api.data.places(undefined, { signal })) {
    last = places;
    // A complete earlier list stays until the new one is complete.
    const shown = queryClient.getQueryData<Places>(queryKey);
    if (shown === undefined || !shown.isDone || places.isDone) queryClient.setQueryData(queryKey, places);
  }
  if (last === null) throw new Error('the list of places is never empty');
  return last;
}

export const usePlaces = () => useQuery<Places>({ queryKey, queryFn: ({ signal }) => count(signal), retry: false });
