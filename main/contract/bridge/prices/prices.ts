/** The page's procedures about prices over time; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { priceHistorySchema, pricePeriodSchema } from '../../app/price.ts';

export const priceContract = {
  /**
   * Prices and stock that the app has seen at an account, for one GPU type or for all. Reads the current prices first,
   * unless it has just done so.
   */
  history: oc
    .input(z.object({ accountId: z.string(), period: pricePeriodSchema, gpuTypeId: z.string().optional() }))
    .output(priceHistorySchema),
};
