/**
 * The rule of the automatic stop, for Pods of this machine (the engine applies it) and for those of accounts (the app does).
 *
 * A Pod is idle while all of this is true:
 * - its processor: less than 5 % of all its cores, and less than half of one core;
 * - each of its GPUs: less than 5 % load, by itself and by other programs. Used GPU memory does not count: a loaded model
 *   that nobody asks is idle;
 * - its network: less than 1 KB per second, in and out together, where that is measured;
 * - no terminal of Hangar is open in it, where that is known.
 *
 * An unknown load of the processor or of a GPU counts as busy, and so does a time in which nobody measured.
 */
import { SPEND_WARNED_AT, type AutoStopCause, type AutoStopRules } from './autoStop.ts';

/** Below these values, a Pod is idle. */
export const idleThresholds = {
  /** Percent of all cores of the Pod. */
  cpuPercent: 5,
  /** Cores: one busy thread on many cores is no idle Pod. */
  cpuCores: 0.5,
  /** Percent of all cores, in place of both, if the number of cores is not known. */
  cpuPercentOfUnknown: 1,
  /** Percent of each GPU. */
  gpuPercent: 5,
  /** Bytes per second. */
  trafficBytesPerS: 1024,
} as const;

/** One measurement of a Pod that runs. */
export interface PodActivity {
  /** 100: all its cores. Null: not known. */
  readonly cpuPercent: number | null;
  /** How many cores it has; null if that is not known. */
  readonly cores: number | null;
  /** The load of each of its GPUs, percent; null: not known. Empty without GPUs. */
  readonly gpuPercents: readonly (number | null)[];
  /** Bytes per second, in and out together; null if that is not measured. */
  readonly trafficBytesPerS: number | null;
  /** Terminals of Hangar in it; null if that is not known. */
  readonly terminals: number | null;
}

const whole = (percent: number): number => Math.round(percent);

/** The load of the processor below which a Pod is idle, in percent of all its cores. */
function idleCpuPercent(cores: number | null): number {
  const { cpuPercent, cpuCores, cpuPercentOfUnknown } = idleThresholds;
  return cores === null ? cpuPercentOfUnknown : Math.min(cpuPercent, (100 * cpuCores) / cores);
}

/** Why a Pod is not idle, as a sentence; null if it is idle. */
export function busyWith({ cpuPercent, cores, gpuPercents, trafficBytesPerS, terminals }: PodActivity): string | null {
  if (terminals !== null && terminals > 0) return terminals === 1 ? 'A terminal is open.' : 'Terminals are open.';
  if (cpuPercent === null) return 'The load of its CPU is unknown.';
  if (cpuPercent >= idleCpuPercent(cores)) return `Its CPU is at ${whole(cpuPercent)} %.`;
  if (gpuPercents.includes(null)) return 'The load of its GPU is unknown.';
  const gpu = Math.max(0, ...gpuPercents.map((percent) => percent ?? 0));
  if (gpu >= idleThresholds.gpuPercent) return `Its GPU is at ${whole(gpu)} %.`;
  if (trafficBytesPerS !== null && trafficBytesPerS >= idleThresholds.trafficBytesPerS) {
    return `Its network traffic is ${Math.round(trafficBytesPerS / 1024)} KB per second.`;
  }
  return null;
}

/** What is known of the idle time of a Pod. Times in milliseconds since the epoch. */
export interface IdleTrack {
  /** Null while it is busy. */
  readonly idleSince: number | null;
  readonly busyWith: string | null;
  readonly measuredAt: number;
}

/** What a measurement that failed, or a Pod without one, counts as. */
const NOT_MEASURED = 'It could not be measured.';

/**
 * The track after a measurement.
 *
 * @param activity Null: it could not be measured, which counts as busy.
 * @param gapMs The idle time begins anew after a longer time without a measurement: nobody knows what happened in it.
 */
