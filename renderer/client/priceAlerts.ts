/** The alerts about GPU prices and stock, as they are now. */
import { useState } from 'react';
import type { PriceAlert } from '#contract/app/price.ts';
import { api } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

/** Of every account; empty until the first answer. */
export function usePriceAlerts(): readonly PriceAlert[] {
  const [alerts, setAlerts] = useState<readonly PriceAlert[]>([]);
  useSubscription<PriceAlert[]>({
    key: 'price-alerts',
    ends: 'never',
    open: (signal) => api.prices.alerts(undefined, { signal }),
    onEvent: setAlerts,
  });
  return alerts;
}
