/** What a job cost, or why that is not known. Not `JobCost`: a list that scrolls makes very many of them. */
import type { Account } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { isAway } from '../../../client/accounts.ts';
import { costOf, rateKey, type JobRates } from '../../../client/jobs/jobRates.ts';
import { costBasisOf } from '../cost/JobCost.tsx';
import { isOver } from '../timeline.ts';
import { formatEstimate } from '../../text/money.ts';
import { t } from '../../../language/text.ts';

interface CostCellProps {
  entry: LedgerEntry;
  rates: JobRates;
  /** The account of the job; undefined once it is removed. */
  account: Account | undefined;
}

export function CostCell({ entry, rates, account }: CostCellProps) {
  const rate = rates.get(rateKey(entry.accountId, entry.endpointId));
  const cost = costOf(entry, rates);
  if (rate === 0) return <span title={costBasisOf(0)}>–</span>;
  if (cost === null) return <span title={unknownBecause(entry, rate, account)}>–</span>;
  return <span title={costBasisOf(cost)}>{formatEstimate(cost)}</span>;
}

function unknownBecause(entry: LedgerEntry, rate: number | undefined, account: Account | undefined): string {
  if (account === undefined) return t`Its account was removed, so its price is unknown.`;
  if (rate !== undefined) return isOver(entry) ? t`The job did not run.` : t`Known once the job has run.`;
  if (!account.capabilities.includes('billing')) return t`This account reports no costs.`;
  if (isAway(account)) return t`The costs of this account cannot be read now.`;
  return account.kind === 'cloud'
    ? t`This account has billed nothing for this endpoint in the last seven days.`
    : t`Nothing is billed for this endpoint yet. Prices are set on the GPU prices page.`;
}
