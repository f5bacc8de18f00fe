/** Webhook deliveries under /local/v1/webhooks: listed, read, sent again. */
import * as z from 'zod';
import { webhookQuerySchema, type WebhookDelivery } from '#contract/api/webhook.ts';
import { maskedUrl, type WebhookRecord } from '../../domain/webhooks/delivery.ts';
import type { Webhooks } from '../../domain/webhooks/deliveryQueue.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

const idParams = z.object({ id: z.string() });

const moment = (at: number): string => new Date(at).toISOString();
const momentOrNull = (at: number | null): string | null => (at === null ? null : moment(at));

/** A delivery as it is told: no password, and moments as text. */
function viewOf(record: WebhookRecord): WebhookDelivery {
  const { id, jobId, endpointId, jobStatus, state } = record;
  return {
    id,
    jobId,
    endpointId,
    url: maskedUrl(record.url),
    jobStatus,
    state,
    createdAt: moment(record.createdAt),
    nextAttemptAt: momentOrNull(record.nextAttemptAt),
    finishedAt: momentOrNull(record.finishedAt),
    payloadKept: record.payloadLength > 0,
    attempts: record.attempts.map((attempt) => ({ ...attempt, at: moment(attempt.at) })),
  };
}

export function registerWebhookRoutes(api: Api, { webhooks }: { webhooks: Webhooks }): void {
  api.get('/local/v1/webhooks', { ...needs('read'), schema: { querystring: webhookQuerySchema } }, async ({ query }) =>
    webhooks.list(query).map(viewOf),
  );
  api.get('/local/v1/webhooks/:id', { ...needs('read'), schema: { params: idParams } }, async ({ params }) =>
    viewOf(webhooks.get(params.id)),
  );
  api.post(
    '/local/v1/webhooks/:id/redeliver',
    { ...needs('jobs'), schema: { params: idParams } },
    ({ params }) =>
      new Promise((resolve, reject) => {
        webhooks.redeliver(params.id, (error, record) => {
          if (error) reject(error instanceof Error ? error : new Error('the write failed', { cause: error }));
          else resolve(viewOf(record));
        });
      }),
  );
}
