/** What happened at each endpoint of an account in the last 24 hours. */
import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { MetricSumsAnswer } from '#contract/local/metrics.ts';
import { useStatePollMs } from './changes/pushed.ts';
import { orpc } from './transport/orpc.ts';

const EVERY_MS = 15_000;
/** Also for an account that reports changes: old jobs leave the last 24 hours by time alone, which is no change. */
const AGEING_MS = 300_000;
const none: ReadonlyMap<string, MetricSumsAnswer> = new Map();

export interface EndpointTotals {
  /** The sums of the last 24 hours by the id of the endpoint; empty until they are known, and without an answer. */
  totals: ReadonlyMap<string, MetricSumsAnswer>;
  /** Whether the first answer has not come yet. */
  isPending: boolean;
  /** Whether the account has no such sums, or they could not be read: then its own counters say how many jobs ended. */
  isMissing: boolean;
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
  return { totals, isPending, isMissing: !isPending && data == null };
}

/** How many jobs of an endpoint ended. */
export interface EndedJobs {
  /** Undefined while it is not known. */
  done: number | undefined;
  failed: number | undefined;
}

const NOTHING: EndedJobs = { done: 0, failed: 0 };

/** In the last 24 hours; where that is missing, as the account itself counts, which does not say over which time. */
export function endedJobsOf({ id, health }: Pick<EndpointRow, 'id' | 'health'>, known: EndpointTotals): EndedJobs {
  if (known.isMissing) return { done: health?.jobs.completed, failed: health?.jobs.failed };
  const total = known.totals.get(id);
  if (total) return { done: total.completed, failed: total.failed + total.timedOut };
  return known.isPending ? { done: undefined, failed: undefined } : NOTHING;
}
