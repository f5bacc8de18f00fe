/** The hourly spending of an account, with the source of the figure. */
import type { Account } from '#contract/app/account.ts';
import { costPerHourNow } from '#contract/app/podCost.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { Owner } from '../../client/owners.ts';
import { formatMoney } from '../../ui/text/money.ts';
import { podCountWords } from '../../ui/text/podWords.ts';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

export interface Spending {
  perHour: number;
  /** "Pods: 2 running, 1 stopped". */
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
  const { spendPerHour = null, balance = null } = owner ?? {};
  return {
    perHour: spendPerHour ?? ofPods,
    words: rows.length === 0 ? t`No Pods` : t`Pods: ${podCountWords(rows)}`,
    source: joinSentences(sourceText(kind, spendPerHour), balance !== null && t`Balance: ${formatMoney(balance)}.`),
  };
}

function sourceText(kind: Account['kind'], spendPerHour: number | null): string {
  if (kind === 'engine') return t`By the prices set there.`;
  return spendPerHour === null ? t`As reported by the account, without storage.` : t`As reported by the account.`;
}
