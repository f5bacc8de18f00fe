/** The usage of Pods, endpoints and volumes together, with the names of those that still exist. */
import type { UsageRow } from '#contract/bridge/billing.ts';
import type { ToldBilling } from '#contract/api/lenient.ts';
import type { BillingPeriod } from '../compute/billing.ts';
import type { ComputeApi } from '../services/directory.ts';

export async function readUsage(
  { billing, management, pods: podsApi }: ComputeApi,
  period: BillingPeriod,
  by: 'resource' | 'gpu',
): Promise<UsageRow[]> {
  const isResource = by === 'resource';
  const [pods, endpoints, volumes, podList, endpointList, volumeList] = await Promise.all([
    billing.pods(period, isResource ? 'podId' : 'gpuTypeId'),
    billing.endpoints(period, isResource ? 'endpointId' : 'gpuTypeId'),
    billing.volumes(period, isResource),
    // Names are of help, and not worth failing for.
    isResource ? podsApi.list().catch(() => []) : [],
    isResource ? management.endpoints().catch(() => []) : [],
    isResource ? management.volumes().catch(() => []) : [],
  ]);
  const names = new Map([...podList, ...endpointList, ...volumeList].map(({ id, name }) => [id, name]));
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  const row = (kind: UsageRow['kind'], record: ToldBilling): UsageRow => {
    const id = record.podId ?? record.endpointId ?? record.networkVolumeId ?? record.gpuTypeId ?? null;
    const { time, amount, timeBilledMs, diskSpaceBilledGb = null } = record;
    return {
      kind,
      time,
      id,
      name: nameOf(id),
      amount,
      timeMs: timeBilledMs,
      gb: diskSpaceBilledGb,
    };
  };
  return [
    ...pods.map((record) => row('pod', record)),
    ...endpoints.map((record) => row('endpoint', record)),
    ...volumes.map((record) => row('volume', record)),
  ];
}
