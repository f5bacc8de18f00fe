/** The retention of the ledger, as typed and as saved, and the jobs that a new limit removes. */
import { limits } from '#contract/core/limits.ts';
import type { Keeping, LedgerStorage } from '#contract/app/jobs/keeping.ts';
import { formatCount, formatMemory, formatMoment } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

const GIB = 1024 ** 3;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Empty: no limit. */
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

/** Why a limit is refused, for a person; null if it is allowed. */
export function problemsOf({ retentionDays, capBytes }: Keeping): { days: string | null; gigabytes: string | null } {
  const { retentionDays: days, capBytes: bytes } = limits.ledger;
  const isWithin = (value: number | null, { min, max }: { min: number; max: number }) =>
    value === null || (value >= min && value <= max);
  return {
    days: isWithin(retentionDays, days) ? null : t`From ${days.min} to ${formatCount(days.max)} days, or empty`,
    gigabytes: isWithin(capBytes, bytes)
      ? null
      : t`From ${formatMemory(bytes.min)} to ${formatMemory(bytes.max)}, or empty`,
  };
}

/** Jobs that ended before this time are removed; null if there is no age limit. */
export const cutOff = ({ retentionDays }: Keeping, now: number): number | null =>
  retentionDays === null ? null : now - retentionDays * DAY_MS;

/**
 * The consequences of these limits, one sentence for each. `ended`: the number of ended jobs that were sent before the
 * cut-off. Jobs that ended after it stay.
 */
export function whatGoes(keeping: Keeping, { usedBytes }: LedgerStorage, ended: number, now: number): string[] {
  const before = cutOff(keeping, now);
  const beyond = keeping.capBytes === null ? 0 : usedBytes - keeping.capBytes;
  return [
    ...(before !== null && ended > 0
      ? [t`Jobs that ended before ${formatMoment(before)}: up to ${formatCount(ended)}, and more each day.`]
      : []),
    ...(beyond > 0 ? [t`The oldest jobs, up to ${formatMemory(beyond)}.`] : []),
  ];
}
