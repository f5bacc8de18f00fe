/** What the run time of a job cost. */
import type { LedgerEntry } from '../ledger.ts';

const HOUR_MS = 3_600_000;

/** US dollars by the price of its worker when it took the job: 0 if none was set. Null if price or run time is not known. */
export const costAtPrice = ({ pricePerHour, executionTime }: Pick<LedgerEntry, 'pricePerHour' | 'executionTime'>) =>
  pricePerHour === null || executionTime === null ? null : (pricePerHour * executionTime) / HOUR_MS;
