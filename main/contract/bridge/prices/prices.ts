/** The page's procedures about prices over time and about alerts; part of the bridge contract. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { newPriceAlertSchema, priceAlertSchema, priceHistorySchema, pricePeriodSchema } from '../../app/price.ts';

export const priceContract = {
  /**
   * Prices and stock that the app has seen at an account, for one GPU type or for all. Reads the current prices first,
   * unless it has just done so.
   */
  history: oc
    .input(z.object({ accountId: z.string(), period: pricePeriodSchema, gpuTypeId: z.string().optional() }))
    .output(priceHistorySchema),
  /** The alerts of all accounts now, then after each change. */
  alerts: oc.output(eventIterator(z.array(priceAlertSchema))),
  /** Makes an alert and checks it. BAD_REQUEST if there are too many. */
  addAlert: oc.input(newPriceAlertSchema).output(priceAlertSchema),
  /** Changes the condition of an alert and checks it. NOT_FOUND if it was removed. */
  changeAlert: oc.input(priceAlertSchema.pick({ alertId: true, below: true })).output(priceAlertSchema),
  removeAlert: oc.input(priceAlertSchema.pick({ alertId: true })).output(z.void()),
};
