/** The schema's steps, oldest first. A step that was released is never changed; the file's `user_version` counts them. */
import type { DatabaseSync } from 'node:sqlite';
import { firstSchema } from './firstSchema.ts';
import { jobOrder } from './jobOrder.ts';
import { pods } from './pods.ts';
import { sealedEnv } from './sealedEnv.ts';
import { secrets } from './secrets.ts';
import { storedTexts } from './storedTexts.ts';
import { usage } from './usage.ts';
import { usageOfDays } from './usageOfDays.ts';
import { volumes } from './volumes.ts';
import { webhooks } from './webhooks.ts';

/** SQL, or what SQL alone cannot do; each is one transaction. */
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
];
