/** Metrics of endpoints for the page: from accounts that are engines of Hangar, else from the jobs in the ledger. */
import type { LedgerStorage } from '#contract/app/jobs/keeping.ts';
import type { ShownMetrics, ShownSums } from '#contract/app/endpointReadModels.ts';
import { isUnsupported } from '#contract/core/errors.ts';
import {
  metricParts,
  metricsFrom,
  type EndpointTotal,
  type MetricPeriod,
  type MetricSumsAnswer,
} from '#contract/local/metrics.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ComputeApi } from '../../services/directory.ts';

/** The sums of every endpoint; null if the account does not report them. */
export async function endpointTotals(
  { local }: Pick<ComputeApi, 'local'>,
  period: MetricPeriod,
): Promise<EndpointTotal[] | null> {
  if (!local) return null;
  try {
    return await local.totals(period);
  } catch (thrown) {
    if (isUnsupported(thrown)) return null;
    throw thrown;
  }
}

export interface EndpointMetricsParts {
  compute: Pick<ComputeApi, 'local'>;
  ledger: Pick<Ledger, 'endpointMetrics'>;
  /** The ledger's size, and when it last removed jobs. */
  storage: () => Pick<LedgerStorage, 'oldestSentAt' | 'lastPrune'>;
  clock: Pick<Clock, 'now'>;
}

export interface MetricsRequest {
  accountId: string;
  endpointId: string;
  period: MetricPeriod;
}

const measured = (sums: MetricSumsAnswer): ShownSums => ({ ...sums, executionMs: null });

/** Rejects with NOT_FOUND if the account is an engine of Hangar that does not know the endpoint. */
export async function endpointMetrics(parts: EndpointMetricsParts, request: MetricsRequest, signal?: AbortSignal) {
  const { compute } = parts;
  const { endpointId, period } = request;
  if (!compute.local) return fromLedger(parts, request, false, signal);
  try {
    const { total, points, ...rest } = await compute.local.metrics(endpointId, period);
    return {
      ...rest,
      total: measured(total),
      points: points.map(({ at, ...sums }) => ({ ...measured(sums), at })),
      ledger: null,
    } satisfies ShownMetrics;
  } catch (thrown) {
    // An engine of an earlier version answers an unknown path as it answers an unknown endpoint.
    if (!isUnsupported(thrown) || (await endpointTotals(compute, period)) !== null) throw thrown;
    return fromLedger(parts, request, true, signal);
  }
}

async function fromLedger(
  { ledger, storage, clock }: EndpointMetricsParts,
  { accountId, endpointId, period }: MetricsRequest,
  isOldHangar: boolean,
  signal: AbortSignal | undefined,
): Promise<ShownMetrics> {
  const to = clock.now();
  const from = metricsFrom(period, to);
  const { stepMs, points: count } = metricParts[period];
  const seen = await ledger.endpointMetrics({ accountId, endpointId }, { from, stepMs, points: count }, signal);
  const { lastPrune, oldestSentAt } = storage();
  const isCut = lastPrune !== null && lastPrune.at > from && oldestSentAt !== null && oldestSentAt > from;
  return {
    endpointId,
    period,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    stepMs,
    total: seen.total,
    points: seen.points.map((sums, index) => ({ ...sums, at: new Date(from + index * stepMs).toISOString() })),
    ledger: {
      jobs: seen.jobs,
      unaccepted: seen.unaccepted,
      isOldHangar,
      since: isCut ? new Date(oldestSentAt).toISOString() : null,
    },
  };
}
