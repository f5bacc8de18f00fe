/** What was used, of Pods, endpoints and volumes together, with the names of what is still there. */
import type { BillingRecord } from '#contract/billing.ts';
import type { UsageRow } from '#contract/billingBridge.ts';
import type { BillingPeriod } from '../compute/billing.ts';
import type { ComputeApi } from '../directory.ts';

export async function readUsage(
  { billing, management, pods: podsApi }: ComputeApi,
  period: BillingPeriod,
  by: 'resource' | 'gpu',
): Promise<UsageRow[]> {
  const isResource = by === 'resource';
  const [pods, endpoints, volumes, podList, endpointList] = await Promise.all([
    billing.pods(period, isResource ? 'podId' : 'gpuTypeId'),
    billing.endpoints(period, isResource ? 'endpointId' : 'gpuTypeId'),
    billing.volumes(period),
    // Names are of help, and not worth failing for.
    isResource ? podsApi.list().catch(() => []) : [],
    isResource ? management.endpoints().catch(() => []) : [],
  ]);
  const nameOf = new Map([...podList, ...endpointList].map(({ id, name }) => [id, name]));
  const row = (kind: UsageRow['kind'], record: BillingRecord): UsageRow => {
    const id = record.podId ?? record.endpointId ?? record.gpuTypeId ?? null;
    const { time, amount, timeBilledMs, diskSpaceBilledGb = null } = record;
    return {
      kind,
      time,
      id,
      name: id === null ? null : (nameOf.get(id) ?? null),
      amount,
      timeMs: timeBilledMs,
      gb: diskSpaceBilledGb,
    };
  };
  return [
    ...pods.map((record) => row('pod', record)),
    ...endpoints.map((record) => row('endpoint', record)),
    ...volumes.map(({ time, amount, diskSpaceBilledGb }) => ({
      ...{ kind: 'volume' as const, time, id: null, name: null, amount, timeMs: 0, gb: diskSpaceBilledGb },
    })),
  ];
}
