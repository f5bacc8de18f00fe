/** Reads a batch while it runs, and its rows as they come into sight. */
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Batch, BatchRow, BatchView } from '#contract/bridge/batch/batches.ts';
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

/** The rows in sight, and the batch as of the same moment. */
export interface ReadRows {
  batch: Batch;
  /** How many rows the view has. */
  count: number;
  /** Undefined for a row that is not read. */
  at: (index: number) => BatchRow | undefined;
}

/** `view`: which rows, and in which order. */
export function useBatchRows(current: Batch, view: BatchView, sight: { first: number; last: number }): ReadRows {
  const first = Math.floor(sight.first / PAGE);
  const last = Math.max(first, Math.min(Math.floor(sight.last / PAGE), Math.ceil(current.total / PAGE) - 1));
  const pages = Array.from({ length: last - first + 1 }, (_, page) => first + page);
  // Counts change with the rows: once the last one has ended, the rows are read once more.
  const { batchId, unsent, running, queued, completed, failed } = current;
  const version = [unsent, running, queued, completed, failed].join(' ');
  const results = useQueries({
    queries: pages.map((page) => {
      const input = { batchId, offset: page * PAGE, limit: PAGE, view };
      return {
        ...orpc.batches.rows.queryOptions({ input }),
        queryKey: [...orpc.batches.rows.queryKey({ input }), version],
        placeholderData: keepPreviousData,
        gcTime: 10_000,
      };
    }),
  });
  // The counts stand beside the rows, so they are of the same moment. Whether it was stopped is known at once.
  const { stoppedBy, problem } = current;
  const batch = { ...(results[0]?.data?.batch ?? current), stoppedBy, problem };
  return {
    batch,
    count: view.onlyFailed ? batch.failed : batch.total,
    at: (index) => results[Math.floor(index / PAGE) - first]?.data?.rows[index % PAGE],
  };
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
