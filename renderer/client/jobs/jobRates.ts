/** What an endpoint costs for each millisecond of a worker, from the bill of its account over the last days. */
import { useState } from 'react';
import { useQueries } from '@tanstack/react-query';
import { costAtPrice } from '#contract/app/jobs/cost.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { UsageRow } from '#contract/bridge/billing.ts';
import { isAway, useAccounts } from '../accounts.ts';
import { orpc } from '../transport/orpc.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 7;
const STALE_MS = 5 * 60_000;

/**
 * US dollars for each millisecond of a worker, by `rateKey`: 0 for one without a price. An endpoint without a bill is
 * missing.
 */
export type JobRates = ReadonlyMap<string, number>;

export const rateKey = (accountId: string, endpointId: string): string => `${accountId}/${endpointId}`;

/** The rates of the endpoints in the bill of one account. */
export function ratesOf(accountId: string, rows: readonly UsageRow[]): Map<string, number> {
  const sums = new Map<string, { amount: number; timeMs: number }>();
  for (const { kind, id, amount, timeMs } of rows) {
    if (kind !== 'endpoint' || id === null) continue;
    const sum = sums.get(id) ?? { amount: 0, timeMs: 0 };
    sums.set(id, { amount: sum.amount + amount, timeMs: sum.timeMs + timeMs });
  }
  const billed = [...sums].filter(([, { timeMs }]) => timeMs > 0);
  return new Map(billed.map(([id, { amount, timeMs }]) => [rateKey(accountId, id), amount / timeMs]));
}

interface BillAnswer {
  data?: [string, number][] | undefined;
  isPending: boolean;
}

const ratesOfAll = (answers: readonly BillAnswer[]): JobRates => new Map(answers.flatMap(({ data }) => data ?? []));

const readRates = (answers: readonly BillAnswer[]): { rates: JobRates; isRead: boolean } => ({
  rates: ratesOfAll(answers),
  isRead: answers.every(({ isPending }) => !isPending),
});

/** The rates of accounts that report their costs; empty until they are known. The same map until one changes. */
export const useJobRates = (accountIds: readonly string[]): JobRates => useBills(accountIds, ratesOfAll);

/** The same for one account, and whether its bill was read or cannot be. */
export const useAccountRates = (accountId: string): { rates: JobRates; isRead: boolean } =>
  useBills([accountId], readRates);

function useBills<Result>(accountIds: readonly string[], combine: (answers: BillAnswer[]) => Result): Result {
  const accounts = useAccounts();
  const billed = (accounts ?? []).filter(
    (account) => accountIds.includes(account.id) && !isAway(account) && account.capabilities.includes('billing'),
  );
  // A whole day, so that all places of the page share one answer.
  const [today] = useState(() => Math.floor(Date.now() / DAY_MS) * DAY_MS);
  return useQueries({
    queries: billed.map(({ id: accountId }) =>
      orpc.billing.read.queryOptions({
        input: {
          accountId,
          bucketSize: 'day',
          by: 'resource',
          startTime: new Date(today - DAYS * DAY_MS).toISOString(),
          endTime: new Date(today + DAY_MS).toISOString(),
        },
        staleTime: STALE_MS,
        retry: false,
        // A list stays the same where its content does.
        select: (rows) => [...ratesOf(accountId, rows)],
      }),
    ),
    combine,
  });
}

/**
 * US dollars of the run time of a job: by the price when it began, or else by the rate of its endpoint. Null if neither
 * or its run time is not known.
 */
export function costOf(
  entry: Pick<LedgerEntry, 'accountId' | 'endpointId' | 'pricePerHour' | 'executionTime'>,
  rates: JobRates,
): number | null {
  const { accountId, endpointId, executionTime } = entry;
  const exact = costAtPrice(entry);
  if (exact !== null) return exact;
  const rate = rates.get(rateKey(accountId, endpointId));
  return rate === undefined || executionTime === null ? null : rate * executionTime;
}

/** Whether anything of it costs money. */
export const hasPrices = (rates: JobRates): boolean => [...rates.values()].some((rate) => rate > 0);
