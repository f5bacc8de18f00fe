/**
 * Decides which changes of jobs, Pods, pauses, accounts and GPU prices become notifications, and words them, for the
 * desktop host and for the page in a browser.
 */
import type { Account } from '../app/account.ts';
import type { IdlePod } from '../app/podCost.ts';
import { timesOf } from '../app/jobs/times.ts';
import type { PriceAlert } from '../app/price.ts';
import type { LedgerEntry } from '../app/ledger.ts';
import type { NotificationKind } from '../app/notices/notificationKinds.ts';
import type { PodAutoStop, PodRow } from '../bridge/pod.ts';
import type { PauseSource } from '../local/machine.ts';
import type { Texts } from '../language/translation.ts';

export interface Notice {
  readonly kind: NotificationKind;
  readonly title: string;
  readonly body: string;
  /** The page that a click opens, with its `#`. */
  readonly address: string;
  /** The account that the click makes the target, if the page depends on it. */
  readonly accountId?: string;
}

/** The texts of who shows the notification. */
export type Words = Pick<Texts, 't'>;

/** Whether the jobs of this computer are paused. */
interface Pausing {
  /** Whether a rule has paused them, not a person. */
  readonly isByRule: boolean;
  /** The reason, as a sentence. */
  readonly message: string | null;
}

/** No notification for a shorter job: the person still looks at it. */
const LONG_MS = 30_000;
/** No notification for a job with an earlier end, for example while Hangar was not running. */
export const RECENT_MS = 5 * 60_000;

const failures: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT']);

/** Null if there is no notification. `now`: milliseconds since the epoch. */
export function noticeOfJob({ t }: Words, entry: LedgerEntry, now: number): Notice | null {
  const { status, endpointName, error, finishedAt } = entry;
  const address = `#/jobs/${encodeURIComponent(entry.entryId)}`;
  if (finishedAt === null || now - finishedAt > RECENT_MS) return null;
  if (failures.has(status)) {
    const title = status === 'FAILED' ? t`A job of ${endpointName} failed` : t`A job of ${endpointName} timed out`;
    return { kind: 'job-failed', title, body: error?.split('\n')[0]?.slice(0, 200) ?? '', address };
  }
  const { waited, ran } = timesOf(entry, now);
  const tookMs = ran ?? waited ?? 0;
  if (status !== 'COMPLETED' || tookMs <= LONG_MS) return null;
  const minutes = Math.floor(tookMs / 60_000);
  const seconds = Math.round((tookMs % 60_000) / 1000);
  const took = minutes > 0 ? t`${minutes} min ${seconds} s` : t`${seconds} s`;
  return { kind: 'job-ended', title: t`A job of ${endpointName} is done`, body: t`It took ${took}.`, address };
}

const moneyOf = (amount: number): string => `$${amount.toFixed(amount < 0.01 ? 4 : 2)}`;

/** A Pod that costs money and does nothing. */
export function noticeOfIdlePod(
  { t }: Words,
  account: Pick<Account, 'id' | 'name'>,
  { id, name, costPerHr }: PodRow['pod'],
  idle: IdlePod,
): Notice {
  const price = moneyOf(costPerHr);
  return {
    kind: 'pod-idle',
    title: t`The Pod ${name || id} is idle`,
    body: t`It costs ${price} per hour on ${account.name}. Its load is ${Math.round(Math.max(idle.gpuPercent, idle.cpuPercent))} %.`,
    address: `#/pods/${encodeURIComponent(id)}`,
    accountId: account.id,
  };
}

const ofPod = ({ accountId, podId }: PodAutoStop) => ({
  kind: 'pod-spending' as const,
  address: `#/pods/${encodeURIComponent(podId)}`,
  accountId,
});

/** Most of the spend cap of a Pod is used. */
export function noticeOfSpending({ t }: Words, pod: PodAutoStop): Notice {
  const { rules, spentUsd } = pod.autoStop;
  return {
    ...ofPod(pod),
    title: t`The Pod ${pod.podName || pod.podId} is near its spend cap`,
    body: t`It has cost ${moneyOf(spentUsd ?? 0)} of ${moneyOf(rules.spendUsd ?? 0)}. Then it stops.`,
  };
}

/** A rule has stopped a Pod. `reason`: as in "idle for 30 min", or "it has cost $5.00, which is its spend cap". */
export function noticeOfStop({ t }: Words, pod: PodAutoStop, reason: string): Notice {
  const sentence = reason.startsWith('it ') ? t`It ${reason.slice('it '.length)}.` : t`It was ${reason}.`;
  return { ...ofPod(pod), title: t`The Pod ${pod.podName || pod.podId} was stopped`, body: sentence };
}

const pauseRules: ReadonlySet<PauseSource> = new Set(['battery', 'programs', 'gpu-load', 'gpu-memory', 'quiet-hours']);

/** Whether a rule has paused the jobs, not a person. `source`: null if they are not paused. */
export const isPauseRule = (source: PauseSource | null): boolean => source !== null && pauseRules.has(source);

/** The notification that a rule has paused the jobs of this computer; null for every other change. */
export function noticeOfPause({ t }: Words, before: Pausing, { isByRule, message }: Pausing): Notice | null {
  if (!isByRule || before.isByRule) return null;
  return {
    kind: 'paused-by-rule',
    title: t`Jobs on this computer are paused`,
    body: message ?? '',
    address: '#/machine',
  };
}

/** Notifications for accounts whose key is refused now and was not before. */
export function noticesOfAccounts({ t }: Words, before: readonly Account[], now: readonly Account[]): Notice[] {
  const states = new Map(before.map(({ id, state }) => [id, state]));
  return now
    .filter(({ id, state }) => state === 'refused' && states.has(id) && states.get(id) !== 'refused')
    .map(({ id, name, reason }) => ({
      kind: 'account-refused',
      title: t`${name} refuses its key`,
      body: reason ?? '',
      address: `#/accounts/${encodeURIComponent(id)}`,
    }));
}

/** Notifications for alerts that hold now and did not before. */
export function noticesOfAlerts(
  { t }: Words,
  before: readonly PriceAlert[],
  now: readonly PriceAlert[],
  accounts: readonly Pick<Account, 'id' | 'name'>[],
): Notice[] {
  const earlier = new Map(before.map((alert) => [alert.alertId, alert]));
  return now.flatMap(({ alertId, accountId, gpuName, below, metAt, price }): Notice[] => {
    const then = earlier.get(alertId);
    if (metAt === null || then === undefined || then.metAt !== null) return [];
    const name = accounts.find(({ id }) => id === accountId)?.name ?? t`its account`;
    const costs = price === null ? '' : t`One costs ${moneyOf(price)} per hour.`;
    return [
      {
        kind: 'gpu-price',
        title:
          below === null
            ? t`${gpuName} is in stock on ${name}`
            : t`${gpuName} costs at most ${moneyOf(below)} per hour on ${name}`,
        body: costs,
        address: '#/gpus',
        accountId,
      },
    ];
  });
}
