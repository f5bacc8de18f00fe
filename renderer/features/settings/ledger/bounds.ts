/** What the ledger may keep, between what a person types and what is kept, and what a new bound would remove. */
import { limits } from '#contract/core/limits.ts';
import type { Keeping, LedgerStorage } from '#contract/app/ledger.ts';
import { formatCount, formatMemory, formatMoment } from '../../../ui/text/format.ts';

const GIB = 1024 ** 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Empty: there is no bound. */
export interface TypedBounds {
  days: number | string;
  gigabytes: number | string;
}

export const typedOf = ({ retentionDays, capBytes }: Keeping): TypedBounds => ({
  days: retentionDays ?? '',
  gigabytes: capBytes === null ? '' : capBytes / GIB,
});

export const keepingOf = ({ days, gigabytes }: TypedBounds): Keeping => ({
  retentionDays: days === '' ? null : Math.round(Number(days)),
  capBytes: gigabytes === '' ? null : Math.round(Number(gigabytes) * GIB),
});

/** What is wrong with a bound, for a person; null where it may be. */
export function problemsOf({ retentionDays, capBytes }: Keeping): { days: string | null; gigabytes: string | null } {
  const { retentionDays: days, capBytes: bytes } = limits.ledger;
  const isWithin = (value: number | null, { min, max }: { min: number; max: number }) =>
    value === null || (value >= min && value <= max);
  return {
    days: isWithin(retentionDays, days) ? null : `From ${days.min} to ${formatCount(days.max)} days, or empty`,
    gigabytes: isWithin(capBytes, bytes)
      ? null
      : `From ${formatMemory(bytes.min)} to ${formatMemory(bytes.max)}, or empty`,
  };
}

/** Jobs that ended before this moment go; null where their age is no reason. */
export const cutOff = ({ retentionDays }: Keeping, now: number): number | null =>
  retentionDays === null ? null : now - retentionDays * DAY_MS;

/**
 * What would go with these bounds, a sentence each. `ended`: how many ended jobs were sent before the cut-off; those that ran
 * over it ended later, and stay.
 */
export function whatGoes(keeping: Keeping, { usedBytes }: LedgerStorage, ended: number, now: number): string[] {
  const before = cutOff(keeping, now);
  const beyond = keeping.capBytes === null ? 0 : usedBytes - keeping.capBytes;
  return [
    ...(before !== null && ended > 0
      ? [`Jobs that ended before ${formatMoment(before)}: ${formatCount(ended)} at most, and more each day.`]
      : []),
    ...(beyond > 0 ? [`Of the jobs that ended first, as many as take ${formatMemory(beyond)}.`] : []),
  ];
}