export function followIdle(
  before: IdleTrack | null,
  activity: PodActivity | null,
  now: number,
  gapMs: number,
): IdleTrack {
  const busy = activity === null ? NOT_MEASURED : busyWith(activity);
  if (busy !== null) return { idleSince: null, busyWith: busy, measuredAt: now };
  const isContinued = before !== null && now >= before.measuredAt && now - before.measuredAt <= gapMs;
  return { idleSince: (isContinued ? before.idleSince : null) ?? now, busyWith: null, measuredAt: now };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What the rules need to know of a Pod that runs. */
export interface AutoStopFacts {
  readonly rules: AutoStopRules;
  /** Milliseconds since the epoch; null while it is not idle. */
  readonly idleSince: number | null;
  /** US dollars per hour; 0 without a price. */
  readonly perHourUsd: number;
  /** Since when it costs, milliseconds since the epoch; null while that is not known. */
  readonly since: number | null;
  /** What it cost before `since`, at earlier prices, US dollars. Absent: nothing. */
  readonly earlierUsd?: number;
}

/**
 * US dollars since its start; null without a price, and while its start is not known. `now`: milliseconds since the
 * epoch.
 */
export const spentOf = (
  { perHourUsd, since, earlierUsd = 0 }: Omit<AutoStopFacts, 'rules' | 'idleSince'>,
  now: number,
): number | null =>
  since === null || (perHourUsd <= 0 && earlierUsd <= 0)
    ? null
    : earlierUsd + (Math.max(0, now - since) / HOUR_MS) * perHourUsd;

/** The stop that comes first if nothing changes, milliseconds since the epoch; null if no rule stops the Pod. */
export function nextStop(facts: AutoStopFacts): { at: number; cause: AutoStopCause } | null {
  const { rules, idleSince, perHourUsd, since, earlierUsd = 0 } = facts;
  const stops: { at: number; cause: AutoStopCause }[] = [];
  if (rules.idleMinutes !== null && idleSince !== null) {
    stops.push({ at: idleSince + rules.idleMinutes * MINUTE_MS, cause: 'idle' });
  }
  if (rules.spendUsd !== null && since !== null && perHourUsd > 0) {
    stops.push({ at: since + ((rules.spendUsd - earlierUsd) / perHourUsd) * HOUR_MS, cause: 'spend' });
  }
  return stops.sort((a, b) => a.at - b.at)[0] ?? null;
}

/** Less than ten cents with four digits, so that a part of a small cap does not read as all of it: "$0.0084", "$0.10". */
const dollars = (amount: number): string =>
  `$${amount < 0.1 ? amount.toFixed(4).replace(/0{1,2}$/, '') : amount.toFixed(2)}`;

/** Minutes as "30 min" or "2 h 5 min". */
export function minutesText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours} h` : '', rest > 0 || hours === 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}

/** Why a rule stops a Pod, as in "idle for 30 min". */
export const reasonOf = (cause: AutoStopCause, { idleMinutes, spendUsd }: AutoStopRules): string =>
  cause === 'idle'
    ? `idle for ${minutesText(idleMinutes ?? 0)}`
    : `it has cost ${dollars(spendUsd ?? 0)}, which is its spend cap`;

/** The rule that stops the Pod now; null for none. `now`: milliseconds since the epoch. */
export function dueStop(facts: AutoStopFacts, now: number): { cause: AutoStopCause; reason: string } | null {
  const next = nextStop(facts);
  return next !== null && now >= next.at ? { cause: next.cause, reason: reasonOf(next.cause, facts.rules) } : null;
}

/**
 * The warning that most of the spend cap is used, as a sentence; null below that part. `now`: milliseconds since the
 * epoch.
 */
export function spendWarning(facts: AutoStopFacts, now: number): string | null {
  const { spendUsd } = facts.rules;
  const spent = spentOf(facts, now);
  if (spendUsd === null || spent === null || spent < spendUsd * SPEND_WARNED_AT) return null;
  const percent = Math.floor((100 * spent) / spendUsd);
  return `It has cost ${dollars(spent)}, ${percent} % of its spend cap of ${dollars(spendUsd)}.`;
}
