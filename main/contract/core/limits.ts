/**
 * Every number of the description: limits, ranges, defaults, retention. Durations end in `Ms`, sizes in `Bytes`. Each
 * number stands with its reason in the file of its subject in `limits/`.
 */
import { appLimits } from './limits/app.ts';
import { httpLimits } from './limits/http.ts';
import { jobLimits } from './limits/jobs.ts';
import { loadBalancingLimits } from './limits/loadBalancing.ts';
import { resourceLimits } from './limits/resources.ts';
import { usageLimits } from './limits/usage.ts';
import { webhookLimits } from './limits/webhooks.ts';
import { workerLimits } from './limits/workers.ts';

export const limits = {
  ...jobLimits,
  ...workerLimits,
  ...loadBalancingLimits,
  ...webhookLimits,
  ...resourceLimits,
  ...httpLimits,
  ...usageLimits,
  ...appLimits,
} as const;
