/** How many jobs of the ledger have not ended. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useJobChanges, useMissedChanges } from '../../client/jobChanges.ts';
import { orpc } from '../../client/transport/orpc.ts';

const input = { filter: { statuses: ['SENDING', 'IN_QUEUE', 'IN_PROGRESS'] as const }, offset: 0, limit: 1 };
const options = orpc.jobs.list.queryOptions({
  input: { ...input, filter: { statuses: [...input.filter.statuses] } },
  staleTime: Infinity,
});

/** States already seen, so that a stream's chunks do not ask again. */
const seen = new Map<string, string>();

export function useOpenJobs(): number {
  const queries = useQueryClient();
  const { data } = useQuery(options);
  const ask = () => void queries.invalidateQueries({ queryKey: options.queryKey });
  useMissedChanges(ask);
  useJobChanges((changed) => {
    const moved = changed.filter((entry) => seen.get(entry.entryId) !== entry.status);
    for (const entry of moved) seen.set(entry.entryId, entry.status);
    if (moved.length > 0) ask();
  });
  return data?.matching ?? 0;
}
