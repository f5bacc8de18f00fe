/** Webhook deliveries as /local/v1/webhooks tells them: what was to be called about which job, and how each attempt went. */
import * as z from 'zod';
import { jobStatusSchema } from './job.ts';
import { limits } from '../core/limits.ts';
import { secret } from '../core/secretFields.ts';

/** `pending`: an attempt is still to come. `delivered`: a receiver answered 2xx. `failed`: every attempt was in vain. */
export const webhookStates = ['pending', 'delivered', 'failed'] as const;
export const webhookStateSchema = z.enum(webhookStates);
export type WebhookState = z.infer<typeof webhookStateSchema>;

export const webhookAttemptSchema = z.looseObject({
  /** When it began (RFC 3339). */
  at: z.string(),
  tookMs: z.int(),
  /** What the receiver answered; null when no answer came. */
  status: z.int().nullable(),
  /** Why this attempt did not deliver, for a person; null when it did. */
  error: z.string().nullable(),
});

/** One delivery, GET /local/v1/webhooks/{id}. Moments as RFC 3339. */
export const webhookDeliverySchema = z.looseObject({
  id: z.string(),
  jobId: z.string(),
  endpointId: z.string(),
  /** Without the name and password it may carry; to keys with less than full scope, no more than its host. */
  url: secret('address', z.string()),
  /** How the job had ended when this was to be told. */
  jobStatus: jobStatusSchema,
  state: webhookStateSchema,
  createdAt: z.string(),
  /** When the next attempt is due; null when there is none to come. */
  nextAttemptAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Whether what was sent is still kept, so that it can be sent again. */
  payloadKept: z.boolean(),
  /** Oldest first, those of earlier series included. */
  attempts: z.array(webhookAttemptSchema),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

const { min, max } = limits.webhook.listed;

/** Query of GET /local/v1/webhooks. */
export const webhookQuerySchema = z.strictObject({
  jobId: z.string().optional(),
  endpointId: z.string().optional(),
  state: webhookStateSchema.optional(),
  limit: z
    .string()
    .regex(/^\d+$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .optional(),
});
export type WebhookQuery = z.infer<typeof webhookQuerySchema>;
