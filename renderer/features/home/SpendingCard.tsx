/**
 * The hourly cost of running resources, account by account, with the source of each figure and each Pod that causes it.
 */
import { Button, Skeleton } from '@mantine/core';
import type { Account } from '#contract/app/account.ts';
import { costPerHourNow } from '#contract/app/podCost.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { useAway } from '../../client/away.ts';
import { useOwners } from '../../client/owners.ts';
import type { PodsOfAccount } from '../../client/podsOfAll.ts';
import { formatRoute } from '../../state/routePath.ts';
import { targetAccount } from '../../state/selection.ts';
import { reasonWords } from '../../ui/text/accountLabels.ts';
import { accountTitle } from '../../ui/text/accountName.ts';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { formatPerHour, NO_PRICE } from '../../ui/text/money.ts';
import { podStateWords, stateOf } from '../../ui/text/podWords.ts';
import styles from './home.module.css';
import { activeOf, spendingOf } from './spending.ts';
import { t } from '../../language/text.ts';

interface SpendingCardProps {
  pods: readonly PodsOfAccount[];
  known: boolean;
}

export function SpendingCard({ pods, known }: SpendingCardProps) {
  // The banner says why, and what failed is asked again then.
  const isAway = useAway('app') !== null;
  const owners = useOwners(pods.map(({ account }) => account));
  const rows = pods.map((of) => {
    const spending = of.rows && spendingOf(of.account, of.rows, owners.get(of.account.id));
    // The last known zero of an account that does not answer says nothing about now.
    return { ...of, spending: of.problem !== null && spending?.perHour === 0 ? undefined : spending };
  });
  const total = rows.reduce((sum, { spending }) => sum + (spending?.perHour ?? 0), 0);
  const isWhole = known && rows.every(({ spending }) => spending !== undefined);
  return (
    <Card aria-label={t`Spending`} role="region">
      <CardHead title={t`Spending`}>
        <span className={styles.amount}>
          {isWhole ? formatPerHour(total) : total > 0 && t`at least ${formatPerHour(total)}`}
        </span>
      </CardHead>
      {!known && <Skeleton h={12} w="60%" radius={4} m={14} />}
      <ul className={styles.list}>
        {rows.flatMap(({ account, rows: pods, spending, problem, retry }) => [
          <li key={account.id}>
            <div className={styles.about}>
              <b>{accountTitle(account.id, account.name)}</b>
              <span>
                {problem !== null && isAway
                  ? t`Unknown now`
                  : (reasonWords({ reason: problem }) ??
                    (spending ? `${spending.words}. ${spending.source}` : t`asking…`))}
              </span>
            </div>
            {problem !== null && !isAway && <Button size="xs" variant="default" onClick={retry}>{t`Try again`}</Button>}
            {spending && <span className={styles.amount}>{formatPerHour(spending.perHour)}</span>}
          </li>,
          ...activeOf(pods ?? []).map((row) => (
            <PodLine key={`${account.id}/${row.pod.id}`} account={account} row={row} />
          )),
        ])}
      </ul>
      <p className={styles.foot}>
        <span className={styles.quiet}>
          {t`What is running now.`} <a href={formatRoute({ page: 'billing' })}>{t`Usage and cost`}</a>
        </span>
      </p>
    </Card>
  );
}

/** A Pod that is not stopped, with its state and what it costs. */
function PodLine({ account, row }: { account: Account; row: PodRow }) {
  const { id, name, costPerHr } = row.pod;
  return (
    <li>
      <div className={styles.about}>
        <b>
          <a href={formatRoute({ page: 'pods', podId: id, tab: 'logs' })} onClick={() => targetAccount.set(account.id)}>
            {name}
          </a>
        </b>
        <span>{t`Pod, ${podStateWords[stateOf(row).state].inSentence}`}</span>
      </div>
      <span className={styles.amount}>{costPerHr > 0 ? formatPerHour(costPerHourNow(row)) : NO_PRICE}</span>
    </li>
  );
}
