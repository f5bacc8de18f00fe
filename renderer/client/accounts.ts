/** The accounts as the app tells them, and the one that everything goes to. */
import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE, type Account } from '#contract/account.ts';
import { chooseAccount, useSelection } from '../state/selection.ts';
import { accountInSentence, accountTitle } from '../ui/accountName.ts';
import { orpc } from './orpc.ts';

/** Undefined until the first answer. */
export const useAccounts = (): readonly Account[] | undefined => useQuery(orpc.accounts.list.queryOptions()).data;

export interface Target {
  accountId: string;
  /** Null until the accounts are known. */
  account: Account | null;
  /** "This computer", "work". */
  title: string;
  /** The same within a sentence. */
  name: string;
  /** Whether what is sent there costs money. */
  spends: boolean;
}

/** Where everything goes that a person begins on a page. */
export function useTarget(): Target {
  const accountId = useSelection((selection) => selection.accountId);
  const account = useAccounts()?.find(({ id }) => id === accountId) ?? null;
  return {
    accountId,
    account,
    title: accountTitle(accountId, account?.name ?? ''),
    name: accountInSentence(accountId, account?.name ?? ''),
    spends: account?.kind === 'cloud',
  };
}

/** Comes back to this computer when the chosen account is not there any more; mounted once. */
export function useKnownTarget(): void {
  const accounts = useAccounts();
  const accountId = useSelection((selection) => selection.accountId);
  const isGone = accounts !== undefined && !accounts.some(({ id }) => id === accountId);
  useEffect(() => {
    if (isGone) chooseAccount(THIS_MACHINE);
  }, [isGone]);
}
