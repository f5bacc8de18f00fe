/** Deliveries of webhooks, as a part of the table that /local/v1/openapi.json is made from. */
import * as z from 'zod';
import { webhookDeliverySchema, webhookQuerySchema, webhookStateSchema } from '#contract/api/webhook.ts';
import { limits } from '#contract/core/limits.ts';
import type { Operation } from '../document.ts';

export const webhookAnswers = { WebhookDelivery: webhookDeliverySchema };

const { listed } = limits.webhook;

export const webhookOperations: readonly Operation<keyof typeof webhookAnswers>[] = [
  {
    methods: ['get'],
    path: '/local/v1/webhooks',
    id: 'webhooks',
    group: 'webhooks',
    need: 'read',
    summary: 'Lists deliveries, newest first.',
    query: {
      jobId: { schema: webhookQuerySchema.shape.jobId.unwrap(), words: 'Only those of this job.' },
      endpointId: { schema: webhookQuerySchema.shape.endpointId.unwrap(), words: 'Only those of this endpoint.' },
      state: { schema: webhookStateSchema, words: 'Only those in this state.' },
      limit: { schema: z.int().min(listed.min).max(listed.max), words: `How many; ${listed.default} without.` },
    },
    answers: { 200: { words: 'The deliveries.', shape: { listOf: 'WebhookDelivery' } } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['get'],
    path: '/local/v1/webhooks/{id}',
    id: 'webhook',
    group: 'webhooks',
    need: 'read',
    summary: 'Tells of one delivery.',
    answers: { 200: { words: 'The delivery.', shape: 'WebhookDelivery' } },
    refusals: [],
  },
  {
    methods: ['post'],
    path: '/local/v1/webhooks/{id}/redeliver',
    id: 'redeliver',
    group: 'webhooks',
    need: 'jobs',
    summary: 'Sends a delivery again.',
    answers: { 200: { words: 'The delivery, and that it is to be sent.', shape: 'WebhookDelivery' } },
    refusals: ['CONFLICT'],
  },
];
