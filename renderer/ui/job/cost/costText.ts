/** What a job cost, in words: an estimate and what it is made of, or why none can be made. */
import type { Account } from '#contract/app/account.ts';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { isAway } from '../../../client/accounts.ts';
import { costOf, rateKey, type JobRates } from '../../../client/jobs/jobRates.ts';
import { formatRoute } from '../../../state/routePath.ts';
import { joinSentences } from '../../../language/sentences.ts';
import { formatEstimate, formatPerHour } from '../../text/money.ts';
import { t } from '../../../language/text.ts';

export interface CostText {
  /** Null where none is known; `basis` then says why. */
  amount: string | null;
  basis: string;
  /** The page with more about it. */
  link: { href: string; label: string } | null;
}

const prices = () => ({ href: formatRoute({ page: 'gpus' }), label: t`Set a price` });
/** The costs of its endpoint, of which the job is a part. */
const ofEndpoint = (endpointId: string) => ({
  href: formatRoute({ page: 'endpoints', endpointId, tab: 'metrics' }),
  label: t`Costs of the endpoint`,
});
const bill = () => ({ href: formatRoute({ page: 'billing' }), label: t`All costs` });

/** `account`: undefined once it is removed. */
export function costText(entry: LedgerEntry, rates: JobRates, account: Account | undefined): CostText {
  const cost = costOf(entry, rates);
  if (endedInQueue(entry)) return { amount: null, basis: t`The job did not run.`, link: null };
  if (cost === null) return unknownCost(entry, rates, account);
  if (cost > 0) {
    const basis = joinSentences(basisOf(entry), t`Idle time of workers is not part of it.`);
    return { amount: formatEstimate(cost), basis, link: ofEndpoint(entry.endpointId) };
  }
  if (entry.executionTime === 0 && entry.pricePerHour !== 0)
    return { amount: formatEstimate(0), basis: '', link: null };
  return { amount: null, basis: t`No price was set when it ran.`, link: prices() };
}

/** A job that was cancelled or timed out while it waited has the run time 0. */
const endedInQueue = ({ status, startedAt, executionTime }: LedgerEntry): boolean =>
  (status === 'CANCELLED' || status === 'TIMED_OUT') && startedAt === null && (executionTime ?? 0) === 0;

const basisOf = ({ pricePerHour }: LedgerEntry): string =>
  pricePerHour === null
    ? t`Estimated from its run time and the cost per second of this endpoint in the last seven days.`
    : t`Its run time at ${formatPerHour(pricePerHour)}, the price when it began.`;

function unknownCost(entry: LedgerEntry, rates: JobRates, account: Account | undefined): CostText {
  const because = (basis: string, link: CostText['link'] = null): CostText => ({ amount: null, basis, link });
  if (entry.status === 'REFUSED') return because(t`The job did not run.`);
  const hasPrice = entry.pricePerHour !== null || rates.has(rateKey(entry.accountId, entry.endpointId));
  if (hasPrice) return because(isOver(entry) ? t`The job did not run.` : t`Known once the job has run.`);
  if (account === undefined) return because(t`Its account was removed, so its price is unknown.`);
  if (!account.capabilities.includes('billing')) return because(t`This account reports no costs.`);
  if (isAway(account)) return because(t`The costs of this account cannot be read now.`);
  if (account.kind === 'cloud') {
    return because(t`This account has billed nothing for this endpoint in the last seven days.`, bill());
  }
  if (!isOver(entry)) return because(t`Known once the job has run.`);
  if (entry.executionTime === null) return because(t`The job did not run.`);
  return because(t`Its usage is still being counted, which takes about a minute.`, prices());
}
