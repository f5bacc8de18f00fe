/** Billing history in REST v2. */
import { lenientAmountSchema, lenientBillingSchema, type LenientBilling } from '#contract/api/lenient.ts';
import * as z from 'zod';
import type { BillingApi, BillingPeriod } from '../billing.ts';
import { unsupported, type RestV2 } from './client.ts';

const recordSchema = z.looseObject({
  startTime: z.string().catch(''),
  totalAmount: lenientAmountSchema,
  podId: z.string().optional().catch(undefined),
  serverlessId: z.string().optional().catch(undefined),
  networkVolumeId: z.string().optional().catch(undefined),
});
const answerSchema = z.looseObject({ records: z.array(recordSchema) });

export function createBillingV2(rest: RestV2): BillingApi {
  async function read(resource: string, period: BillingPeriod): Promise<LenientBilling[]> {
    const query = new URLSearchParams({ ...period }).toString();
    const { records } = await rest.ask('GET', `billing/${resource}?${query}`, answerSchema);
    return records.map(({ startTime, totalAmount, serverlessId, ...record }) =>
      lenientBillingSchema.parse({ ...record, time: startTime, amount: totalAmount, endpointId: serverlessId }),
    );
  }
  function refuseGpus(grouping: string): void {
    if (grouping === 'gpuTypeId') throw unsupported('What was spent on each GPU type', 'Look at it by resource.');
  }
  return {
    async pods(period, grouping) {
      refuseGpus(grouping);
      return read('pods', period);
    },
    async endpoints(period, grouping) {
      refuseGpus(grouping);
      // In REST v2, `endpoints` is the usage of public endpoints; `serverless` has the usage of the account's own.
      return read('serverless', period);
    },
    volumes: (period) => read('network-volumes', period),
  };
}
