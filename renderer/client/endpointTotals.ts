/** What happened at each endpoint of an account in the last 24 hours. */
import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { MetricSumsAnswer } from '#contract/local/metrics.ts';
import { useStatePollMs } from './changes/pushed.ts';
import { orpc } from './transport/orpc.ts';

const EVERY_MS = 15_000;
/** Also for an account that reports changes: old jobs leave the last 24 hours by time alone, which is no change. */
const AGEING_MS = 300_000;
const none: ReadonlyMap<string, MetricSumsAnswer> = new Map();

interface EndpointTotals {
  /** The sums of the last 24 hours by the id of the endpoint; empty until they are known, and without an answer. */
  totals: ReadonlyMap<string, MetricSumsAnswer>;
  /** Whether the first answer has not come yet. */
  isPending: boolean;
}

export function useEndpointTotals(accountId: string): EndpointTotals {
  const { data, isPending } = useQuery(
    orpc.endpoints.totals.queryOptions({
      input: { accountId, period: '24h' },
      refetchInterval: useStatePollMs(accountId, EVERY_MS) || AGEING_MS,
      retry: false,
    }),
  );
  const totals = useMemo(
    () => (data ? new Map(data.map(({ endpointId, total }) => [endpointId, total])) : none),
    [data],
  );
  return { totals, isPending };
}
