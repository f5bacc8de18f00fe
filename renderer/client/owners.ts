/**
 * What accounts say of their owners, from `myself` of their GraphQL API: balance and spending of clouds, and what the
 * workers of an engine cost. No list of resources has these.
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

const WORKERS_QUERY = `
  query WorkersCost {
    myself {
      currentSpendPerHr
      spendDetails {
        gpuComputePerHour
      }
    }
  }
`;

const workersSchema = z.object({
  myself: z.object({
    currentSpendPerHr: z.number(),
    // That of Pods.
    spendDetails: z.object({ gpuComputePerHour: z.number() }),
  }),
});

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
  /** US dollars an hour of the workers of endpoints; null if that is not known apart. */
  workersPerHour: number | null;
}

async function read({ id: accountId, kind }: Account): Promise<Owner> {
  // Not part of the first load of the page.
  const { readGraphql } = await import('./graphql.ts');
  if (kind === 'engine') {
    const { currentSpendPerHr, spendDetails } = (await readGraphql(accountId, WORKERS_QUERY, {}, workersSchema)).myself;
    // One of two equal sums may be off by a rounding.
    const workersPerHour = Math.max(0, Number((currentSpendPerHr - spendDetails.gpuComputePerHour).toFixed(9)));
    return { balance: null, spendPerHour: null, workersPerHour };
  }
  const { myself } = await readGraphql(accountId, QUERY, {}, answerSchema);
  return { balance: myself.clientBalance, spendPerHour: myself.currentSpendPerHr, workersPerHour: null };
}

/** By account id. Accounts without GraphQL, and accounts without an answer yet, are missing. */
export function useOwners(accounts: readonly Account[]): ReadonlyMap<string, Owner> {
  const billed = accounts.filter(({ capabilities }) => capabilities.includes('graphql'));
  const answers = useQueries({
    queries: billed.map((account) => ({
      queryKey: ['owner', account.id],
      queryFn: () => read(account),
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
