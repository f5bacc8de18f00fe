/** The schema's steps, oldest first. A step that was released is never changed; the file's `user_version` counts them. */
import { firstSchema } from './firstSchema.ts';
import { jobOrder } from './jobOrder.ts';
import { pods } from './pods.ts';
import { storedTexts } from './storedTexts.ts';
import { usage } from './usage.ts';
import { volumes } from './volumes.ts';
import { webhooks } from './webhooks.ts';

export const migrations: readonly string[] = [firstSchema, storedTexts, webhooks, volumes, jobOrder, pods, usage];
