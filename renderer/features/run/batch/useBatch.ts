/** Reads a batch while it runs, and its rows as they come into sight. */
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Batch, BatchRow } from '#contract/bridge/batch/batches.ts';
import { orpc } from '../../../client/transport/orpc.ts';

const RUNNING_MS = 1000;
const PAGE = 100;

/** Whether something of the batch will still change by itself. */
export const isActive = ({ running, unsent, stoppedBy }: Batch): boolean =>
  running > 0 || (unsent > 0 && stoppedBy === null);

/** The batch with current counts; `listed` until they are read. */
export function useBatch(listed: Batch): Batch {
  const { data } = useQuery(
    orpc.batches.get.queryOptions({
      input: { batchId: listed.batchId },
      initialData: listed,
      refetchInterval: ({ state }) => (state.data && isActive(state.data) ? RUNNING_MS : false),
    }),
  );
  return data;
}

/** The rows in sight; a row that is not read is undefined. */
export function useBatchRows(
  batch: Batch,
  sight: { first: number; last: number },
): (index: number) => BatchRow | undefined {
  const first = Math.floor(sight.first / PAGE);
  const last = Math.max(first, Math.min(Math.floor(sight.last / PAGE), Math.ceil(batch.total / PAGE) - 1));
  const pages = Array.from({ length: last - first + 1 }, (_, page) => first + page);
  // Counts change with the rows: once the last one has ended, the rows are read once more.
  const version = `${batch.unsent} ${batch.running} ${batch.completed} ${batch.failed}`;
  const results = useQueries({
    queries: pages.map((page) => ({
      ...orpc.batches.rows.queryOptions({ input: { batchId: batch.batchId, offset: page * PAGE, limit: PAGE } }),
      queryKey: [
        ...orpc.batches.rows.queryKey({ input: { batchId: batch.batchId, offset: page * PAGE, limit: PAGE } }),
        version,
      ],
      placeholderData: keepPreviousData,
      gcTime: 10_000,
    })),
  });
  return (index) => results[Math.floor(index / PAGE) - first]?.data?.[index % PAGE];
}

/** Puts what the app answered about a batch in place of what is shown. */
export function useShowBatch(): (batch: Batch) => void {
  const queries = useQueryClient();
  return (batch) => {
    queries.setQueryData(orpc.batches.get.queryKey({ input: { batchId: batch.batchId } }), batch);
    const input = { accountId: batch.accountId, endpointId: batch.endpointId };
    void queries.invalidateQueries({ queryKey: orpc.batches.list.queryKey({ input }) });
  };
}
