/** The hourly spending of an account, with the source of the figure. */
import type { Account } from '#contract/app/account.ts';
import { costPerHourNow } from '#contract/app/podCost.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { Owner } from '../../client/owners.ts';
import { formatMoney, formatPerHour } from '../../ui/text/money.ts';
import { podCountWords } from '../../ui/text/podWords.ts';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

export interface Spending {
  perHour: number;
  /** What of it the workers of endpoints cost, as far as that is known apart. */
  workersPerHour: number;
  /** "Pods: 2 running, 1 stopped · workers $0.50/h". */
  words: string;
  /** The source of the figure. */
  source: string;
}

/** The Pods that are not stopped. */
export const activeOf = (rows: readonly PodRow[]): PodRow[] =>
  rows.filter(({ pod }) => pod.desiredStatus === 'RUNNING');

/** `owner`: undefined if the account does not report its total spending. */
export function spendingOf(
  { kind }: Pick<Account, 'kind'>,
  rows: readonly PodRow[],
  owner: Owner | undefined,
): Spending {
  const running = activeOf(rows);
  const ofPods = running.reduce((sum, row) => sum + costPerHourNow(row), 0);
  const { spendPerHour = null, balance = null, workersPerHour = null } = owner ?? {};
  const podWords = rows.length === 0 ? t`No Pods` : t`Pods: ${podCountWords(rows)}`;
  return {
    perHour: spendPerHour ?? ofPods + (workersPerHour ?? 0),
    workersPerHour: workersPerHour ?? 0,
    words: workersPerHour ? `${podWords} · ${workerCostWords(workersPerHour)}` : podWords,
    source: joinSentences(sourceText(kind, spendPerHour), balance !== null && t`Balance: ${formatMoney(balance)}.`),
  };
}

/** "workers $0.50/h". */
export const workerCostWords = (perHour: number): string => t`workers ${formatPerHour(perHour)}`;

function sourceText(kind: Account['kind'], spendPerHour: number | null): string {
  if (kind === 'engine') return t`By the prices set there.`;
  return spendPerHour === null ? t`As reported by the account, without storage.` : t`As reported by the account.`;
}
