/** What a job cost, or why that is not known. Not `JobCost`: a list that scrolls makes very many of them. */
import type { Account } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { JobRates } from '../../../client/jobs/jobRates.ts';
import { costText } from '../cost/costText.ts';

interface CostCellProps {
  entry: LedgerEntry;
  rates: JobRates;
  /** The account of the job; undefined once it is removed. */
  account: Account | undefined;
}

export function CostCell({ entry, rates, account }: CostCellProps) {
  const { amount, basis } = costText(entry, rates, account);
  return <span title={basis}>{amount ?? '–'}</span>;
}
