/** Formats prices and amounts in US dollars for a person. */
import { t } from '../../language/text.ts';
import { groupDigits } from './format.ts';

const LEAST = 0.0001;

/**
 * Two decimals, and four below a cent: "$0.69", "$0.0031", with groups of three digits: "$1 234.50". A smaller amount
 * reads "< $0.0001", never zero.
 */
export function formatMoney(amount: number): string {
  if (amount > 0 && amount < LEAST) return `< $${LEAST}`;
  const small = amount !== 0 && Math.abs(amount) < 0.01;
  return `$${groupDigits(amount.toFixed(small ? 4 : 2))}`;
}

/** An estimate: "≈ $0.69". Nothing, and an amount that is too small for that, reads as in `formatMoney`. */
export const formatEstimate = (amount: number): string =>
  amount >= 0 && amount < LEAST ? formatMoney(amount) : `≈ ${formatMoney(amount)}`;

export const formatPerHour = (amount: number): string => `${formatMoney(amount)}/h`;

/** In place of a price of 0: own hardware whose price nobody has set, and what a service reports without a price. */
export const NO_PRICE = t`no price`;

/** The price of an hour: "$0.69/h", or that there is none. */
export const formatPrice = (perHour: number): string => (perHour > 0 ? formatPerHour(perHour) : NO_PRICE);
