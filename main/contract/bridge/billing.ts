/** The page's procedure about usage and its cost; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';

/** The cost of one resource, or of one GPU type, in one period. */
export const usageRowSchema = z.object({
  kind: z.enum(['pod', 'endpoint', 'volume']),
  /** The start of the period. */
  time: z.string(),
  /** Id of the resource, or name of the GPU type; null if the account reports only the sum. */
  id: z.string().nullable(),
  /** The last known name of the resource; null if it has none, or was deleted before this app saw it. */
  name: z.string().nullable(),
  /** Whether the resource still exists; false for a sum and a GPU type. */
  exists: z.boolean(),
  /** US dollars. */
  amount: z.number(),
  /** Zero for volumes. */
  timeMs: z.number(),
  /** GB of disk, if the account reports them. */
  gb: z.number().nullable(),
});
export type UsageRow = z.infer<typeof usageRowSchema>;

const time = z.iso.datetime({ offset: true });

export const billingContract = {
  read: oc
    .input(
      z.object({
        accountId: z.string(),
        startTime: time,
        endTime: time,
        bucketSize: z.enum(['hour', 'day']),
        by: z.enum(['resource', 'gpu']),
      }),
    )
    .output(z.array(usageRowSchema)),
};
