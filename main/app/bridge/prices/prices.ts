/** The procedures about prices over time. */
import type { priceContract } from '#contract/bridge/prices/prices.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { PriceWatch } from '../../prices/priceWatch.ts';

export function bindPrices(
  prices: ImplementerInternalWithMiddlewares<typeof priceContract, object, object>,
  watch: PriceWatch,
) {
  return {
    history: prices.history.handler(({ input: { accountId, period, gpuTypeId } }) =>
      watch.history(accountId, period, gpuTypeId),
    ),
  };
}
