/** The accounts as the app tells them, the one that everything goes to, and what it lacks. */
import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE, type Account, type AccountCapability } from '#contract/app/account.ts';
import { chooseAccount, useSelection } from '../state/selection.ts';
import { accountInSentence, accountTitle } from '../ui/text/accountName.ts';
import { api, orpc, queryClient } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

const options = orpc.accounts.list.queryOptions({ staleTime: Infinity });

/** Undefined until the first answer. */
export const useAccounts = (): readonly Account[] | undefined => useQuery(options).data;

/** Follows the accounts; mounted once. What is shown of one is asked anew when it is back, or has another key. */
export function useAccountsFeed(): void {
  useSubscription<Account[]>({
    key: 'accounts',
    ends: 'never',
    open: (signal) => api.accounts.changes(undefined, { signal }),
    onEvent: (accounts) => {
      const before = queryClient.getQueryData(options.queryKey);
      queryClient.setQueryData(options.queryKey, accounts);
      const isBack = accounts.some((now) => {
        const then = before?.find(({ id }) => id === now.id);
        if (then === undefined || now.state !== 'ok') return false;
        return isAway(then) || then.key?.fingerprint !== now.key?.fingerprint;
      });
      if (isBack) void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
    },
  });
}

/** Whether asking it for anything is of no use now. */
export const isAway = ({ state }: Pick<Account, 'state'>): boolean => state !== 'ok' && state !== 'unknown';

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

/** Why an account cannot do something, for a person; null where it can, or nobody has found out yet. */
export const lackOf = (account: Account | null, capability: AccountCapability): string | null =>
  account === null || account.capabilities.includes(capability)
    ? null
    : (account.lacks.find((lack) => lack.capability === capability)?.reason ?? null);

/** Comes back to this computer when the chosen account is not there any more; mounted once. */
export function useKnownTarget(): void {
  const accounts = useAccounts();
  const accountId = useSelection((selection) => selection.accountId);
  const isGone = accounts !== undefined && !accounts.some(({ id }) => id === accountId);
  useEffect(() => {
    if (isGone) chooseAccount(THIS_MACHINE);
  }, [isGone]);
}

/** Asks it again now, whatever it said before, and then everything that is shown of it. */
export async function testAccount(accountId: string): Promise<Account> {
  const account = await api.accounts.test({ accountId });
  await queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  return account;
}
