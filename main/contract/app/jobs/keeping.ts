/** How long the ledger keeps jobs, and how much it has. */
import * as z from 'zod';
import { limits } from '../../core/limits.ts';

/**
 * The retention of the ledger: jobs are removed this many days after their end, and the oldest ended jobs are removed
 * while the total is too large. Null sets no limit.
 */
export const keepingSchema = z.object({
  retentionDays: z.int().min(limits.ledger.retentionDays.min).max(limits.ledger.retentionDays.max).nullable(),
  capBytes: z.int().min(limits.ledger.capBytes.min).max(limits.ledger.capBytes.max).nullable(),
});
export type Keeping = z.infer<typeof keepingSchema>;

/** Why the ledger removed jobs automatically. */
export const pruneReasons = ['age', 'size'] as const;
export type PruneReason = (typeof pruneReasons)[number];

/** The size of the ledger and its retention. */
export const ledgerStorageSchema = z.object({
  /** Its path on this computer. */
  path: z.string(),
  jobs: z.int(),
  usedBytes: z.number(),
  /** When the oldest job was sent; null if there is none. */
  oldestSentAt: z.number().nullable(),
  keeping: keepingSchema,
  /** The last time that the ledger removed jobs automatically; null if that never happened. */
  lastPrune: z.object({ at: z.number(), jobs: z.int(), reason: z.enum(pruneReasons) }).nullable(),
});
export type LedgerStorage = z.infer<typeof ledgerStorageSchema>;
