/** What the run time of a job cost; nothing where no amount is known, because no price is set or nothing is billed. */
import { Tooltip } from '@mantine/core';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { costOf, useAccountRates, useJobRates } from '../../../client/jobs/jobRates.ts';
import { formatEstimate } from '../../text/money.ts';
import { costBasisOf, costText } from './costText.ts';
import styles from '../job.module.css';

export function JobCost({ entry }: { entry: LedgerEntry }) {
  const cost = costOf(entry, useJobRates([entry.accountId]));
  if (cost === null || cost === 0) return null;
  return (
    <Tooltip label={costBasisOf(cost)} multiline maw={280}>
      <span className={styles.cost} tabIndex={0}>
        {formatEstimate(cost)}
      </span>
    </Tooltip>
  );
}

/** The same among the facts of a job: where no cost is known, a dash and the reason. */
export function JobCostFact({ entry }: { entry: LedgerEntry }) {
  const accounts = useAccounts();
  const { rates, isRead } = useAccountRates(entry.accountId);
  if (accounts === undefined || !isRead) return <span>–</span>;
  const account = accounts.find(({ id }) => id === entry.accountId);
  const { amount, basis } = costText(entry, rates, account);
  return (
    <span>
      {amount ?? '–'} <span className={styles.costBasis}>{basis}</span>
    </span>
  );
}
