/** The Pods of every account, one query for each: an unreachable account hides no other. */
import { useQueries } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { usePushedAccounts } from './changes/pushed.ts';
import { errorText, orpc } from './transport/orpc.ts';

/** A longer interval than that of the visible list of Pods. */
const EVERY_MS = 15_000;

export interface PodsOfAccount {
  account: Account;
  /** Undefined until the first answer. */
  rows: readonly PodRow[] | undefined;
  /** Why they are unknown or outdated; null if there is no problem. */
  problem: string | null;
  retry: () => void;
}

/** `everyMs`: interval of the reads while the window is visible, of accounts that do not report changes. */
export function usePodsOfAll(accounts: readonly Account[], everyMs = EVERY_MS): PodsOfAccount[] {
  const managed = accounts.filter(({ capabilities }) => capabilities.includes('management'));
  const pushed = usePushedAccounts();
  const answers = useQueries({
    queries: managed.map(({ id }) =>
      orpc.pods.now.queryOptions({
        input: { accountId: id },
        refetchInterval: pushed.has(id) ? false : everyMs,
        retry: false,
      }),
    ),
  });
  return managed.map((account, index) => {
    const answer = answers[index];
    return {
      account,
      rows: answer?.data?.rows,
      problem: answer?.isError ? errorText(answer.error) : null,
      retry: () => void answer?.refetch(),
    };
  });
}
