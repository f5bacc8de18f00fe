/** What the run time of a job cost; nothing where no amount is known, because no price is set or nothing is billed. */
import { Tooltip } from '@mantine/core';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { costOf, useAccountRates } from '../../../client/jobs/jobRates.ts';
import { targetAccount } from '../../../state/selection.ts';
import { costText, type CostText } from './costText.ts';
import styles from '../job.module.css';

function useCostText(entry: LedgerEntry): CostText | null {
  const accounts = useAccounts();
  const { rates, isRead } = useAccountRates(entry.accountId);
  if (costOf(entry, rates) === null && (accounts === undefined || !isRead)) return null;
  return costText(
    entry,
    rates,
    accounts?.find(({ id }) => id === entry.accountId),
  );
}

/** The amount, which leads to the page with more about it; nothing where no cost is known. */
export function JobCost({ entry }: { entry: LedgerEntry }) {
  const { rates } = useAccountRates(entry.accountId);
  const text = useCostText(entry);
  const cost = costOf(entry, rates);
  if (text === null || text.link === null || cost === null || cost === 0) return null;
  return (
    <Tooltip label={text.basis} multiline maw={280}>
      <a className={styles.cost} href={text.link.href} onClick={() => targetAccount.set(entry.accountId)}>
        {text.amount}
      </a>
    </Tooltip>
  );
}

/** The same among the facts of a job: where no cost is known, a dash and the reason. */
export function JobCostFact({ entry }: { entry: LedgerEntry }) {
  const text = useCostText(entry);
  if (text === null) return <span>–</span>;
  const { amount, basis, link } = text;
  return (
    <span>
      {amount ?? '–'}{' '}
      <span className={styles.costBasis}>
        {basis}
        {link && (
          <>
            {' '}
            <a href={link.href} onClick={() => targetAccount.set(entry.accountId)}>
              {link.label}
            </a>
          </>
        )}
      </span>
    </span>
  );
}
