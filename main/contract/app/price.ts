/** Prices and stock of GPU types over time, as this app has seen them, and alerts about them. */
import * as z from 'zod';
import { stockStatuses } from '../api/gpuType.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * When prices are read. `firstReadMs`: after the start. `everyMs`: between two reads of an account, so that a cloud is
 * asked a few times an hour. `leastGapMs`: between those of an account with alerts, and for a person who looks often.
 * `keptDays`: older ones are removed.
 */
export const priceReads = {
  firstReadMs: MINUTE_MS,
  everyMs: 15 * MINUTE_MS,
  leastGapMs: 5 * MINUTE_MS,
  keptDays: 90,
} as const;

/** The periods of the history, each with the length and the number of its points. */
export const pricePeriods = {
  day: { stepMs: 15 * MINUTE_MS, points: 96 },
  week: { stepMs: 2 * HOUR_MS, points: 84 },
  month: { stepMs: 6 * HOUR_MS, points: 120 },
  quarter: { stepMs: 24 * HOUR_MS, points: 90 },
} as const;
export const pricePeriodSchema = z.enum(['day', 'week', 'month', 'quarter']);
export type PricePeriod = z.infer<typeof pricePeriodSchema>;

/** What was seen of a GPU type. */
export const seenPriceSchema = z.object({
  /** US dollars an hour for one GPU; null: none was free. */
  onDemand: z.number().nullable(),
  /** The same for a GPU that the service may take back; null: not reported, or none was free. */
  spot: z.number().nullable(),
  /** Null: not reported. */
  stock: z.enum(stockStatuses).nullable(),
});
export type SeenPrice = z.infer<typeof seenPriceSchema>;

export const priceHistorySchema = z.object({
  /** The first price of the account that the app still has, in milliseconds since the epoch; null: it has none. */
  since: z.number().nullable(),
  /** The start of the first point, in milliseconds since the epoch. */
  from: z.number(),
  stepMs: z.int(),
  types: z.array(
    z.object({
      gpuTypeId: z.string(),
      /** The last price of each span of `stepMs`; null: nothing was seen, for example because Hangar did not run. */
      points: z.array(seenPriceSchema.nullable()),
    }),
  ),
});
export type PriceHistory = z.infer<typeof priceHistorySchema>;

/** US dollars an hour for one GPU. */
export const maxAlertPrice = 1000;
/** Alerts of all accounts together. */
export const mostAlerts = 100;

export const priceAlertSchema = z.object({
  alertId: z.string(),
  accountId: z.string(),
  gpuTypeId: z.string(),
  gpuName: z.string(),
  /** It holds while one GPU costs at most this, in US dollars an hour; null: while some are in stock. */
  below: z.number().positive().max(maxAlertPrice).nullable(),
  /** Times are in milliseconds since the epoch. */
  createdAt: z.number(),
  /** Since when it holds; null: it does not. */
  metAt: z.number().nullable(),
  /** What one GPU cost at the last check; null: none was free, or it was not checked. */
  price: z.number().nullable(),
  /** Null: not since it was made or changed. */
  checkedAt: z.number().nullable(),
});
export type PriceAlert = z.infer<typeof priceAlertSchema>;

export const newPriceAlertSchema = priceAlertSchema
  .pick({ accountId: true, gpuTypeId: true, gpuName: true, below: true })
  .extend({ gpuTypeId: z.string().min(1).max(200), gpuName: z.string().min(1).max(200) });
export type NewPriceAlert = z.infer<typeof newPriceAlertSchema>;
