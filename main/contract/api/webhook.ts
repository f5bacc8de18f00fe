/**
 * Webhook deliveries of /local/v1/webhooks: the job and the address of each delivery, and the result of each attempt.
 */
import * as z from 'zod';
import { jobStatusSchema } from './job.ts';
import { limits } from '../core/limits.ts';
import { secret } from '../core/secretFields.ts';

/** `pending`: another attempt follows. `delivered`: a receiver answered 2xx. `failed`: every attempt failed. */
export const webhookStates = ['pending', 'delivered', 'failed'] as const;
export const webhookStateSchema = z.enum(webhookStates);
export type WebhookState = z.infer<typeof webhookStateSchema>;

export const webhookAttemptSchema = z.looseObject({
  /** When it began (RFC 3339). */
  at: z.string(),
  tookMs: z.int(),
  /** The HTTP status of the answer; null if no answer came. */
  status: z.int().nullable(),
  /** Why this attempt did not deliver, for a person; null if it did. */
  error: z.string().nullable(),
});

/** One delivery, GET /local/v1/webhooks/{id}. Times are RFC 3339. */
export const webhookDeliverySchema = z.looseObject({
  id: z.string(),
  jobId: z.string(),
  endpointId: z.string(),
  /** Without name and password. Keys with less than full scope see only the host. */
  url: secret('address', z.string()),
  /** The final state of the job that the webhook reports. */
  jobStatus: jobStatusSchema,
  state: webhookStateSchema,
  createdAt: z.string(),
  /** When the next attempt is due; null if there is none. */
  nextAttemptAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Whether the payload is still stored, so that it can be sent again. */
  payloadKept: z.boolean(),
  /** Oldest first, including those of earlier series. */
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
