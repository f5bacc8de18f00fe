/** The sentences on the tiles of Home. */
import type { UsageRow } from '#contract/bridge/billing.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { formatMoney } from '../../ui/text/money.ts';
import { podCountWords } from '../../ui/text/podWords.ts';
import { workerCostWords } from './spending.ts';
import { t } from '../../language/text.ts';
import { formatUtcShortDay } from '../../ui/text/format.ts';

const DAY_MS = 86_400_000;

/**
 * The current month in UTC, as bills have it: its start, the end of today, and its end, in milliseconds since the
 * epoch.
 */
export function monthOf(now: number): { from: number; to: number; end: number } {
  const date = new Date(now);
  const month = (offset: number): number => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset);
  return { from: month(0), to: (Math.floor(now / DAY_MS) + 1) * DAY_MS, end: month(1) };
}

export const totalOf = (rows: readonly Pick<UsageRow, 'amount'>[]): number =>
  rows.reduce((sum, { amount }) => sum + amount, 0);

/**
 * "this month", with the amount at the end of the month if spending goes on as it did so far: "this month · about $58
 * by Nov 30". Without an estimate on the first day, which says too little, and where nothing was spent.
 */
export function monthWords(amount: number, now: number): string {
  const { from, end } = monthOf(now);
  const elapsed = now - from;
  if (elapsed < DAY_MS || amount === 0) return t`this month`;
  const estimate = (amount * (end - from)) / elapsed;
  return t`this month · about ${formatMoney(estimate)} by ${formatUtcShortDay(end - DAY_MS)}`;
}

/**
 * What costs now: "workers $0.50/h · Pods: 2 running, 1 in a crash loop", or that no Pod runs. `pods`: those that are not
 * stopped. `others`: spending besides that of Pods and workers.
 */
export function spendingWords(pods: readonly PodRow[], workersPerHour: number, others: boolean): string {
  const parts = [
    ...(workersPerHour > 0 ? [workerCostWords(workersPerHour)] : []),
    pods.length === 0 ? t`no running Pods` : t`Pods: ${podCountWords(pods)}`,
    ...(others ? [t`and more`] : []),
  ];
  return parts.join(' · ');
}
