/** What the running Pods of an account cost an hour, in words that say where the figure is from. */
import type { Account } from '#contract/app/account.ts';
import type { PodRow } from '#contract/bridge/pod.ts';

export interface Spending {
  perHour: number;
  /** "2 Pods run". */
  words: string;
  /** Where the figure is from. */
  source: string;
}

export function spendingOf({ kind }: Pick<Account, 'kind'>, rows: readonly PodRow[]): Spending {
  const running = rows.filter(({ pod }) => pod.desiredStatus === 'RUNNING');
  const stopped = rows.filter(({ pod }) => pod.desiredStatus === 'EXITED').length;
  const perHour = running.reduce((sum, { pod }) => sum + pod.costPerHr, 0);
  const words =
    running.length === 0 ? 'No Pod runs' : `${running.length} ${running.length === 1 ? 'Pod runs' : 'Pods run'}`;
  return {
    perHour,
    words: stopped === 0 ? words : `${words}, ${stopped} stopped`,
    source: kind === 'engine' ? 'By the prices set there.' : 'As the account tells; storage is not in it.',
  };
}
