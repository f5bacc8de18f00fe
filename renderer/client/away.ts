/** What is away now. One banner above every page says so with a remedy; the pages then do not say it again. */
import { useCallback } from 'react';
import { THIS_MACHINE, type EngineStatus } from '#contract/app/account.ts';
import { targetAccount } from '../state/selection.ts';
import { accountInSentence } from '../ui/text/accountName.ts';
import { isAway, useKnownAccounts, useTarget } from './accounts.ts';
import { useEngine } from './engine.ts';
import { useConnection } from './transport/orpc.ts';
import { t } from '../language/text.ts';

/** Whether the engine of this computer can be asked nothing now: it does not run, or it hangs. */
export const isEngineAway = ({ state, silentSince }: EngineStatus): boolean =>
  state !== 'ready' || silentSince !== null;

/** Where values come from: an account by its id, the target, or the app itself, which also keeps the jobs. */
export type Source = { readonly accountId: string } | 'target' | 'app';

const useIsLost = (): boolean => useConnection((status) => status.state === 'lost');
const useIsEngineAway = (): boolean => useEngine(({ status }) => status !== null && isEngineAway(status));

/** The name of the app in a sentence while it cannot be reached; null while it can. */
export const useAppAway = (): string | null => (useIsLost() ? t`Hangar` : null);

/** Why nothing that the app keeps can be changed now; null if it can. */
export function useWhyNotWithoutApp(): string | null {
  const away = useAppAway();
  return away === null ? null : t`Not available while ${away} is offline.`;
}

/**
 * The name of what cannot be reached, for the middle of a sentence. Null while the source can be asked. Null also for an
 * account that is not the target, because the banner speaks of Hangar and of the target only.
 */
export function useAway(source: Source = 'target'): string | null {
  const isLost = useIsLost();
  const engineIsAway = useIsEngineAway();
  const { accountId, account, name } = useTarget();
  if (isLost) return t`Hangar`;
  if (source === 'app' || (source !== 'target' && source.accountId !== accountId)) return null;
  if (accountId === THIS_MACHINE) return engineIsAway ? t`the engine` : null;
  return account !== null && isAway(account) ? name : null;
}

/**
 * Returns a function for any account. It answers the name of what cannot be reached, as `useAway` does, and null while the
 * account can be asked. A `slowed` account can be asked, too.
 */
export function useAwayOf(): (accountId: string) => string | null {
  const isLost = useIsLost();
  const engineIsAway = useIsEngineAway();
  const accounts = useKnownAccounts();
  return useCallback(
    (accountId) => {
      if (isLost) return t`Hangar`;
      if (accountId === THIS_MACHINE) return engineIsAway ? t`the engine` : null;
      const account = accounts?.find(({ id }) => id === accountId);
      const isSilent = account !== undefined && isAway(account) && account.state !== 'slowed';
      return isSilent ? accountInSentence(accountId, account.name) : null;
    },
    [isLost, engineIsAway, accounts],
  );
}

/** Why nothing can be made or started on the target now; null if it can be asked. */
export function useWhyNotNow(): string | null {
  const away = useAwayOf()(targetAccount.use());
  return away === null ? null : t`Not available while ${away} is offline.`;
}
