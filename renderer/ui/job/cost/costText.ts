/** What a job cost, in words: an estimate and what it is made of, or why none can be made. */
import type { Account } from '#contract/app/account.ts';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { isAway } from '../../../client/accounts.ts';
import { costOf, rateKey, type JobRates } from '../../../client/jobs/jobRates.ts';
import { formatEstimate } from '../../text/money.ts';
import { t } from '../../../language/text.ts';

/** Says of what the amount is made. */
export const costBasisOf = (cost: number): string =>
  cost === 0
    ? t`No price is set for the hardware of this endpoint. Prices are set on the GPU prices page.`
    : t`Estimated from its run time and the cost per second of this endpoint in the last seven days.`;

/** `amount`: null where none is known; `basis` then says why. `account`: undefined once it is removed. */
export function costText(
  entry: LedgerEntry,
  rates: JobRates,
  account: Account | undefined,
): { amount: string | null; basis: string } {
  const rate = rates.get(rateKey(entry.accountId, entry.endpointId));
  const cost = costOf(entry, rates);
  if (rate === 0) return { amount: null, basis: costBasisOf(0) };
  if (cost === null) return { amount: null, basis: unknownBecause(entry, rate, account) };
  return { amount: formatEstimate(cost), basis: costBasisOf(cost) };
}

function unknownBecause(entry: LedgerEntry, rate: number | undefined, account: Account | undefined): string {
  if (entry.status === 'REFUSED') return t`The job did not run.`;
  if (account === undefined) return t`Its account was removed, so its price is unknown.`;
  if (rate !== undefined) return isOver(entry) ? t`The job did not run.` : t`Known once the job has run.`;
  if (!account.capabilities.includes('billing')) return t`This account reports no costs.`;
  if (isAway(account)) return t`The costs of this account cannot be read now.`;
  return account.kind === 'cloud'
    ? t`This account has billed nothing for this endpoint in the last seven days.`
    : t`Nothing is billed for this endpoint yet. Prices are set on the GPU prices page.`;
}
