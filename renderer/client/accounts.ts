/** The accounts of the app, the target account, and the reasons of missing capabilities. */
import { useCallback, useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE, type Account, type AccountCapability } from '#contract/app/account.ts';
import { targetAccount } from '../state/selection.ts';
import { accountInSentence, accountTitle } from '../ui/text/accountName.ts';
import { api, orpc, queryClient } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

const options = orpc.accounts.list.queryOptions({ staleTime: Infinity });

/** Undefined until the first answer. */
export const useAccounts = (): readonly Account[] | undefined => useQuery(options).data;

/** The accounts as far as they are known: asks for nothing, because the feed tells of every change. */
export const useKnownAccounts = (): readonly Account[] | undefined => useQuery({ ...options, enabled: false }).data;

/** Follows the accounts; mounted once. Failed reads are repeated when an account works again, or has another key. */
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

/** Says of an account of a job whether the person removed it. */
export function useIsRemoved(): (accountId: string) => boolean {
  const accounts = useAccounts();
  return useCallback(
    (accountId) => accountId !== THIS_MACHINE && accounts !== undefined && !accounts.some(({ id }) => id === accountId),
    [accounts],
  );
}

/** Whether an account is not usable now. */
export const isAway = ({ state }: Pick<Account, 'state'>): boolean => state !== 'ok' && state !== 'unknown';

export interface Target {
  accountId: string;
  /** Null until the accounts are known. */
  account: Account | null;
  /** "This computer", "work". */
  title: string;
  /** The title in the middle of a sentence. */
  name: string;
  /** Whether requests there cost money. */
  spends: boolean;
}

/** The target account: it gets everything that a person starts on a page. */
export function useTarget(): Target {
  const accountId = targetAccount.use();
  const account = useAccounts()?.find(({ id }) => id === accountId) ?? null;
  return {
    accountId,
    account,
    title: accountTitle(accountId, account?.name ?? ''),
    name: accountInSentence(accountId, account?.name ?? ''),
    spends: account?.kind === 'cloud',
  };
}

/** Why an account lacks a capability, for a person; null if it has it, or was not probed yet. */
export const lackOf = (account: Account | null, capability: AccountCapability): string | null =>
  account === null || account.capabilities.includes(capability)
    ? null
    : (account.lacks.find((lack) => lack.capability === capability)?.reason ?? null);

/** Selects this computer if the target account no longer exists; mounted once. */
export function useKnownTarget(): void {
  const accounts = useAccounts();
  const accountId = targetAccount.use();
  const isGone = accounts !== undefined && !accounts.some(({ id }) => id === accountId);
  useEffect(() => {
    if (isGone) targetAccount.set(THIS_MACHINE);
  }, [isGone]);
}

/** Probes an account now, and then repeats every failed read. */
export async function testAccount(accountId: string): Promise<Account> {
  const account = await api.accounts.test({ accountId });
  await queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  return account;
}
