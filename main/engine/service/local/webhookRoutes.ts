/** Webhook deliveries under /local/v1/webhooks: listed, read, sent again. */
import * as z from 'zod';
import { webhookDeliverySchema, webhookQuerySchema, type WebhookDelivery } from '#contract/api/webhook.ts';
import { limits } from '#contract/core/limits.ts';
import { maskedUrl, type WebhookRecord } from '../../domain/webhooks/delivery.ts';
import type { Webhooks } from '../../domain/webhooks/deliveryQueue.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';
import { wholeNumber } from '../openapi/queryParameters.ts';

const idParams = z.object({ id: z.string() });

const moment = (at: number): string => new Date(at).toISOString();
const momentOrNull = (at: number | null): string | null => (at === null ? null : moment(at));

/** The answer with a delivery: without passwords, and with times as text. */
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

const { listed } = limits.webhook;
const deliveryShape = named('WebhookDelivery', webhookDeliverySchema);

export function registerWebhookRoutes(api: Api, { webhooks }: { webhooks: Webhooks }): void {
  api.get(
    '/local/v1/webhooks',
    operation({
      id: 'webhooks',
      group: 'webhooks',
      need: 'read',
      summary: 'Lists deliveries, newest first.',
      querystring: webhookQuerySchema,
      query: {
        jobId: 'Only those of this job.',
        endpointId: 'Only those of this endpoint.',
        state: 'Only those in this state.',
        limit: wholeNumber(`How many; ${listed.default} without.`, listed),
      },
      answers: { 200: { words: 'The deliveries.', shape: { listOf: deliveryShape } } },
      refusals: ['BAD_REQUEST'],
    }),
    async ({ query }) => webhooks.list(query).map(viewOf),
  );
  api.get(
    '/local/v1/webhooks/:id',
    operation({
      id: 'webhook',
      group: 'webhooks',
      need: 'read',
      summary: 'Tells of one delivery.',
      params: idParams,
      answers: { 200: { words: 'The delivery.', shape: deliveryShape } },
    }),
    async ({ params }) => viewOf(webhooks.get(params.id)),
  );
  api.post(
    '/local/v1/webhooks/:id/redeliver',
    operation({
      id: 'redeliver',
      group: 'webhooks',
      need: 'jobs',
      summary: 'Sends a delivery again.',
      params: idParams,
      answers: { 200: { words: 'The delivery, and that it is to be sent.', shape: deliveryShape } },
      refusals: ['CONFLICT'],
    }),
    ({ params }) =>
      new Promise((resolve, reject) => {
        webhooks.redeliver(params.id, (error, record) => {
          if (error) reject(error instanceof Error ? error : new Error('the write failed', { cause: error }));
          else resolve(viewOf(record));
        });
      }),
  );
}
