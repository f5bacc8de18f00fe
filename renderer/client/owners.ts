/**
 * The owners of cloud accounts, from `myself` of their GraphQL API: balance and spending, which no list of resources
 * has.
 */
import { useQueries } from '@tanstack/react-query';
import * as z from 'zod';
import type { Account } from '#contract/app/account.ts';

const QUERY = `
  query Myself {
    myself {
      clientBalance
      currentSpendPerHr
    }
  }
`;

const answerSchema = z.object({
  myself: z.object({ clientBalance: z.number().nullable(), currentSpendPerHr: z.number().nullable() }),
});

/** The same interval as the Pods of all accounts, so that both figures match. */
const EVERY_MS = 15_000;

export interface Owner {
  /** US dollars; null if the account does not report it. */
  balance: number | null;
  /** US dollars an hour by the account's own count; null if the account does not report it. */
  spendPerHour: number | null;
}

async function read(accountId: string): Promise<Owner> {
  // Not part of the first load of the page: only some accounts have owners.
  const { readGraphql } = await import('./graphql.ts');
  const { myself } = await readGraphql(accountId, QUERY, {}, answerSchema);
  return { balance: myself.clientBalance, spendPerHour: myself.currentSpendPerHr };
}

/** By account id. Accounts without GraphQL, and accounts without an answer yet, are missing. */
export function useOwners(accounts: readonly Account[]): ReadonlyMap<string, Owner> {
  const billed = accounts.filter(({ kind, capabilities }) => kind === 'cloud' && capabilities.includes('graphql'));
  const answers = useQueries({
    queries: billed.map(({ id }) => ({
      queryKey: ['owner', id],
      queryFn: () => read(id),
      refetchInterval: EVERY_MS,
      retry: false,
    })),
  });
  return new Map(
    billed.flatMap(({ id }, index) => {
      const answer = answers[index];
      // An outdated figure is not shown.
      return answer?.data && !answer.isError ? [[id, answer.data] as const] : [];
    }),
  );
}
