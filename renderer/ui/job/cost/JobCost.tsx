/** What the run time of a job cost, where its account bills its endpoint. */
import { Tooltip } from '@mantine/core';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { costOf, useJobRates } from '../../../client/jobs/jobRates.ts';
import { formatEstimate } from '../../text/money.ts';
import styles from '../job.module.css';
import { t } from '../../../language/text.ts';

/** Says of what the amount is made. */
export const costBasisOf = (cost: number): string =>
  cost === 0
    ? t`No price is set for the hardware of this endpoint. Prices are set on the GPU prices page.`
    : t`Estimated from its run time and the cost per second of this endpoint in the last seven days.`;

export function JobCost({ entry }: { entry: LedgerEntry }) {
  const cost = costOf(entry, useJobRates([entry.accountId]));
  if (cost === null) return null;
  return (
    <Tooltip label={costBasisOf(cost)} multiline maw={280}>
      <span className={styles.cost} tabIndex={0}>
        {cost === 0 ? t`no price` : formatEstimate(cost)}
      </span>
    </Tooltip>
  );
}
