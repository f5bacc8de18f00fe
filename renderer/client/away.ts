/** What is away now. One banner above every page says so with a remedy; the pages then do not say it again. */
import { useCallback } from 'react';
import { create } from 'zustand';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import { targetAccount } from '../state/selection.ts';
import { accountInSentence } from '../ui/text/accountName.ts';
import { isAway, useKnownAccounts } from './accounts.ts';
import { isEngineAway, useEngine } from './engine.ts';
import { useConnection } from './transport/orpc.ts';
import { t } from '../language/text.ts';

/** Where values come from: an account by its id, the target, or the app itself, which also keeps the jobs. */
export type Source = { readonly accountId: string } | 'target' | 'app';

const useIsLost = (): boolean => useConnection((status) => status.state === 'lost');
const useIsEngineAway = (): boolean => useEngine(({ status }) => status !== null && isEngineAway(status));

interface AwaySince {
  /** When the connection to the app was lost, in milliseconds since the epoch; null while it is there. */
  app: number | null;
  /** The same for the engine of this computer. */
  engine: number | null;
}
const useAwaySince = create<AwaySince>(() => ({ app: null, engine: null }));
useConnection.subscribe(({ state }) => {
  const { app } = useAwaySince.getState();
  const isLost = state === 'lost';
  if (isLost !== (app !== null)) useAwaySince.setState({ app: isLost ? Date.now() : null });
});
useEngine.subscribe(({ status }) => {
  const { engine } = useAwaySince.getState();
  const isOut = status !== null && isEngineAway(status);
  if (isOut !== (engine !== null)) useAwaySince.setState({ engine: isOut ? (status.silentSince ?? Date.now()) : null });
});

/**
 * When values of the app, or of the engine of this computer, were last known, because nothing new can come: in
 * milliseconds since the epoch. Null while they can be read.
 */
export function useLastKnownAt(source: 'app' | 'engine'): number | null {
  const { app, engine } = useAwaySince();
  if (source === 'app' || engine === null) return app;
  return app === null ? engine : Math.min(app, engine);
}

/**
 * Says by the name of what is away, in the middle of a sentence, why an account cannot be asked; null while it can.
 * `isOut`: whether an account of the cloud or of another engine cannot. No account: only the app itself is asked.
 */
function useAwayName(): (accountId: string | null, isOut: (account: Account) => boolean) => string | null {
  const isLost = useIsLost();
  const engineIsAway = useIsEngineAway();
  const accounts = useKnownAccounts();
  return useCallback(
    (accountId, isOut) => {
      if (isLost) return t`Hangar`;
      if (accountId === null) return null;
      if (accountId === THIS_MACHINE) return engineIsAway ? t`the engine` : null;
      const account = accounts?.find(({ id }) => id === accountId);
      return account !== undefined && isOut(account) ? accountInSentence(accountId, account.name) : null;
    },
    [isLost, engineIsAway, accounts],
  );
}

/**
 * The name of what cannot be reached, for the middle of a sentence. Null while the source can be asked. Null also for
 * an account that is not the target, because the banner speaks of Hangar and of the target only.
 */
export function useAway(source: Source = 'target'): string | null {
  const awayName = useAwayName();
  const target = targetAccount.use();
  const hasBanner = source === 'target' || (source !== 'app' && source.accountId === target);
  return awayName(hasBanner ? target : null, isAway);
}

/** An account that is only slowed down still answers. */
const isSilent = (account: Account): boolean => isAway(account) && account.state !== 'slowed';

/**
 * Returns a function for any account. It answers the name of what cannot be reached, as `useAway` does, and null while
 * the account can be asked. A `slowed` account can be asked, too.
 */
export function useAwayOf(): (accountId: string) => string | null {
  const awayName = useAwayName();
  return useCallback((accountId) => awayName(accountId, isSilent), [awayName]);
}

/** Why nothing can be made, changed or started now on the target, or in what the app itself keeps; null if it can. */
export function useWhyNotNow(source: 'target' | 'app' = 'target'): string | null {
  const awayName = useAwayName();
  const target = targetAccount.use();
  const away = awayName(source === 'app' ? null : target, isSilent);
  return away === null ? null : t`Not available while ${away} is offline.`;
}
