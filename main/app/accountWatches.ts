/** What asks accounts from time to time by itself: their prices, and their Pods that stop by themselves. */
import type { Logger } from 'pino';
import { createAutoStops } from './autoStop/autoStops.ts';
import { forgetPausedOf } from './bridge/resources/endpointPauses.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Clock } from './platform/clock.ts';
import { createPriceWatch } from './prices/priceWatch.ts';
import type { Directory } from './services/directory.ts';
import type { AppTerminals } from './terminals/appTerminals.ts';

export interface AccountWatchesOptions {
  directory: Directory;
  ledger: Ledger;
  /** Terminals over SSH in Pods of accounts. */
  terminals: Pick<AppTerminals, 'of'>;
  clock: Clock;
  logger: Logger;
}

export function createAccountWatches({ directory, ledger, terminals, clock, logger }: AccountWatchesOptions) {
  const prices = createPriceWatch({ directory, ledger, clock, logger });
  const autoStops = createAutoStops({
    directory,
    rows: ledger.autoStops,
    async terminalsIn(accountId, podId) {
      return (await terminals.of(accountId).list()).filter(({ targetId }) => targetId === podId).length;
    },
    clock,
    logger,
  });
  return {
    prices,
    autoStops,
    start(): void {
      prices.start();
      autoStops.start();
    },
    /** Forgets a removed account. Resolves once nothing of it is being read. */
    async leave(accountId: string): Promise<void> {
      await Promise.all([prices.leave(accountId), autoStops.leave(accountId)]);
      ledger.resourceNames.forget(accountId);
      forgetPausedOf(ledger, accountId);
    },
    stop(): void {
      prices.stop();
      autoStops.stop();
    },
  };
}
