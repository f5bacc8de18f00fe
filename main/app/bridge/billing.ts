/** The procedure about usage and its cost: Pods, endpoints and volumes together. */
import type { billingContract, UsageRow } from '#contract/bridge/billing.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { LenientBilling } from '#contract/api/lenient.ts';
import type { BillingPeriod } from '../compute/billing.ts';
import type { ResourceNameRows } from '../ledger/rows/resourceNames.ts';
import type { ComputeApi, Directory } from '../services/directory.ts';

/** The usage in a period. `known`: names of resources by their ids, also of deleted ones. */
export async function readUsage(
  { billing, management, pods: podsApi }: ComputeApi,
  period: BillingPeriod,
  by: 'resource' | 'gpu',
  known: ReadonlyMap<string, string>,
): Promise<UsageRow[]> {
  const isResource = by === 'resource';
  const [pods, endpoints, volumes, podList, endpointList, volumeList] = await Promise.all([
    billing.pods(period, isResource ? 'podId' : 'gpuTypeId'),
    billing.endpoints(period, isResource ? 'endpointId' : 'gpuTypeId'),
    billing.volumes(period, isResource),
    // A failed request for the names must not fail the report.
    isResource ? podsApi.list().catch(() => []) : [],
    isResource ? management.endpoints().catch(() => []) : [],
    isResource ? management.volumes().catch(() => []) : [],
  ]);
  const names = new Map([...podList, ...endpointList, ...volumeList].map(({ id, name }) => [id, name]));
  const row = (kind: UsageRow['kind'], record: LenientBilling): UsageRow => {
    const id = record.podId ?? record.endpointId ?? record.networkVolumeId ?? record.gpuTypeId ?? null;
    const { time, amount, timeBilledMs, diskSpaceBilledGb = null } = record;
    return {
      kind,
      time,
      id,
      name: id === null ? null : (names.get(id) ?? known.get(id) ?? null),
      exists: id !== null && names.has(id),
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

export const bindBilling = (
  app: ImplementerInternalWithMiddlewares<typeof billingContract, object, object>,
  { directory, names }: { directory: Directory; names: Pick<ResourceNameRows, 'of'> },
) => ({
  read: app.read.handler(({ input: { accountId, by, ...period } }) =>
    readUsage(directory.compute(accountId), period, by, names.of(accountId)),
  ),
});
