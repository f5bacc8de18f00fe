/** The queues of jobs, and the delivery of their webhooks. */
import { createJobs, type Jobs, type JobsOptions } from '../domain/jobs/jobs.ts';
import type { JobCounter } from '../domain/jobs/ports.ts';
import { createWebhooks, type Webhooks } from '../domain/webhooks/deliveryQueue.ts';
import type { WebhookPoster } from '../domain/webhooks/ports.ts';
import { createWebhookPoster } from '../runtime/webhooks/poster.ts';
import { createWebhookStore } from '../store/repositories/webhooks.ts';
import type { ExecutionParts, PoolNow } from './parts.ts';

/** Delivers webhooks, also those that an earlier engine left. */
export function createWebhookDelivery({ settings, clock, ids, logger, opened, records }: ExecutionParts): {
  webhooks: Webhooks;
  poster: WebhookPoster;
} {
  const { texts, files, limitsNow } = records;
  const poster = createWebhookPoster({ version: settings.version, texts });
  const store = createWebhookStore(opened.database, opened.commits, files, records);
  const webhooks = createWebhooks({ clock, ids, store, poster, logger, tries: () => limitsNow().webhook });
  return { webhooks, poster };
}

/** The queues of all endpoints. */
export function createJobQueues(
  { clock, ids, logger, records, changes }: ExecutionParts,
  webhooks: Webhooks,
  counter: JobCounter,
  pool: PoolNow,
  assignment: Pick<JobsOptions, 'mayTake' | 'priceOf' | 'onFailed'>,
): Jobs {
  const { endpoints, limitsNow } = records;
  return createJobs({
    clock,
    ids,
    store: records.jobStore,
    logger,
    webhooks,
    counter,
    limits: limitsNow,
    executionTimeoutMs: (id) => endpoints.find(id)?.executionTimeoutMs ?? limitsNow().executionTimeoutMs.default,
    onDemand: (endpointId) => pool()?.poke(endpointId),
    onMoved: changes.endpoint,
    ...assignment,
    onRecycle: (workerId, reason, graceMs) => pool()?.recycle(workerId, reason, graceMs),
  });
}
