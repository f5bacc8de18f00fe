/** The Pods of every account, asked one account at a time, so that one that is away does not hide the others. */
import { useQueries } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { errorText, orpc } from './transport/orpc.ts';

/** Those of another computer are asked less often than the list that a person looks at. */
const EVERY_MS = 15_000;

export interface PodsOfAccount {
  account: Account;
  /** Undefined until the first answer. */
  rows: readonly PodRow[] | undefined;
  /** Why they are not known, or not as they are now; null while all is well. */
  problem: string | null;
  retry: () => void;
}

export function usePodsOfAll(accounts: readonly Account[]): PodsOfAccount[] {
  const asked = accounts.filter(({ capabilities }) => capabilities.includes('management'));
  const answers = useQueries({
    queries: asked.map(({ id }) =>
      orpc.pods.now.queryOptions({ input: { accountId: id }, refetchInterval: EVERY_MS, retry: false }),
    ),
  });
  return asked.map((account, index) => {
    const answer = answers[index];
    return {
      account,
      rows: answer?.data?.rows,
      problem: answer?.isError ? errorText(answer.error) : null,
      retry: () => void answer?.refetch(),
    };
  });
}
