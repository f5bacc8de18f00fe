/** Billing history in the description's dialect: REST v1. */
import { lenientBillingSchema, type LenientBilling } from '#contract/api/lenient.ts';
import * as z from 'zod';
import { readJson } from '../http/parsers.ts';
import type { BillingApi } from '../billing.ts';
import type { Outbound } from '../http/outbound.ts';

/** `tellsVolumes`: whether the account is an engine of Hangar, which has records of each volume. */
export function createBillingV1(outbound: Outbound, tellsVolumes: boolean): BillingApi {
  const read = async (resource: string, query: object): Promise<LenientBilling[]> => {
    const path = `/v1/billing/${resource}?${new URLSearchParams(Object.entries(query)).toString()}`;
    return readJson(
      `billing of ${resource}`,
      await outbound.send({ method: 'GET', path }),
      z.array(lenientBillingSchema),
    );
  };
  return {
    pods: (period, grouping) => read('pods', { ...period, grouping }),
    endpoints: (period, grouping) => read('endpoints', { ...period, grouping }),
    volumes: (period, each) =>
      read('networkvolumes', { ...period, ...(each && tellsVolumes && { grouping: 'networkVolumeId' }) }),
  };
}
