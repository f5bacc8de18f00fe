/** Metrics of endpoints for the page, from accounts that are engines of Hangar. */
import { AppError, isUnsupported } from '#contract/core/errors.ts';
import type { EndpointMetrics, EndpointTotal, MetricPeriod } from '#contract/local/metrics.ts';
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

/** Rejects with UNSUPPORTED if the account does not report metrics, and with NOT_FOUND for an unknown endpoint. */
export async function endpointMetrics(
  compute: Pick<ComputeApi, 'local'>,
  endpointId: string,
  period: MetricPeriod,
): Promise<EndpointMetrics> {
  if (!compute.local) {
    throw new AppError(
      'UNSUPPORTED',
      'This account does not report metrics of its endpoints. An engine of Hangar does. The cost is on the page Billing.',
    );
  }
  try {
    return await compute.local.metrics(endpointId, period);
  } catch (thrown) {
    // An engine of an earlier version answers an unknown path as it answers an unknown endpoint.
    if (!isUnsupported(thrown) || (await endpointTotals(compute, period)) !== null) throw thrown;
    throw new AppError('UNSUPPORTED', 'The Hangar of this account is too old to have metrics. Update it.', {
      cause: thrown,
    });
  }
}
