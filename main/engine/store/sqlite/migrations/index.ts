/**
 * The migrations of the schema, oldest first. A released migration never changes; `user_version` of the file counts
 * them.
 */
import type { DatabaseSync } from 'node:sqlite';
import { endpointMetrics } from './endpointMetrics.ts';
import { firstSchema } from './firstSchema.ts';
import { jobOrder } from './jobOrder.ts';
import { jobSender } from './jobSender.ts';
import { podEvents } from './podEvents.ts';
import { pods } from './pods.ts';
import { sealedEnv } from './sealedEnv.ts';
import { secrets } from './secrets.ts';
import { storedTexts } from './storedTexts.ts';
import { usage } from './usage.ts';
import { usageOfDays } from './usageOfDays.ts';
import { volumes } from './volumes.ts';
import { webhooks } from './webhooks.ts';

/** SQL, or a function for steps beyond SQL. Each is one transaction; those of a new file are one together. */
export type Migration = string | ((database: DatabaseSync) => void);

export const migrations: readonly Migration[] = [
  firstSchema,
  storedTexts,
  webhooks,
  volumes,
  jobOrder,
  pods,
  usage,
  usageOfDays,
  sealedEnv,
  secrets,
  endpointMetrics,
  jobSender,
  podEvents,
];
