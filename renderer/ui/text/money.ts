/** Prices and amounts as a person reads them, in US dollars. */

const LEAST = 0.0001;

/** Four decimals below a cent, where two would tell nothing: "$0.69", "$0.0031". What is more than nothing is not told as nothing. */
export function formatMoney(amount: number): string {
  if (amount > 0 && amount < LEAST) return `< $${LEAST}`;
  const small = amount !== 0 && Math.abs(amount) < 0.01;
  return `$${amount.toFixed(small ? 4 : 2)}`;
}

export const formatPerHour = (amount: number): string => `${formatMoney(amount)}/h`;
