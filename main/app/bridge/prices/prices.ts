/** The procedures about prices over time and about alerts. */
import type { PriceAlert } from '#contract/app/price.ts';
import type { priceContract } from '#contract/bridge/prices/prices.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { PriceWatch } from '../../prices/priceWatch.ts';
import { createBell } from '../asyncSignal.ts';

/** The alerts now, then after each change. */
async function* watchAlerts(
  alerts: Pick<PriceWatch['alerts'], 'list' | 'onChange'>,
  signal: AbortSignal,
): AsyncGenerator<PriceAlert[], void, void> {
  const bell = createBell(signal);
  const unsubscribe = alerts.onChange(bell.ring);
  try {
    while (!signal.aborted) {
      yield alerts.list();
      await bell.next();
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

interface Watching {
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindPrices(
  prices: ImplementerInternalWithMiddlewares<typeof priceContract, object, object>,
  watch: PriceWatch,
  { lifeOf, translated }: Watching,
) {
  const { alerts } = watch;
  return {
    history: prices.history.handler(({ input: { accountId, period, gpuTypeId } }) =>
      watch.history(accountId, period, gpuTypeId),
    ),
    alerts: prices.alerts.handler(({ signal }) => translated(watchAlerts(alerts, lifeOf(signal)))),
    addAlert: prices.addAlert.handler(({ input }) => {
      const alert = alerts.add(input);
      void watch.checkNow(alert.accountId);
      return alert;
    }),
    changeAlert: prices.changeAlert.handler(({ input: { alertId, below } }) => {
      const alert = alerts.change(alertId, below);
      void watch.checkNow(alert.accountId);
      return alert;
    }),
    removeAlert: prices.removeAlert.handler(({ input }) => alerts.remove(input.alertId)),
  };
}
