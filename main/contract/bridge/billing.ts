/** The page's procedure about what was used and what it cost; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';

/** What one resource, or GPU type, cost in one span of time. */
export const usageRowSchema = z.object({
  kind: z.enum(['pod', 'endpoint', 'volume']),
  /** Where its span begins. */
  time: z.string(),
  /** Id of the resource, or name of the GPU type; null where the account tells the sum of all. */
  id: z.string().nullable(),
  /** Null where it is not there any more, or has none. */
  name: z.string().nullable(),
  /** US dollars. */
  amount: z.number(),
  /** Zero for volumes. */
  timeMs: z.number(),
  /** Of disk, where the account tells it. */
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
