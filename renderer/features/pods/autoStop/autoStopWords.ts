/** When a Pod stops by itself, and why it did, in words. */
import type { AutoStopCause } from '#contract/api/autoStop.ts';
import type { ShownPod } from '../../../ui/text/podWords.ts';
import { formatDuration, formatWhen } from '../../../ui/text/format.ts';
import { formatMoney } from '../../../ui/text/money.ts';
import { t } from '../../../language/text.ts';

/** A row tells the stop by the spend cap only once it is as near. An idle Pod always tells it. */
const NEAR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

const causes: Record<AutoStopCause, string> = { idle: t`idle`, spend: t`cost` };

/** Whole minutes: a row is not read every second. */
const leftText = (ms: number): string => formatDuration(Math.max(1, Math.ceil(ms / MINUTE_MS)) * MINUTE_MS);

/** Whether a rule may stop it, or has stopped it. */
export const hasRule = ({ autoStop }: Pick<ShownPod, 'autoStop'>): boolean =>
  autoStop !== undefined &&
  (autoStop.rules.idleMinutes !== null || autoStop.rules.spendUsd !== null || autoStop.stopped !== null);

export interface StopWords {
  short: string;
  long: string;
}

/** "Stops in 4 min: idle", or "Stopped: idle for 30 min"; null if a rule neither stops it soon nor has stopped it. */
export function stopWords({ pod, autoStop, work = null }: ShownPod, now: number): StopWords | null {
  if (autoStop === undefined || work !== null) return null;
  const { next, stopped, rules, spentUsd } = autoStop;
  if (pod.desiredStatus === 'EXITED' && stopped !== null) {
    const moment = formatWhen(Date.parse(stopped.at));
    return {
      short: stopped.cause === 'idle' ? t`Stopped: ${stopped.reason}` : t`Stopped: spend cap`,
      long: t`${moment}: ${stopped.reason}. You can start it again.`,
    };
  }
  if (pod.desiredStatus !== 'RUNNING' || next === null) return null;
  const leftMs = Date.parse(next.at) - now;
  if (next.cause === 'spend' && leftMs > NEAR_MS) return null;
  return {
    short: leftMs <= 0 ? t`Stops now: ${causes[next.cause]}` : t`Stops in ${leftText(leftMs)}: ${causes[next.cause]}`,
    long:
      next.cause === 'idle'
        ? t`Idle since ${formatWhen(Date.parse(autoStop.idleSince ?? next.at))}.`
        : t`It has cost ${formatMoney(spentUsd ?? 0)} of ${formatMoney(rules.spendUsd ?? 0)}.`,
  };
}
