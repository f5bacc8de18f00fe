/** Billing history of an account, the same for every dialect. */
import type { LenientBilling } from '#contract/api/lenient.ts';

export interface BillingPeriod {
  startTime: string;
  endTime: string;
  bucketSize: string;
}

export interface BillingApi {
  /** Rejects with UNSUPPORTED if the account has no sums by GPU. */
  pods(period: BillingPeriod, grouping: 'podId' | 'gpuTypeId'): Promise<LenientBilling[]>;
  /** Rejects as `pods` does. */
  endpoints(period: BillingPeriod, grouping: 'endpointId' | 'gpuTypeId'): Promise<LenientBilling[]>;
  /** One record for each volume if `each` is true and the account supports that; otherwise one sum of all. */
  volumes(period: BillingPeriod, each: boolean): Promise<LenientBilling[]>;
}
