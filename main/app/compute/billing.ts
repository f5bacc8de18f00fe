/** Billing history of an account, the same for every dialect. */
import type { ToldBilling } from '#contract/api/lenient.ts';

export interface BillingPeriod {
  startTime: string;
  endTime: string;
  bucketSize: string;
}

export interface BillingApi {
  /** Rejects with UNSUPPORTED where the account does not sum up by GPU. */
  pods(period: BillingPeriod, grouping: 'podId' | 'gpuTypeId'): Promise<ToldBilling[]>;
  /** Rejects as `pods` does. */
  endpoints(period: BillingPeriod, grouping: 'endpointId' | 'gpuTypeId'): Promise<ToldBilling[]>;
  /** Each by itself where the account can tell that, else, and where `each` is false, all of them together. */
  volumes(period: BillingPeriod, each: boolean): Promise<ToldBilling[]>;
}
