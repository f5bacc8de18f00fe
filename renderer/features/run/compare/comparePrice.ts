/** What a run of all columns of a comparison costs about. */
import { rateKey, type JobRates } from '../../../client/jobs/jobRates.ts';
import { formatEstimate } from '../../../ui/text/money.ts';
import { placeKey, type Place } from './comparison.ts';
import { t } from '../../../language/text.ts';

export interface ColumnPrice {
  /** US dollars of one job, from its usual run time; null if a rate or the run time is not known. */
  amount: number | null;
  /** Whether a job there costs money. */
  spends: boolean;
  /** Whether a job there has a price, on this computer too, and only its run time is not known. */
  isUnknown: boolean;
}

/** `usualMs`: the usual run time of a job by `placeKey`. `spending`: the accounts whose jobs cost money. */
export function priceOf(
  column: Place,
  rates: JobRates,
  usualMs: ReadonlyMap<string, number>,
  spending: ReadonlySet<string>,
): ColumnPrice {
  // One without a price costs nothing that is known.
  const rate = rates.get(rateKey(column.accountId, column.endpointId)) || undefined;
  const ms = usualMs.get(placeKey(column));
  const amount = rate === undefined || ms === undefined ? null : rate * ms;
  return { amount, spends: spending.has(column.accountId), isUnknown: rate !== undefined && ms === undefined };
}

/** "≈ $0.0021", "costs money"; null for a column that costs nothing that is known. */
export const columnPriceWords = ({ amount, spends }: ColumnPrice): string | null =>
  amount === null ? (spends ? t`costs money` : null) : formatEstimate(amount);

/** The total of all columns for the button: "≈ $0.0042", "≈ $0.0042 and more", "costs money"; null if nothing costs. */
export function totalWords(prices: readonly ColumnPrice[]): string | null {
  const total = prices.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  const spendsUnknown = prices.some(({ amount, spends }) => amount === null && spends);
  if (total === 0) return spendsUnknown ? t`costs money` : null;
  const hasUnknown = spendsUnknown || prices.some(({ isUnknown }) => isUnknown);
  return hasUnknown ? t`${formatEstimate(total)} and more` : formatEstimate(total);
}
