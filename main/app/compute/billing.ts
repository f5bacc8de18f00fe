/** Billing history of an account over HTTP. */
import {
  billingRecordSchema,
  volumeBillingRecordSchema,
  type BillingRecord,
  type VolumeBillingRecord,
} from '#contract/billing.ts';
import * as z from 'zod';
import { readJson } from './answers.ts';
import type { Outbound } from './outbound.ts';

export interface BillingPeriod {
  startTime: string;
  endTime: string;
  bucketSize: string;
}

export interface BillingApi {
  pods(period: BillingPeriod, grouping: 'podId' | 'gpuTypeId'): Promise<BillingRecord[]>;
  endpoints(period: BillingPeriod, grouping: 'endpointId' | 'gpuTypeId'): Promise<BillingRecord[]>;
  /** Each by itself where the account can tell that, else, and where `each` is false, all of them together. */
  volumes(period: BillingPeriod, each: boolean): Promise<VolumeBillingRecord[]>;
}

/** `tellsVolumes`: it is a machine of ours. */
export function createBillingApi(outbound: Outbound, tellsVolumes: boolean): BillingApi {
  const read = async <S extends z.ZodType>(what: string, query: object, schema: S): Promise<z.output<S>> => {
    const path = `/v1/billing/${what}?${new URLSearchParams(Object.entries(query)).toString()}`;
    return readJson(`billing of ${what}`, await outbound.send({ method: 'GET', path }), schema);
  };
  return {
    pods: (period, grouping) => read('pods', { ...period, grouping }, z.array(billingRecordSchema)),
    endpoints: (period, grouping) => read('endpoints', { ...period, grouping }, z.array(billingRecordSchema)),
    volumes(period, each) {
      const query = { ...period, ...(each && tellsVolumes && { grouping: 'networkVolumeId' }) };
      return read('networkvolumes', query, z.array(volumeBillingRecordSchema));
    },
  };
}
